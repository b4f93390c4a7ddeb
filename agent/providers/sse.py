"""Server-sent events out of bytes, whatever the cuts between the reads.

Law: the same bytes give the same events, however they were cut. Only CR, LF and CRLF end a line
(U+2028 does not), UTF-8 is decoded after the lines are whole, comments and events without data
tell nothing: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"


# Not frozen: one is made for every token, and a frozen one takes three times as long.
@dataclass(slots=True)
class SentEvent:
    """One event; `cut` when the stream ended before the blank line that closes it."""

    name: str
    data: str
    cut: bool = False
    whole: bool = False  # not a stream: the body of an ordinary JSON answer


class _Lines:
    """Bytes cut into whole lines."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._first = True

    def feed(self, data: bytes) -> list[bytes]:
        if not data:
            return []
        if self._held and self._held[-1].endswith(b"\r"):
            data = self._held.pop() + data
        end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1
        if end == 0:
            self._held.append(data)
            return []
        ready = b"".join([*self._held, data[:end]]) if self._held else data[:end]
        self._held = [data[end:]] if end < len(data) else []
        return self._straight(ready)

    def close(self) -> list[bytes]:
        ready = b"".join(self._held)
        self._held = []
        return self._straight(ready)

    def _straight(self, lines: bytes) -> list[bytes]:
        if self._first and lines:
            lines = lines.removeprefix(_BOM)
            self._first = False
        return lines.splitlines()


class Events:
    """The events of one body as its bytes come."""

    def __init__(self) -> None:
        self._lines = _Lines()
        self._name = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[SentEvent]:
        """Take bytes; give the events that they complete."""
        return self._read(self._lines.feed(data), cut=False)

    def close(self) -> list[SentEvent]:
        """End the body; give what it ended within."""
        return self._read([*self._lines.close(), b""], cut=True)

    def _read(self, lines: list[bytes], *, cut: bool) -> list[SentEvent]:
        out: list[SentEvent] = []
        for line in lines:
            if line.startswith(b"data: "):
                self._data.append(line[6:].decode("utf-8", "replace"))
            elif not line:
                self._end(out, cut=cut)
            else:
                self._field(line, out, cut=cut)
        return out

    def _end(self, out: list[SentEvent], *, cut: bool) -> None:
        data = self._data
        if data and (joined := data[0] if len(data) == 1 else "\n".join(data)):
            out.append(SentEvent(self._name or "message", joined, cut))
        self._name, self._data = "", []

    def _field(self, line: bytes, out: list[SentEvent], *, cut: bool) -> None:
        """Take a line that is not plainly data.

        Servers break the protocol at their faults: llama.cpp wrote a field named "error", and
        others write the JSON of the error as a bare line.  Each is an event of its own.
        """
        text = line.decode("utf-8", "replace")
        name, _, value = text.partition(":")
        if text.startswith(("error:", "{", "[{")):
            self._end(out, cut=cut)
            self._name = "error" if name == "error" else ""
            self._data = [value.removeprefix(" ") if name == "error" else text]
            self._end(out, cut=cut)
        elif name == "data":
            self._data.append(value.removeprefix(" "))
        elif name == "event":
            self._name = value.removeprefix(" ")
