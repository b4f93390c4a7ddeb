"""One message to be read, as the doors `blocks` and `compare` are asked to read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeGuard, get_args

from parsing import Block, Finish, Options, Reader, ToolSpec, reader
from ui.doors.request import dialect_of, options_of, tools_for
from ui.doors.shapes import is_texts
from ui.doors.tool_files import tools_of
from ui.options import Mode

Ending = Literal["stop", "length", "none"]
Members = Mapping[str, Any]

CHUNK = 4  # characters fed at a time, unless told otherwise
_WORK = 8_000_000  # characters that a reparse at every chunk may read in all
_OWN_LISTS = ("cline-v2",)  # dialects that bring their lists of names with them


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read one message; its pieces are fed as they are."""

    pieces: tuple[str, ...]
    dialect: str = "cline"
    mode: Mode = "reparse"
    tools: tuple[ToolSpec, ...] | None = None
    ending: Ending = "stop"
    options: Options = field(default_factory=Options)

    def open(self, mode: Mode) -> Reader:
        """Make a reader for the message."""
        return reader(self.dialect, self.specs(), mode, options=self.options)

    def blocks(self) -> tuple[Block, ...]:
        """Read the message; raises `parsing.Divergence` when the two modes differ."""
        reading = self.open(self.mode)
        for piece in self.pieces:
            reading.feed(piece)
        if (finish := finish_of(self.ending)) is not None:
            reading.close(finish)
        return reading.blocks

    def as_json(self) -> dict[str, Any]:
        """Read the message and give what `tagline blocks` prints."""
        blocks = [block.as_json() for block in self.blocks()]
        return {"dialect": self.dialect, "mode": self.mode, "blocks": blocks}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Give the tools to read with: those told, or the agent's own."""
        if self.tools is not None:
            return self.tools
        return () if self.dialect in _OWN_LISTS else own_tools()


def reading_of(members: Members, chunk: int | None) -> Reading:
    """Make a reading of its members by name; ValueError says which one is wrong."""
    mode = members.get("mode", "reparse")
    ending = members.get("finish_reason", "stop")
    if not _is_mode(mode):
        raise ValueError(f"mode {mode!r}: expected one of {', '.join(get_args(Mode))}")
    if not _is_ending(ending):
        raise ValueError(f"finish_reason {ending!r}: expected one of {', '.join(get_args(Ending))}")
    pieces = _pieces(members, mode, chunk)
    told = tools_of(members["tools"]) if "tools" in members else None
    known = own_tools() if told is None else told
    chosen = tools_for(members, known)
    return Reading(
        pieces,
        dialect_of(members, "".join(pieces), known),
        mode,
        told if chosen == known else chosen,
        ending,
        options_of(members),
    )


@cache
def own_tools() -> tuple[ToolSpec, ...]:
    """Give the specifications of the agent's own tools."""
    from tools import default_tools

    return default_tools().specs


def pieces_of(text: str, chunk: int) -> tuple[str, ...]:
    """Cut the text into pieces of `chunk` characters."""
    return tuple(text[at : at + chunk] for at in range(0, len(text), chunk))


def checked_size(text: str) -> int:
    """Give the characters a chunk at which reading all so far at each chunk ends in seconds."""
    return max(CHUNK, len(text) ** 2 // (2 * _WORK))


def finish_of(ending: Ending) -> Finish | None:
    """Give the finish reason of that name; None for a message that has not ended."""
    return {"stop": Finish.STOP, "length": Finish.LENGTH}.get(ending)


def _pieces(members: Members, mode: Mode, chunk: int | None) -> tuple[str, ...]:
    chunks = members.get("chunks")
    if is_texts(chunks):
        return tuple(chunks)
    if chunks is not None:
        raise ValueError("`chunks` must be an array of strings")
    text = members.get("text")
    if not isinstance(text, str):
        raise ValueError("`text` must be a string")
    if mode == "reparse":
        return (text,)
    return pieces_of(text, chunk or (CHUNK if mode == "incremental" else checked_size(text)))


def _is_mode(value: object) -> TypeGuard[Mode]:
    return value in get_args(Mode)


def _is_ending(value: object) -> TypeGuard[Ending]:
    return value in get_args(Ending)
