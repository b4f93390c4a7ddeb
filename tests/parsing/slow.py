"""The definition: a third reading of a dialect's table, slow and plain.

Written from the specification, not from the two modes: every question is answered by looking at
the whole text again, with no state but the tags accepted so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

from parsing import Block, Finish, Options, ToolSpec, ToolUse, dialect
from parsing.options import AGENT
from parsing.table import Act, Edge, Follow, Slot, Table, When
from tests.parsing.slow_blocks import Param, Part, block, junk
from tests.parsing.slow_lines import Fit, after_space, at_line_start, find, inert


def slow(
    text: str, tools: Sequence[ToolSpec], finish: Finish | None, options: Options = AGENT
) -> tuple[Block, ...]:
    """Read a message in the dialect `cline`; with no finish it has not ended yet."""
    table = dialect("cline").table(tools, options)
    return Slow(table, text, finish, table.start, exact=options.serving).read()


class Slow:
    """One message, read once from its first character."""

    def __init__(
        self,
        table: Table,
        text: str,
        finish: Finish | None,
        mode: str,
        start: int = 0,
        *,
        exact: bool = False,
    ) -> None:
        self.table = table
        self.text = text
        self.finish = finish
        self.mode = table.modes[mode]
        self.mark = start  # where the last tag accepted as structure ended
        self.depth = 0
        self.exact = exact  # the text of the profile `serving`
        self.parts = [Part(self.mode.slot, start)]

    def read(self) -> tuple[Block, ...]:
        at, held = self.mark, False
        while at < len(self.text) and not held:
            tag, end, counts = self.look(at)
            if counts:
                at = self.cross(self.mode.edges[tag], tag, at, end)
            elif counts is None and (self.finish is None or self.parts[-1].slot is Slot.GAP):
                held = True
            else:
                at += 1
        recovered = self.close(self.finish, held=held) if self.finish else []
        shown = self.text[:at]
        blocks = (
            block(part, shown if part.end is None else self.text, exact=self.exact)
            for place, part in enumerate(self.parts)
            if not (self.exact and self.between_calls(place, shown))
        )
        return (*(one for one in blocks if one is not None), *recovered)

    def between_calls(self, place: int, shown: str) -> bool:
        """Say whether a part is but newlines after a call, before another one or the end so far."""
        part, *after = self.parts[place:]
        before = [one for one in self.parts[:place] if one.start != one.end]
        if part.slot is Slot.GAP or shown[part.start : part.end].strip("\n"):
            return False
        if not before or before[-1].slot is not Slot.GAP:
            return False
        return after[0].slot is Slot.GAP if after else part.end is None

    def look(self, at: int) -> tuple[str, int, bool | None]:
        """Give the tag at `at`, its end, and whether it counts; None when that is not known."""
        edges = {str(tag): edge for tag, edge in self.mode.edges.items()}
        live = [tag for tag, edge in edges.items() if not edge.line_start or self.at_line_start(at)]
        found, tag, end = find(self.text, at, live)
        if found is Fit.NO or (self.mode.inert and inert(self.text, self.mark, at)):
            return tag, end, False
        if found is Fit.HALF:
            return tag, end, None
        return tag, end, self.right(edges[tag], at, end)

    def at_line_start(self, at: int) -> bool:
        return at_line_start(self.text, self.mark, at)

    def may_follow(self, tag: str, when: When, at: int) -> bool:
        """Say whether a tag that follows another one, at `at`, lets it count."""
        match when:
            case When.ALWAYS:
                return True
            case When.LINE_START:
                return self.at_line_start(at)
            case When.NOT_GIVEN:
                return tag not in [f"<{param.key}>" for param in self.parts[-1].params]

    def right(self, edge: Edge, at: int, end: int) -> bool | None:
        """Say whether what comes after a tag lets it count; None when that is not known."""
        if edge.unquoted and self.text[at - 1 : at] == "`":
            if end == len(self.text):
                return True if self.finish else None
            return self.text[end] != "`"
        if edge.follow is None:
            return True
        return self.followed(edge.follow, end)

    def followed(self, follow: Follow, end: int) -> bool | None:
        at = after_space(self.text, end)
        rest = self.text[at : at + 2]
        if not rest:
            return True if self.finish and follow.end else None
        if follow.any_tag:
            return None if rest == "<" else rest[0] == "<" and (rest[1] in ascii_letters + "/")
        live = [tag for tag, when in follow.tags.items() if self.may_follow(tag, when, at)]
        found, _, _ = find(self.text, at, live)
        return None if found is Fit.HALF else found is Fit.WHOLE

    def cross(self, edge: Edge, tag: str, at: int, end: int) -> int:
        """Accept a tag; give where reading goes on."""
        old, self.mode = self.mode, self.table.modes[edge.to]
        if edge.act in (Act.NEST, Act.UNNEST):
            self.depth += 1 if edge.act is Act.NEST else -1
            self.mode = old if edge.act is Act.UNNEST and self.depth else self.mode
            return end  # content, not structure
        here, raw = self.parts[-1], self.text[at:end]
        slips = [f"{raw} was read as {tag}"] if raw != tag else []
        between = junk(self.text[self.mark : at]) if here.slot is Slot.GAP else []
        self.mark = end
        match edge.act:
            case Act.OPEN_CALL:
                self.begin(Part(Slot.GAP, at, name=edge.name, notes=slips), at)
            case Act.OPEN_REASONING:
                self.begin(Part(Slot.REASONING, end), at)
            case Act.CLOSE_REASONING | Act.DROP:
                self.begin(Part(Slot.TEXT, end), at)
            case Act.OPEN_VALUE:
                here.notes += between + slips
                here.params.append(Param(edge.name, self.mode, end))
            case Act.CLOSE_VALUE:
                here.params[-1].end = at
                here.notes += slips
            case Act.CLOSE_CALL:
                here.notes += between + slips
                self.begin(Part(Slot.TEXT, end), end)
            case Act.CUT_VALUE | Act.CUT_CALL | Act.LEAVE_CALL:
                self.cut(edge.act, tag, at, between, slips)
        return self.mark

    def cut(self, act: Act, tag: str, at: int, between: list[str], slips: list[str]) -> None:
        """End a call that did not end itself; another call's tag is read again as text."""
        call = self.parts[-1]
        if act is not Act.CUT_VALUE:
            self.mark, slips = at, []
        if act is Act.LEAVE_CALL:
            call.notes += [*between, f"</{call.name}> was missing before {tag}"]
        else:
            param = call.params[-1]
            param.end = at
            call.notes += slips
            call.fault = f"</{param.key}> was missing before {tag}"
        self.begin(Part(Slot.TEXT, self.mark), self.mark)

    def begin(self, part: Part, end: int) -> None:
        self.parts[-1].end = end
        self.parts.append(part)

    def close(self, finish: Finish, *, held: bool) -> list[ToolUse]:
        """Give the verdict; in a call, a tag that nobody can tell any more leaves it incomplete."""
        last = self.parts[-1]
        if last.slot is not Slot.GAP:
            last.end = len(self.text)
            lost = last.slot is Slot.REASONING and finish is Finish.STOP and not self.exact
            return self.lost_call(last.start) if lost else []
        given = {param.key for param in last.params}
        required = self.table.required.get(last.name, frozenset())
        closed = given and self.mode.slot is Slot.GAP and not held
        if closed and finish is Finish.STOP and required <= given:
            last.notes += junk(self.text[self.mark :])
            last.notes.append(f"</{last.name}> was missing at the end")
            last.end = len(self.text)
        return []

    def lost_call(self, start: int) -> list[ToolUse]:
        """Find the complete call that ends a reasoning which never closed, read as text."""
        inner = Slow(self.table, self.text, None, self.table.text, start)
        inner.read()
        call = inner.parts[-2] if len(inner.parts) > 1 else inner.parts[-1]
        if call.slot is not Slot.GAP or call.fault or call.end is None or inner.rest():
            return []
        call.notes.append("the call stood in a reasoning that was never closed")
        found = block(call, self.text, exact=False)
        return [found] if isinstance(found, ToolUse) else []

    def rest(self) -> str:
        """Give what stands after the last tag, white space aside."""
        return self.text[self.mark :].strip()
