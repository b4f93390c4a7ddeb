from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from parsing import Block, Finish, Options, ToolSpec, ToolUse, parse
from parsing.options import PROFILES, Profile
from tests.parsing.ways import each_character, every_cut_in_two, read

WEATHER = ToolSpec(
    "get_weather",
    "",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city", "days"],
    },
)
MEANT = {"city": "Paris", "days": 3}


@dataclass(frozen=True)
class Literal:
    """What a model writes for one call, and the names of the dialect that it is in."""

    form: str
    names: Sequence[str]
    text: str


ROWS = [
    Literal(**row)
    for row in tomllib.loads(
        (Path(__file__).parent / "corpus" / "literals.toml").read_text("utf-8")
    )["row"]
]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.form)
every_profile = pytest.mark.parametrize("profile", PROFILES)


def options(profile: Profile) -> Options:
    return Options(profile, starts_in_reasoning=False)


def is_meant(blocks: Sequence[Block]) -> bool:
    return len(blocks) == 1 and all(map(is_the_call, blocks))


def is_the_call(block: Block) -> bool:
    if not isinstance(block, ToolUse) or block.partial or block.fault or block.repaired:
        return False
    return block.name == WEATHER.name and dict(block.params) == MEANT


@every_profile
@every_row
def test_literal_is_the_call_under_each_name(row: Literal, profile: Profile) -> None:
    read_as = {
        name: parse(row.text, name, [WEATHER], options=options(profile)) for name in row.names
    }

    assert {name: blocks for name, blocks in read_as.items() if not is_meant(blocks)} == {}


@every_profile
@every_row
def test_literal_is_the_call_however_it_is_cut(row: Literal, profile: Profile) -> None:
    for cuts in (*each_character(row.text), *every_cut_in_two(row.text)):
        blocks = read(
            cuts, "both", [WEATHER], Finish.STOP, protocol=row.names[0], options=options(profile)
        )
        assert is_meant(blocks), cuts


@every_profile
@every_row
def test_half_a_literal_is_no_call(row: Literal, profile: Profile) -> None:
    for end in range(1, len(row.text)):
        blocks = parse(row.text[:end], row.names[0], [WEATHER], options=options(profile))
        whole = [use for use in blocks if isinstance(use, ToolUse) and use.fault is None]
        assert all(use.partial or dict(use.params) == MEANT for use in whole), row.text[:end]
