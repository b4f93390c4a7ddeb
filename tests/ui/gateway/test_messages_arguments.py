from __future__ import annotations

import json
from math import isfinite
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jiter import from_json

from ui.gateway.messages.arguments import INVALID, Arguments
from ui.gateway.messages.blocks import sound

CUT = "the arguments were cut off here"
BROKEN = "from here on it is no JSON object"

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
WRITTEN = st.builds(
    lambda value, ascii_, indent: json.dumps(value, ensure_ascii=ascii_, indent=indent),
    OBJECTS,
    st.booleans(),
    st.sampled_from([None, 1]),
)
CHARS = st.text(alphabet='{}[]":,\\u0d8cetrnb1-.+E \n\x01aé', max_size=12)
BROKEN_TEXTS = st.builds(
    lambda text, at, more, keep: text[: at % (len(text) + 1)] + more + text[at:] * keep,
    WRITTEN,
    st.integers(0, 60),
    CHARS,
    st.booleans(),
)
TEXTS = WRITTEN | BROKEN_TEXTS | CHARS | st.builds(json.dumps, WRITTEN)


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


def told(pieces: list[str], *, closed: bool = True) -> list[str]:
    arguments = Arguments()
    return [*map(arguments.take, pieces), arguments.end(closed=closed)]


def no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise ValueError(text)
    return number


def scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return sound(value)
    return [scrubbed(one) for one in value] if isinstance(value, list) else value


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {sound(key): scrubbed(value) for key, value in pairs}


def read(text: str) -> Any:
    return json.loads(
        text,
        strict=False,
        parse_constant=no_constant,
        parse_float=finite,
        object_pairs_hook=members,
    )


def meant(text: str) -> dict[str, Any] | None:
    """Give the arguments that a closed call's text means; None when it means none."""
    if not text.strip(" \t\n\r"):
        return {}
    try:
        value = json.loads(text) if text.strip(" \t\n\r")[0] != "{" else read(text)
        if isinstance(value, str):
            value = read(value) if value.strip(" \t\n\r") else {}
    except ValueError:
        return None
    if value is None:
        return {}
    return value if isinstance(value, dict) else None


def gathered(pieces: list[str]) -> Any:
    """Gather pieces as the official client does, which reads all so far at every piece."""
    value: Any = {}
    text = b""
    for piece in filter(None, pieces):
        text += sound(piece).encode()
        value = from_json(text, partial_mode=True)
    return value


@given(TEXTS, st.lists(st.integers(1, 5), max_size=30), st.booleans())
def test_arguments_are_one_object_that_grows(text: str, sizes: list[int], closed: bool) -> None:
    pieces = told(cut(text, sizes), closed=closed)

    value = json.loads("".join(pieces) or "{}")

    assert isinstance(value, dict)
    assert gathered(pieces) == value
    assert "".join(pieces) == "".join(told([text], closed=closed))


@given(TEXTS)
def test_arguments_are_what_they_mean_or_say_that_they_mean_nothing(text: str) -> None:
    value = json.loads("".join(told(list(text))) or "{}")
    expected = meant(text)

    if expected is None:
        assert value[INVALID].startswith((CUT, BROKEN))
    else:
        assert value == expected


@given(WRITTEN, st.integers(0, 60))
def test_arguments_that_are_cut_off_say_so(text: str, at: int) -> None:
    part = text[: at % len(text)]
    value = json.loads("".join(told([part], closed=False)))

    assert value[INVALID].startswith(CUT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": oops}', {INVALID: f'{BROKEN}: "a": oops}}'}),
        ('{"a": "x", "b": [1, {"c": "y', {"a": "x", "b": [1, {"c": "y"}], INVALID: CUT}),
        ('{"n": 12', {INVALID: f'{CUT}: "n": 12'}),
        ('{"p": "C:\\dir"}', {"p": "C:", INVALID: f'{BROKEN}: \\dir"}}'}),
        ('{}{"x": 1}', {INVALID: f'{BROKEN}: {{"x": 1}}'}),
        ('{"a": 1} and so on', {"a": 1, INVALID: f"{BROKEN}: and so on"}),
        ('{"a": 1,}', {"a": 1, INVALID: f"{BROKEN}: ,}}"}),
        ('{"a": [1,]}', {"a": [1], INVALID: f"{BROKEN}: ,]}}"}),
        ('{"a": ["x",]}', {"a": ["x"], INVALID: f"{BROKEN}: ,]}}"}),
        ('{"a": [[],]}', {"a": [[]], INVALID: f"{BROKEN}: ,]}}"}),
        ('{"a": [{},]}', {"a": [{}], INVALID: f"{BROKEN}: ,]}}"}),
        ('{"a": [{"b": {}},]}', {"a": [{"b": {}}], INVALID: f"{BROKEN}: ,]}}"}),
        ("[1]", {INVALID: f"{BROKEN}: [1]"}),
        ("run it", {INVALID: f"{BROKEN}: run it"}),
        ('{"a": NaN}', {INVALID: f'{BROKEN}: "a": NaN}}'}),
        ('{"a": 1e999}', {INVALID: f'{BROKEN}: "a": 1e999}}'}),
        ('{"a": "\\ud83d!"}', {"a": "\ufffd!"}),
        ('{"a": "\\ud83d\\ude80"}', {"a": "🚀"}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('"\\"{}\\""', {INVALID: f'{BROKEN}: "{{}}"'}),
        ("null", {}),
        ("", {}),
    ],
)
def test_arguments_tell(text: str, expected: dict[str, Any]) -> None:
    pieces = told(list(text))

    assert json.loads("".join(pieces) or "{}") == expected
    assert gathered(pieces) == expected


def test_arguments_of_a_call_that_was_only_named_are_cut_off() -> None:
    assert told([], closed=False) == [f'{{"{INVALID}": "{CUT}"}}']


def test_arguments_are_told_as_they_come() -> None:
    pieces = told(
        ['{"path": "a', ".py", '", "n"', ": 1", "2, ", '"body": "', "x\\", "n", 'y"', "}"]
    )

    assert pieces == (
        ['{"path": "a', ".py", '"', "", ', "n": 12', ', "body": "', "x", "\\n", 'y"', "", "}"]
    )


@pytest.mark.parametrize(("depth", "fits"), [(199, True), (200, False)])
def test_arguments_are_as_deep_as_a_client_reads(depth: int, fits: bool) -> None:
    pieces = told([f'{{"a": {"[" * depth}{"]" * depth}}}'])
    value = gathered(pieces)

    assert (INVALID not in value) is fits
    assert json.loads("".join(pieces)) == value


@pytest.mark.parametrize(("digits", "fits"), [(4300, True), (4301, False)])
def test_arguments_hold_numbers_that_a_client_reads(digits: int, fits: bool) -> None:
    pieces = told([f'{{"a": {"1" * digits}}}'])

    assert (INVALID not in gathered(pieces)) is fits
    assert json.loads("".join(pieces)) == gathered(pieces)
