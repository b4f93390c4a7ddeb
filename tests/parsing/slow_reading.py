"""The definition for dialects of marks: a third reading of a dialect's table, slow and plain.

Written from the specification: at every place of the text every mark of the mode is tried, one
after the other, with no state but the marks accepted so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parsing import Block, Finish, Options, ToolSpec, ToolUse, dialect
from parsing.table import BACK, Act, Edge, Slot
from tests.parsing.slow import slow
from tests.parsing.slow_acts import Calling, Captured
from tests.parsing.slow_calls import Called, Prose
from tests.parsing.slow_lines import Fit, after_space, at_line_start
from tests.parsing.slow_marks import any_stands, stands, told

TOLD = (Slot.TEXT, Slot.REASONING)


def definition(
    protocol: str,
    text: str,
    tools: Sequence[ToolSpec],
    options: Options,
    finish: Finish | None,
) -> tuple[Block, ...]:
    """Read a message in any dialect that a table can say."""
    if dialect(protocol).tags_only:
        return slow(text, tools, finish, options)
    return Reading(protocol, text, tools, options, finish).read()


class Reading(Calling):
    """One message, read once from its first character; with no finish it has not ended yet."""

    def read(self) -> tuple[Block, ...]:
        at, held = 0, False
        while at < len(self.text) and not held:
            if self.text[at] == self.mode.escape:
                held = at + 1 == len(self.text)
                at += 0 if held else 2
                continue
            found = self.look(at)
            held = found is None
            if found is not None:
                at = found if found >= 0 else at + 1
        self.rest = self.text[at:]
        recovered = self.close(held=held) if self.finish else ()
        last = self.parts[-1]
        shown = self.text if self.finish and isinstance(last, Prose) else self.text[:at]
        found_blocks = [
            part.block(shown if part.end is None else self.text)
            if isinstance(part, Called)
            else part.block(shown if part.end is None else self.text, exact=self.serving)
            for part in self.parts
        ]
        return (*(one for one in found_blocks if one is not None), *recovered)

    def look(self, at: int) -> int | None:
        """Accept the mark that stands at `at` and give where reading goes on, -1 where none does;
        none when that is not known."""
        held = False
        for mark, edge in self.mode.edges.items():
            if not self.placed(edge, at):
                continue
            found = stands(mark, self.text, at)
            counts: bool | None = None if found.fit is Fit.HALF else False
            if found.fit is Fit.WHOLE and self.welcome(edge, found.captured):
                counts = self.right(edge, at, found.end)
            if counts is None:
                held = True
                if self.finish is None:
                    return None
                whole = found.fit is Fit.WHOLE and not self.text[found.end :].strip()
                counts = whole and self.ends(edge)
            if counts:
                raw = self.text[at : found.end]
                return self.cross(edge, told(found.captured), raw, at, found.end)
        return None if held else -1

    def placed(self, edge: Edge, at: int) -> bool:
        if edge.line_start and not at_line_start(self.text, self.mark, at):
            return False
        alone = not self.text[self.mark : at].strip()
        last = self.parts[-1]
        if edge.at_start or edge.after_call:
            follows = isinstance(last, Prose) and last.after_call
            return alone and (edge.at_start or follows)
        return True

    def welcome(self, edge: Edge, captured: Captured) -> bool:
        said = told(captured)
        if edge.declared:
            return said.get("name") in self.declared
        if not edge.fresh:
            return True
        param, note = self.declared.param(self.call.name or "", said.get("key", ""))
        given = [one.key for one in self.call.params]
        return param is not None and not note and param.name not in given

    def right(self, edge: Edge, at: int, end: int) -> bool | None:
        """Say whether what stands around a mark lets it count; none when that is not known."""
        if edge.unquoted and at and self.text[at - 1] == "`":
            return None if end == len(self.text) else self.text[end] != "`"
        if edge.follow is None:
            return True
        at = after_space(self.text, end)
        if at == len(self.text):
            return None
        found = any_stands(edge.follow.marks, self.text, at)
        return None if found is Fit.HALF else found is Fit.WHOLE

    def ends(self, edge: Edge) -> bool:
        """Say whether a mark counts at the end of the message."""
        follow = edge.follow
        return follow is None or follow.end or (follow.stop and self.finish is Finish.STOP)

    def cross(self, edge: Edge, said: Captured, raw: str, at: int, end: int) -> int:
        """Accept a mark; give where reading goes on."""
        if edge.act is Act.NEST:
            self.outer.append(self.mode)
            self.mode = self.table.modes[edge.to]
            return end
        if edge.act is Act.UNNEST and self.outer:
            self.mode = self.outer.pop()
            return end
        to = self.back if edge.to == BACK else self.table.modes[edge.to]
        if self.mode.slot in (Slot.NAME, Slot.KEY) and edge.act is not Act.OPEN_CALL:
            self.name_or_key(at)
        here, slips = self.parts[-1], bool(edge.note) and edge.act is not Act.SPOIL
        onwards = self.act(edge, said, to, at, end)
        self.call.notes += slips
        if self.mode.slot in TOLD:
            if edge.act is Act.OPEN_CALL or to.slot not in TOLD:
                self.back = self.mode
            if isinstance(here, Prose) and here.end is None:
                here.end, here.before_call = at, to.slot not in TOLD
        if to.slot in TOLD:
            last = self.parts[-1]
            after = isinstance(last, Called) or (last.after_call and last.end == last.start)
            self.parts.append(Prose(onwards, slot=to.slot, after_call=after))
        self.mode, self.mark = to, onwards
        return onwards

    def close(self, *, held: bool) -> tuple[Block, ...]:
        """End the message: prose is closed, a call that lacks only closing marks too."""
        last = self.parts[-1]
        stopped = self.finish is Finish.STOP
        if isinstance(last, Called):
            if last.end is None and (self.mode.whole or (stopped and not held and self.lacks())):
                self.gap(len(self.text))
                last.notes += 1
                self.end_call(len(self.text))
        elif last.end is None:
            last.end = len(self.text)
        lost = self.mode.slot is Slot.REASONING and stopped and not self.serving
        return self.lost_call() if lost else ()

    def lacks(self) -> bool:
        required = self.table.required.get(self.call.name or "", frozenset[str]())
        given = {one.key for one in self.call.params}
        return self.mode.slot is Slot.GAP and bool(given) and self.key is None and required <= given

    def lost_call(self) -> tuple[Block, ...]:
        """Find the complete call that ends a reasoning which never closed, read as text."""
        protocol, tools, options = self.terms
        reasoning = self.text[self.mark :]
        terms = replace(options, starts_in_reasoning=False)
        inner = Reading(protocol, reasoning, tools, terms, None)
        match inner.read()[-1:]:
            case (ToolUse(fault=None, start=int(start), end=int(end)) as use,):
                if not inner.rest.strip():
                    start, end = start + self.mark, end + self.mark
                    notes = (*use.repaired, "lost")
                    return (replace(use, repaired=notes, start=start, end=end),)
            case _:
                pass
        return ()
