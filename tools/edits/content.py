"""A file's lines while blocks are applied to it, each with its own ending and its origin.

Law: a line that no block replaced keeps its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from tools.lines import alike, alike_at_end, split_lines


@dataclass(frozen=True, slots=True)
class Gone:
    """A line that a block replaced; its number in the file, 0 for one that a block had written."""

    text: str
    number: int
    block: int


class Content:
    """The running content: lines, endings, and where each line comes from.

    An origin is the line's number in the file, 0 for a new line; an owner is the last block that
    matched the line, 0 for none.
    """

    def __init__(self, text: str) -> None:
        self.texts, self.endings = split_lines(text)
        self.origins = list(range(1, len(self.texts) + 1))
        self.owners = [0] * len(self.texts)
        self.replaced: list[Gone] = []
        counts = Counter(self.endings)
        counts.pop("", None)
        self.usual = counts.most_common(1)[0][0] if counts else "\n"

    @property
    def text(self) -> str:
        return "".join(map(add, self.texts, self.endings))

    def replace(self, start: int, stop: int, lines: Sequence[str], block: int) -> None:
        """Put lines in the place of those from `start` to before `stop`.

        Lines that stay the same at both ends keep their endings and origins; new ones take the
        endings of those they replace.
        """
        old = self.texts[start:stop]
        head = alike(old, list(lines))
        tail = alike_at_end(old, list(lines), head)
        last = len(lines) - tail
        gone = slice(start + head, stop - tail)
        numbered = zip(self.texts[gone], self.origins[gone], strict=True)
        self.replaced.extend(Gone(line, number, block) for line, number in numbered)
        self._splice(start + head, stop - tail, lines[head:last])
        self.owners[start:stop] = [block] * len(lines)

    def _splice(self, start: int, stop: int, lines: Sequence[str]) -> None:
        replaced = self.endings[start:stop] or self._beside(start)
        endings = [replaced[min(i, len(replaced) - 1)] or self.usual for i in range(len(lines))]
        if lines and stop == len(self.texts):
            endings[-1] = self._last_ending(start, stop)
        self.texts[start:stop] = lines
        self.endings[start:stop] = endings
        self.origins[start:stop] = [0] * len(lines)

    def _beside(self, start: int) -> list[str]:
        return self.endings[max(start - 1, 0) : start] or self.endings[start : start + 1] or [""]

    def _last_ending(self, start: int, stop: int) -> str:
        if not self.texts:
            return self.usual
        if start == stop and not self.endings[-1]:
            self.endings[-1] = self.usual  # a line is put behind the one that ended the file
            return ""
        return self.endings[-1]
