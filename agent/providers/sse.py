"""Server-sent events out of bytes, whatever the cuts between the reads.

Law: the same bytes give the same events, however they were cut. Only CR, LF and CRLF end a line
(U+2028 does not), UTF-8 is decoded after the lines are whole, comments and events without data
tell nothing: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"
# Servers that break the protocol at their faults: llama.cpp wrote a field named "error", and
# others write the JSON of the error as a bare line.
_ODD = ((b"error:", b"event: error\ndata:"), (b"{", b"data: {"), (b"[{", b"data: [{"))


@dataclass(frozen=True, slots=True)
class SentEvent:
    """One event; `cut` when the stream ended before the blank line that closes it."""

    name: str
    data: str
    cut: bool = False
    whole: bool = False  # not a stream: the body of an ordinary JSON answer


class _Lines:
    """Bytes cut into whole lines, line ends kept."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._first = True

    def feed(self, data: bytes) -> bytes:
        if not data:
            return b""
        if self._held and self._held[-1].endswith(b"\r"):
            data = self._held.pop() + data
        end = max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1
        if end == 0:
            self._held.append(data)
            return b""
        ready = b"".join([*self._held, data[:end]])
        self._held = [data[end:]] if end < len(data) else []
        return self._straight(ready)

    def close(self) -> bytes:
        ready = b"".join(self._held)
        self._held = []
        return self._straight(ready) + b"\n\n"

    def _straight(self, lines: bytes) -> bytes:
        if self._first and lines:
            lines = lines.removeprefix(_BOM)
            self._first = False
        return b"".join(_straightened(line) for line in lines.splitlines(keepends=True))


def _straightened(line: bytes) -> bytes:
    for odd, right in _ODD:
        if line.startswith(odd):
            # an event of its own; two ends, because a CR before them makes one of the first
            return b"\n\n" + right + line.removeprefix(odd) + b"\n\n"
    return line


async def sent_events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[SentEvent, None]:
    """Read the events of a body; whatever `chunks` raises passes through."""
    import httpx
    import httpx_sse

    ended = False

    async def lines() -> AsyncIterator[bytes]:
        nonlocal ended
        cutter = _Lines()
        async for chunk in chunks:
            if ready := cutter.feed(chunk):
                yield ready
        ended = True
        yield cutter.close()

    # A response of our own: the server's may lack the content type, or name another charset.
    body = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=lines())
    async with aclosing(httpx_sse.EventSource(body).aiter_sse()) as events:
        async for event in events:
            if event.data:
                yield SentEvent(event.event, event.data, cut=ended)
