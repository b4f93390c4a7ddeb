from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice

import pytest

from parsing import (
    Block,
    Dialect,
    Mode,
    Options,
    Profile,
    Reader,
    ToolUse,
    dialect,
    dialect_names,
    reader,
)
from tests.parsing.checklist.rules import cases
from tests.parsing.checklist.sheet import TOOLS, Call, Case, Sheet, sheets
from tests.parsing.told import hear
from tests.parsing.ways import Cuts, every_cut_in_two

KNOWN = [sheet for sheet in sheets() if sheet.dialect in dialect_names()]
ALL = [
    pytest.param(sheet, profile, id=f"{sheet.dialect}-{profile}")
    for sheet in KNOWN
    for profile in sheet.profiles
]
every_sheet = pytest.mark.parametrize(("sheet", "profile"), ALL)


def for_each(sheet: Sheet, profile: Profile, holds: Callable[[Case], None]) -> None:
    """Try every case of a sheet in one profile; whatever fails is told, with its case's name."""
    failed = list[str]()
    looked = 0
    for case in cases(sheet):
        if case.profile != profile:
            continue
        looked += 1
        try:
            holds(case)
        except Exception:
            failed.append(f"{case.id}: {traceback.format_exc(limit=-3)}")
    assert not failed, "\n".join(failed)
    assert looked > 3


def tokens(sheet: Sheet, text: str) -> Cuts:
    """Cut as a tokenizer would that has the dialect's marks: they whole, the rest in fours."""
    marks = "|".join(map(re.escape, sorted(sheet.marks, key=len, reverse=True)))
    return tuple(re.findall(rf"(?s){marks}|(?:(?!{marks}).){{1,4}}", text))


@cache
def protocol(name: str) -> Dialect:
    return dialect(name)


def message_of(sheet: Sheet, case: Case, mode: Mode) -> Reader:
    options = Options(case.profile, starts_in_reasoning=case.starts_in_reasoning)
    return reader(protocol(sheet.dialect), TOOLS, mode, options=options)


def read(sheet: Sheet, case: Case, chunks: Cuts) -> tuple[Block, ...]:
    """Read incrementally; that the modes agree at each cut is seen character by character."""
    message = message_of(sheet, case, "incremental")
    for chunk in chunks:
        message.feed(chunk)
    message.close(case.finish)
    return message.blocks


def check(sheet: Sheet, case: Case, chunks: Cuts, mode: Mode) -> None:
    message = message_of(sheet, case, mode)
    told = hear(message, chunks, case.finish)
    uses = [block for block in message.blocks if isinstance(block, ToolUse)]
    about = f"{chunks}: {message.blocks}"

    assert told.joined("text") == meant(case, case.content), about
    assert told.joined("reasoning") == meant(case, case.reasoning), about
    assert [use.name for use in uses] == [call.name for call in case.calls], about
    assert all(met(use, call) for use, call in zip(uses, case.calls, strict=True)), about


def meant(case: Case, parts: Sequence[str]) -> str:
    return "".join(part.strip() if case.profile == "agent" else part for part in parts)


def met(use: ToolUse, call: Call) -> bool:
    state = "partial" if use.partial else "complete" if use.fault is None else "fault"
    accepted = {"bad": ("partial", "fault"), "any": ("partial", "fault", "complete")}
    if state not in accepted.get(call.state, (call.state,)):
        return False
    if call.arguments is None or (call.state == "any" and state != "complete"):
        return True
    if state == "complete":
        assert dict(use.params) == json.loads(call.arguments)
    return use.arguments == call.arguments


@pytest.mark.parametrize("mode", ["incremental", "both"])
@every_sheet
def test_checklist_holds(sheet: Sheet, profile: Profile, mode: Mode) -> None:
    def holds(case: Case) -> None:
        edges = tokens(sheet, case.text)
        assert "".join(edges) == case.text
        for chunks in ((case.text,), edges, fine(sheet, case, mode)):
            check(sheet, case, chunks, mode)

    for_each(sheet, profile, holds)


def fine(sheet: Sheet, case: Case, mode: Mode) -> Cuts:
    """Cut at each character; a cross-check there costs most, and what is alike shares it."""
    if mode == "incremental":
        size = 1
    elif sheet.first:
        size = 2 if case.profile == "agent" else 1
    else:
        size = 12
    return tuple(case.text[at : at + size] for at in range(0, len(case.text), size))


@every_sheet
def test_checklist_holds_for_a_cut_in_two(sheet: Sheet, profile: Profile) -> None:
    odd = profile == "agent"  # the profiles share the places, and together have them all

    def holds(case: Case) -> None:
        whole = read(sheet, case, (case.text,))
        for chunks in islice(every_cut_in_two(case.text), odd, None, 2 if sheet.first else 12):
            assert read(sheet, case, chunks) == whole, chunks

    for_each(sheet, profile, holds)


@pytest.mark.parametrize("sheet", KNOWN, ids=lambda sheet: sheet.dialect)
def test_checklist_has_every_case_in_a_profile_of_its_sheet(sheet: Sheet) -> None:
    assert {case.profile for case in cases(sheet)} == {*sheet.profiles}


def test_checklist_has_one_sheet_for_a_dialect_and_one_name_for_a_case() -> None:
    names = [sheet.dialect for sheet in sheets()]

    assert len(names) == len(set(names))
    for sheet in sheets():
        ids = [(case.profile, case.id) for case in cases(sheet)]
        assert len(ids) == len(set(ids)), sheet.dialect


def test_tokens_keep_marks_whole() -> None:
    (sheet,) = (sheet for sheet in sheets() if sheet.dialect == "hermes")

    assert tokens(sheet, "I will.<tool_call>\n") == ("I wi", "ll.", "<tool_call>", "\n")
