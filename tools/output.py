"""The output of a running command: for the model bounded and plain, for the screen live.

The law: memory does not grow with the output, and the screen is told at its own rate.
"""

import asyncio
import codecs
from collections.abc import Callable

from tools.capture import Capture
from tools.plain import Escapes, Frames

HEAD_BYTES = 12_000
TAIL_BYTES = 20_000
_TELL_EVERY_S = 0.05
_TOLD_AT_ONCE = 8_192


class Live:
    """Tells a listener what came since it was told last, a bounded piece at a bounded rate."""

    __slots__ = ("_listener", "_skipped", "_timer", "_waiting")

    def __init__(self, listener: Callable[[str], None]) -> None:
        self._listener = listener
        self._waiting = ""
        self._skipped = 0
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, text: str) -> None:
        """Take text; it is told a moment later, with what comes until then."""
        if not text:
            return
        self._waiting += text
        too_many = len(self._waiting) - _TOLD_AT_ONCE
        if too_many > 0:
            self._waiting = self._waiting[too_many:]
            self._skipped += too_many
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_TELL_EVERY_S, self.flush)

    def flush(self) -> None:
        """Tell at once what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        skipped = f"\n... {self._skipped} characters not shown ...\n" if self._skipped else ""
        text, self._waiting, self._skipped = skipped + self._waiting, "", 0
        self._listener(text)


class Output:
    """Bytes of one command, decoded once and handed to the capture and the screen."""

    __slots__ = ("_capture", "_decoder", "_escapes", "_frames", "_live")

    def __init__(self, on_output: Callable[[str], None] | None) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escapes = Escapes()
        self._frames = Frames()
        self._capture = Capture(HEAD_BYTES, TAIL_BYTES)
        self._live = Live(on_output) if on_output else None

    def feed(self, data: bytes) -> None:
        """Take the next bytes, wherever they were cut."""
        self._take(self._escapes.feed(self._decoder.decode(data)))

    def close(self) -> tuple[str, int]:
        """Give the text for the model and how many bytes of it were left out."""
        self._take(self._escapes.feed(self._decoder.decode(b"", True)) + self._escapes.close())
        self._capture.feed(self._frames.close().encode())
        if self._live is not None:
            self._live.flush()
        return self._capture.read()

    def _take(self, text: str) -> None:
        self._capture.feed(self._frames.feed(text).encode())
        if self._live is not None:
            self._live.feed(text)
