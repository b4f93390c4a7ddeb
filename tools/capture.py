"""An output of any length in bounded memory: its head, its tail, and how much lies between."""

_LINE_WITHIN = 1024


class Capture:
    """Holds the first and the last bytes of what it is fed."""

    __slots__ = ("_head", "_head_limit", "_tail", "_tail_limit", "_total")

    def __init__(self, head: int, tail: int) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._head_limit = head
        self._tail_limit = tail
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        self._total += len(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if len(data) >= self._tail_limit:
            self._tail[:] = data[len(data) - self._tail_limit :]
            return
        self._tail += data
        if len(self._tail) > 2 * self._tail_limit:
            del self._tail[: -self._tail_limit]

    @property
    def text(self) -> str:
        """All of it, or head and tail around a note that says how many bytes are not shown."""
        return self.read()[0]

    def read(self) -> tuple[str, int]:
        """Give the text and the number of bytes left out of it, cut where lines end if near."""
        if self._total <= len(self._head) + min(len(self._tail), self._tail_limit):
            return bytes(self._head + self._tail).decode("utf-8", "replace"), 0
        head = _cut_end(bytes(self._head))
        tail = _cut_start(bytes(self._tail[-self._tail_limit :]))
        omitted = self._total - len(head) - len(tail)
        note = f"... {omitted} bytes omitted ..."
        joined = (head.decode("utf-8", "replace"), note, tail.decode("utf-8", "replace"))
        return "\n".join(part.removesuffix("\n") for part in joined[:2]) + "\n" + joined[2], omitted


def _cut_end(data: bytes) -> bytes:
    line_end = data.rfind(b"\n", max(0, len(data) - _LINE_WITHIN))
    if line_end >= 0:
        return data[: line_end + 1]
    lead = len(data)
    while lead > 0 and data[lead - 1] & 0xC0 == 0x80 and len(data) - lead < 3:
        lead -= 1
    cut_short = lead > 0 and data[lead - 1] >= 0xC0
    return data[: lead - 1] if cut_short else data


def _cut_start(data: bytes) -> bytes:
    line_end = data.find(b"\n", 0, _LINE_WITHIN)
    if line_end >= 0:
        return data[line_end + 1 :]
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]
