"""The cases of a sheet: what a message of its literals reads as, in either profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from parsing import Finish, Profile
from tests.parsing.checklist.sheet import NOW, WEATHER, Call, Case, Sheet


def cases(sheet: Sheet) -> Iterator[Case]:
    """Give all cases of a sheet."""
    yield from sheet.rows
    for profile in sheet.profiles:
        yield from _calls(sheet, profile)
        yield from _slips(sheet, profile)
        yield from _around(sheet, profile)
        if sheet.sections:
            yield from _sections(sheet, profile)
        if sheet.think is not None:
            yield from _thinking(sheet, profile, *sheet.think)
            if sheet.plain:
                yield from _nested(sheet, profile, *sheet.think)


def _unknown(profile: Profile) -> tuple[Call, ...]:
    return (Call("launch", None, "fault"),) if profile == "agent" else ()


def _calls(sheet: Sheet, profile: Profile) -> Iterator[Case]:
    yield Case("no-arguments", profile, sheet.section("now"), calls=(NOW,))
    yield Case("one-call", profile, sheet.section("weather"), calls=(WEATHER,))
    three = sheet.section("weather", "now", "weather")
    yield Case("several-calls-in-a-row", profile, three, calls=(WEATHER, NOW, WEATHER))
    if sheet.unknown == "dropped":
        text = sheet.section("weather", "unknown", "now")
        calls = (WEATHER, *_unknown(profile), NOW)
        yield Case("unknown-name-between-calls", profile, text, calls=calls)
        yield Case("unknown-name", profile, sheet.section("unknown"), calls=_unknown(profile))
    if sheet.has("repeated"):
        twice = Call("get_weather", '{"city": "Paris", "city": "Bern"}')
        yield Case("repeated-argument", profile, sheet.section("repeated"), calls=(twice,))
    if sheet.has("swapped"):
        text = sheet.section("swapped", "now")
        yield Case("arguments-before-the-name", profile, text, calls=(WEATHER, NOW))
    if sheet.has("quoting"):
        text = sheet.section("quoting", "now")
        yield Case("marks-in-a-value", profile, text, calls=(sheet.quotation, NOW))


def _slips(sheet: Sheet, profile: Profile) -> Iterator[Case]:
    for finish in Finish:
        if sheet.has("cut"):
            cut = Call("get_weather", '{"city": "Par', "partial")
            name = f"cut-in-a-value-{finish.value}"
            yield Case(name, profile, sheet.opened("cut"), calls=(cut,), finish=finish)
        if sheet.has("nameless"):
            text = sheet.opened("nameless")
            yield Case(f"cut-in-the-name-{finish.value}", profile, text, finish=finish)
    if sheet.has("malformed"):
        bad = Call("get_weather", None, "bad")
        yield Case("malformed", profile, sheet.section("malformed"), calls=(bad,))
    if sheet.has("unended"):
        yield Case("end-swallowed", profile, sheet.opened("unended"), calls=(WEATHER,))
    if sheet.has("forgotten"):
        calls = (replace(WEATHER, state="any"), NOW)
        yield Case("forgotten-end", profile, sheet.section("forgotten"), calls=calls)


def _around(sheet: Sheet, profile: Profile) -> Iterator[Case]:
    lead = sheet.lead if sheet.plain else ""
    before, after = sheet.text("Hi. "), sheet.text(" Bye.")
    section = lead + sheet.section("weather")
    said = ("Hi. ", " Bye.")
    yield Case("text-before", profile, sheet.message(before, section), said[:1], (), (WEATHER,))
    text = sheet.message(before, section, after)
    yield Case("text-around", profile, text, said, (), (WEATHER,))
    if sheet.unknown == "dropped":
        text = sheet.message(before, lead + sheet.section("unknown"), after)
        yield Case("unknown-name-in-text", profile, text, said, (), _unknown(profile))
    if sheet.plain and not lead:
        text = "x\n\n" + sheet.section("weather") + "\n\nafter"
        yield Case("newlines-around", profile, text, ("x\n\n", "\n\nafter"), (), (WEATHER,))


def _sections(sheet: Sheet, profile: Profile) -> Iterator[Case]:
    one, two = sheet.section("weather"), sheet.section("now")
    calls = (WEATHER, NOW)
    yield Case("sections-in-a-row", profile, sheet.message(one, two), calls=calls)
    if not sheet.plain:
        return
    for name, space in (("newline", "\n"), ("newlines", "\n\n")):
        yield Case(f"{name}-between-calls", profile, f"{one}{space}{two}", calls=calls)
    if sheet.blanks:
        text = f"{one} {sheet.lead}{two}"
        yield Case("blank-between-calls", profile, text, (" ",), (), calls)
    if sheet.unknown == "dropped":
        text = f"{sheet.section('unknown')}\n{two}"
        after = (*_unknown(profile), NOW)
        yield Case("newline-after-an-unknown-name", profile, text, calls=after)
    if sheet.has("malformed"):
        text = f"{sheet.section('malformed')}\n{two}"
        both = (Call("get_weather", None, "bad"), NOW)
        yield Case("malformed-then-a-call", profile, text, calls=both)


def _thinking(sheet: Sheet, profile: Profile, begin: str, end: str) -> Iterator[Case]:
    yield Case("reasoning-never-closed", profile, f"{begin}only thoughts", (), ("only thoughts",))
    if begin.startswith("<think>"):
        held = "only thoughts</th"
        yield Case("reasoning-cut-in-its-end", profile, begin + held, (), (held,))
        opened = f"only thoughts{end}done"
        yield Case(
            "reasoning-opened-by-the-template", profile, opened, ("done",), ("only thoughts",),
            starts_in_reasoning=True,
        )  # fmt: skip
    parts = (f"{begin}r{end}", sheet.text("t. "), sheet.section("weather"), sheet.text(" bye"))
    if sheet.sections and not sheet.lead:
        text = sheet.message(*parts)
        yield Case("reasoning-text-call-text", profile, text, ("t. ", " bye"), ("r",), (WEATHER,))
    text = sheet.message(parts[0], sheet.section("weather", "now"))
    yield Case("reasoning-then-calls", profile, text, (), ("r",), (WEATHER, NOW))


def _nested(sheet: Sheet, profile: Profile, begin: str, end: str) -> Iterator[Case]:
    one, two, unknown = (sheet.section(name) for name in ("weather", "now", "unknown"))
    inside: dict[str, tuple[str, tuple[str, ...], tuple[Call, ...]]] = {
        "call-in-reasoning": (f"a {one}b", ("a ", "b"), (WEATHER,)),
        "unknown-name-in-reasoning": (f"a {unknown}b", ("a ", "b"), ()),
        "calls-in-reasoning": (f"a {one}\n{two}", ("a ",), (WEATHER, NOW)),
        "newline-after-a-call-in-reasoning": (f"a {one}\nb", ("a ", "\nb"), (WEATHER,)),
    }
    for name, (text, thought, calls) in inside.items():
        if profile == "agent" or sheet.nested == "prose":
            thought, calls = (text,), ()
        elif sheet.unknown == "text" and "unknown" in name:
            continue
        yield Case(name, profile, f"{begin}{text}{end}c", ("c",), thought, calls)
    if sheet.nested == "call":
        text = f"I will.\n{one}"
        thought = (text,) if profile == "agent" else ("I will.\n",)
        yield Case("call-ends-an-open-reasoning", profile, begin + text, (), thought, (WEATHER,))
