"""Cline's own reading (parseAssistantMessageV2, v4.0.10), block for block, its faults included.

For reading old transcripts and for comparing.  Nothing is held back and values can shrink, so
there is no table: two short readers share the lists of names.  White space is what JavaScript's
`trim` takes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from parsing.blocks import Block, Finish, TextBlock, ToolUse, Value
from parsing.dialects.cline import SHAPE, table
from parsing.reader import ArgumentsDelta, CallBegan, CallEnded, Delta, Reader, TextDelta
from parsing.spec import ToolSpec
from parsing.table import Dialect

_TOOLS = """
ask_followup_question attempt_completion execute_command replace_in_file read_file write_to_file
search_files list_files list_code_definition_names browser_action use_mcp_tool access_mcp_resource
load_mcp_documentation new_task plan_mode_respond act_mode_respond focus_chain web_fetch web_search
condense summarize_task report_bug new_rule apply_patch generate_explanation use_skill use_subagents
"""
_PARAMS = """
command requires_approval path absolutePath content diff regex file_pattern recursive action url
coordinate text query allowed_domains blocked_domains prompt server_name tool_name arguments uri
question options response result context title what_happened steps_to_reproduce api_request_output
additional_context needs_more_exploration task_progress timeout input from_ref to_ref skill_name
prompt_1 prompt_2 prompt_3 prompt_4 prompt_5 start_line end_line
"""
SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


@dataclass(frozen=True, slots=True)
class Names:
    """The tools, and the parameters that all of them share, with their openers' patterns."""

    tools: re.Pattern[str]
    params: str
    longest: int

    def inside(self, tool: str) -> re.Pattern[str]:
        """Match what matters between the parameters of a tool."""
        return re.compile(f"{self.params}|</{re.escape(tool)}>")


def names(tools: Sequence[ToolSpec]) -> Names:
    """Take the names from the tools given, or Cline's own."""
    known = [tool.name for tool in tools] or _TOOLS.split()
    params = list(dict.fromkeys(name for tool in tools for name in tool.params)) or _PARAMS.split()
    openers = "|".join(map(re.escape, known)), "|".join(map(re.escape, params))
    longest = max(map(len, (*known, *params))) + 3
    return Names(re.compile(f"<({openers[0]})>"), f"<({openers[1]})>", longest)


@dataclass(slots=True)
class Call:
    """A tool use while it is read."""

    name: str
    body: int  # where its body begins
    params: dict[str, str] = field(default_factory=dict[str, str])

    def block(self, *, partial: bool) -> ToolUse:
        values = tuple(Value(key, text) for key, text in self.params.items())
        return ToolUse(self.name, values, partial)

    def repair(self, body: str) -> None:
        """Take `content` from its first opening to its last closing tag, once the tool closes."""
        start = body.find("<content>")
        end = body.rfind("</content>")
        if self.name == "write_to_file" and -1 < start < end:
            self.params["content"] = body[start + len("<content>") : end].strip(SPACE)


def _text(content: str, *, partial: bool) -> list[Block]:
    content = content.strip(SPACE)
    return [TextBlock(content, partial)] if content else []


def parse_v2(known: Names, text: str) -> tuple[Block, ...]:
    """Read a whole message, as it stands."""
    blocks: list[Block] = []
    pos = 0
    while opener := known.tools.search(text, pos):
        blocks += _text(text[pos : opener.start()], partial=False)
        call = Call(opener[1], opener.end())
        pos = _call(known, text, call)
        blocks.append(call.block(partial=pos < 0))
        if pos < 0:
            return tuple(blocks)
    return (*blocks, *_text(text[pos:], partial=True))


def _call(known: Names, text: str, call: Call) -> int:
    """Fill a call's parameters; give where it ends, or -1 when the text does first."""
    inside, pos = known.inside(call.name), call.body
    while found := inside.search(text, pos):
        if found[1] is None:
            call.repair(text[call.body : found.end()])
            return found.end()
        end = text.find(f"</{found[1]}>", found.end())
        value = text[found.end() : end if end >= 0 else len(text)]
        call.params[found[1]] = value.strip(SPACE)
        if end < 0:
            return -1
        pos = end + len(found[1]) + 3
    return -1


