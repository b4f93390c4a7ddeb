from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from agent import Config
from agent.config import NAMES
from agent.config_values import NotPlain, plain

PLAIN: list[tuple[str, object]] = [
    ("provider", " anthropic "),
    ("model", "m"),
    ("base_url", "http://h/v1"),
    ("api_key", "k"),
    ("headers", {"X-A": "b"}),
    ("script", "a.toml"),
    ("script", Path("a.toml")),
    ("speed", 2),
    ("speed", "0.5"),
    ("protocol", "native"),
    ("mode", "both"),
    ("tools_per_message", "one"),
    ("foreign_calls", "accept"),
    ("constrain", "on"),
    ("prompt", "compact"),
    ("allow", ["read", "run"]),
    ("context_window", 8192),
    ("max_tokens", "512"),
    ("temperature", 0.7),
    ("thinking_tokens", "-1"),
    ("max_turns", "9"),
    ("max_mistakes", 2),
    ("connect_timeout", "3"),
    ("first_token_timeout", 4.5),
    ("idle_timeout", "6.25"),
    ("command_timeout", 1),
]


@pytest.mark.parametrize(("name", "value"), PLAIN)
def test_plain_gives_a_value_as_pydantic_does(name: str, value: object) -> None:
    whole = TypeAdapter(Config).validate_python({name: value})

    mine = plain({name: value})[name]

    assert (mine, type(mine)) == (getattr(whole, name), type(getattr(whole, name)))


def test_plain_knows_every_value() -> None:
    assert {name for name, _ in PLAIN} | {"dialect"} == set(NAMES)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("model", 3),
        ("max_turns", True),
        ("max_turns", "1e3"),
        ("speed", "fast"),
        ("mode", "fast"),
        ("allow", "read"),
        ("allow", ["write"]),
        ("headers", {"X": 1}),
        ("headers", "X: 1"),
        ("api_key", 1),
        ("script", ""),
    ],
)
def test_plain_leaves_what_is_not_plain(name: str, value: object) -> None:
    with pytest.raises(NotPlain):
        plain({name: value})
