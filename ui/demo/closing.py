"""The end of the demo: what really happened, and what to try next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ui.demo.project import Tests
from ui.terminal.styles import Line, plain


@dataclass(frozen=True, slots=True)
class Closing:
    """What came of the demo."""

    ended: bool
    why: str
    before: str
    after: Tests
    changed: tuple[str, ...]
    chunks: int
    divergences: int
    session: str

    @property
    def good(self) -> bool:
        """Claim that the demo showed what it promises."""
        return self.ended and self.after.green and not self.divergences


def closing_lines(closing: Closing, kept: Path | None) -> list[Line]:
    """Say it in a few lines."""
    return [*_happened(closing, kept), plain(""), *_next(closing.session)]


def _happened(closing: Closing, kept: Path | None) -> Iterator[Line]:
    yield plain("What happened", "heading")
    yield _row("tests", f"{closing.before} → {closing.after}", good=closing.after.green)
    yield _row("files changed", ", ".join(closing.changed) or "none", good=bool(closing.changed))
    differ = f"{closing.divergences} differences" if closing.divergences else "no difference"
    parsed = f"{closing.chunks} chunks, read in both modes at once: {differ}"
    yield _row("parser", parsed, good=not closing.divergences)
    if kept is not None:
        yield _row("folder", f"kept: {kept}")
    if not closing.ended:
        yield _row("the run", closing.why, good=False)


def _next(session: str) -> Iterator[Line]:
    yield plain("What to try next", "heading")
    yield _row("your model", "tagline --base-url http://localhost:8080/v1   in a folder of yours")
    yield _row("no screen", 'tagline -p "what does this project do?"')
    yield _row("this session", f"tagline sessions show {session}")
    yield _row("all the rest", "tagline --help")


def _row(name: str, words: str, *, good: bool | None = None) -> Line:
    style = {None: "", True: "class:ok", False: "class:bad"}[good]
    return (("class:dim", f"  {name:<14} "), (style, words))