class _Told:
    """Tells blocks once they can change no more; of a dialect that rewrites, nothing sooner."""

    def __init__(self, owner: Reader) -> None:
        self._owner = owner
        self._told = 0

    @property
    def first(self) -> int:
        return max(len(self._owner.blocks) - 2, 0)

    def deltas(self) -> list[Delta]:
        out: list[Delta] = []
        for index, block in enumerate(self._owner.blocks[self._told :], self._told):
            if block.partial:
                break
            self._told += 1
            match block:
                case TextBlock():
                    out.append(TextDelta(index, block.content))
                case ToolUse():
                    args = ArgumentsDelta(index, block.arguments)
                    out += [CallBegan(index, block.name), args, CallEnded(index)]
                case _:
                    raise AssertionError("cline-v2 knows no reasoning")
        return out


class ReparseV2:
    """Reads the whole message so far at every chunk."""

    def __init__(self, known: Names) -> None:
        self._known = known
        self._change = _Told(self)
        self.text = ""

    def feed(self, chunk: str) -> _Told:
        self.text += chunk
        return self._change

    def close(self, finish: Finish) -> _Told:
        return self._change

    @property
    def blocks(self) -> tuple[Block, ...]:
        return parse_v2(self._known, self.text)


class IncrementalV2:
    """Remembers the state of Cline's scan between chunks."""

    def __init__(self, known: Names) -> None:
        self._known = known
        self._change = _Told(self)
        self._closed: list[Block] = []
        self._call: Call | None = None
        self._param = ""
        self._run: list[str] = []  # the running text or value, as far as it is scanned
        self._body: list[str] = []  # the open call's body, for the repair
        self._tail = ""  # what may be half a tag
        self._text: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._text)

    def feed(self, chunk: str) -> _Told:
        self._text.append(chunk)
        window, self._tail = self._tail + chunk, ""
        at, end = 0, len(window)
        while at < end:
            at = self._next(window, at)
        return self._change

    def close(self, finish: Finish) -> _Told:
        return self._change

    def _next(self, window: str, start: int) -> int:
        """Read up to and over the next tag; give where to go on."""
        at = window.find("<", start)
        if at < 0:
            self._take(window[start:])
            return len(window)
        self._take(window[start:at])
        end = window.find(">", at, at + self._known.longest) + 1
        inner = window.find("<", at + 1, end or at + self._known.longest)
        if not end and inner < 0 and len(window) - at < self._known.longest:
            self._tail = window[at:]
            return len(window)
        if end and inner < 0 and self._cross(window[at:end]):
            return end
        self._take("<")
        return at + 1

    def _take(self, piece: str) -> None:
        self._run.append(piece)
        if self._call is not None:
            self._body.append(piece)

    def _cross(self, tag: str) -> bool:
        call, name = self._call, tag.strip("<>")
        if call is None:
            return self._open(tag, name)
        if self._param:
            if tag != f"</{self._param}>":
                return False
            call.params[self._param] = "".join(self._run).strip(SPACE)
            self._param = ""
        elif tag == f"</{call.name}>":
            call.repair("".join(self._body))
            self._closed.append(call.block(partial=False))
            self._call = None
        elif re.fullmatch(self._known.params, tag):
            self._param = name
        else:
            return False
        self._body.append(tag)
        self._run.clear()
        return True

    def _open(self, tag: str, name: str) -> bool:
        if not self._known.tools.fullmatch(tag):
            return False
        self._closed += _text("".join(self._run), partial=False)
        self._call = Call(name, 0)
        self._body.clear()
        self._run.clear()
        return True

    @property
    def blocks(self) -> tuple[Block, ...]:
        run = "".join(self._run) + self._tail
        if self._call is None:
            return (*self._closed, *_text(run, partial=True))
        params = dict(self._call.params)
        if self._param:
            params[self._param] = run.strip(SPACE)
        open_call = Call(self._call.name, 0, params).block(partial=True)
        return (*self._closed, open_call)


def readers(tools: Sequence[ToolSpec]) -> tuple[Reader, Reader]:
    """Make a reader of each mode."""
    known = names(tools)
    return ReparseV2(known), IncrementalV2(known)


CLINE_V2 = Dialect(
    "cline-v2", table, SHAPE, about="Cline 3 and 4, old transcripts", readers=readers
)
