"""What a program wrote for a terminal, as plain text for the model, piece by piece.

The law: any cutting of the output into pieces gives the same text, and what is held back between
pieces is bounded.
"""

import re

_LONGEST_SEQUENCE = 4096
_LONGEST_FRAME = 4096

_TO_LINE_START = re.compile(r"\x1b\[[01]?G|\x1b\[2K")
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    rf"|[PX^_\]][^\x07\x1b]{{0,{_LONGEST_SEQUENCE}}}(?:\x07|\x1b\\)"  # strings: titles, links
    r"|[ -/]*[0-~])?"  # two characters and charsets; a lone escape goes too
)
_BEGUN_SEQUENCE = re.compile(
    rf"\x1b(?:[PX^_\]][^\x07\x1b]{{0,{_LONGEST_SEQUENCE}}}\x1b?|\[[0-?]{{0,64}}[ -/]{{0,8}}"
    r"|[ -/]{0,8})?\Z"
)
_CONTROL = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_ANY_CONTROL = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]").search


class Escapes:
    """Takes escape sequences and control characters out; \\b \\t \\n and \\r stay."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Give what is certain of the text so far."""
        if not self._held and _ANY_CONTROL(text) is None:
            return text
        text = self._held + text
        begun = _BEGUN_SEQUENCE.search(text)
        self._held = text[begun.start() :] if begun else ""
        return _without_sequences(text[: begun.start()] if begun else text)

    def close(self) -> str:
        """Give what was held back; a sequence that never ended is not text."""
        rest, self._held = self._held, ""
        return _without_sequences(_BEGUN_SEQUENCE.sub("", rest))


class Frames:
    """Keeps of each line what a terminal would show at its end: the last frame.

    A frame longer than any progress bar is text and stays, on a line of its own.
    """

    __slots__ = ("_frame", "_returned", "_spilled")

    def __init__(self) -> None:
        self._frame = ""
        self._returned = False  # the next character begins a new frame
        self._spilled = False  # the beginning of this frame was given out already

    def feed(self, text: str) -> str:
        """Give what no later frame can overwrite."""
        if self._returned or "\r" in text or "\b" in text or "\b" in self._frame:
            lines = text.split("\n")
            done = [self._segment(line) + self._end_line() for line in lines[:-1]]
            return "".join(done) + self._segment(lines[-1])
        end = text.rfind("\n") + 1
        if end == 0:
            return self._add(text)
        done_text = self._frame + text[:end]
        self._frame, self._spilled = "", False
        return done_text + self._add(text[end:])

    def close(self) -> str:
        """Give the last line, which has no newline."""
        return self._end_line()[:-1]

    def _segment(self, segment: str) -> str:
        first, *frames = segment.split("\r")
        given = self._add(first)
        for frame in frames:
            self._returned = True
            given += self._add(frame)
        return given

    def _add(self, piece: str) -> str:
        if not piece:
            return ""
        given = ""
        if self._returned:
            given = "\n" if self._spilled else ""
            self._frame, self._returned, self._spilled = "", False, False
        self._frame += piece
        if self._spilled or len(self._frame) > _LONGEST_FRAME:
            given += self._frame.replace("\b", "")
            self._frame, self._spilled = "", True
        return given

    def _end_line(self) -> str:
        line = _rubbed_out(self._frame)
        self._frame, self._returned, self._spilled = "", False, False
        return line + "\n"


def plain(text: str) -> str:
    """Reduce a whole text."""
    escapes, frames = Escapes(), Frames()
    shown = frames.feed(escapes.feed(text)) + frames.feed(escapes.close())
    return shown + frames.close()


def _without_sequences(text: str) -> str:
    return _CONTROL.sub("", _SEQUENCE.sub("", _TO_LINE_START.sub("\r", text)))


def _rubbed_out(line: str) -> str:
    if "\b" not in line:
        return line
    kept: list[str] = []
    for character in line:
        if character != "\b":
            kept.append(character)
        elif kept:
            kept.pop()
    return "".join(kept)
