"""How things look: styled lines, the colours by name, and the glyphs a terminal can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.sanitise import visible

if TYPE_CHECKING:
    from prompt_toolkit.styles import Style

Fragment = tuple[str, str]
Line = tuple[Fragment, ...]

# ANSI names only: they follow the person's own palette, on light and dark grounds alike.
_RULES = {
    "dim": "dim",
    "strong": "bold",
    "name": "bold",
    "accent": "ansicyan",
    "ok": "ansigreen",
    "bad": "ansired",
    "warn": "ansiyellow",
    "added": "ansigreen",
    "removed": "ansired",
    "hunk": "ansicyan",
    "code": "ansicyan",
    "heading": "bold",
    "reasoning": "dim italic",
    "mark": "bold ansicyan",
    "key": "bold",
    "chosen": "reverse",
    "bottom-toolbar": "noreverse",
    "search-toolbar": "",
}


def style(*, colour: bool) -> Style:
    """Make the style sheet; without colour nothing is styled at all."""
    from prompt_toolkit.styles import Style

    return Style.from_dict(_RULES if colour else {})


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs that need more than ASCII, or what stands in for them."""

    prompt: str = "❯"
    bullet: str = "•"
    ok: str = "✓"
    bad: str = "✗"
    skipped: str = "–"
    retry: str = "↻"
    bar: str = "│"
    dots: str = "…"
    dot: str = "·"
    minus: str = "−"
    spinner: str = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


ASCII = Glyphs(">", "*", "+", "x", "-", "~", "|", "...", "-", "-", "|/-\\")
UNICODE = Glyphs()


def glyphs(encoding: str | None) -> Glyphs:
    """Choose the signs that `encoding` can carry."""
    try:
        "".join(str(getattr(UNICODE, name)) for name in Glyphs.__slots__).encode(
            encoding or "ascii"
        )
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def text_of(lines: list[Line]) -> str:
    """Give the lines without their styles, each ended by a newline."""
    return "".join("".join(text for _, text in line) + "\n" for line in lines)


def shown(text: str) -> str:
    """Make untrusted text fit to be shown: nothing acts, and a tab has a width."""
    return visible(text).replace("\t", "    ")


def plain(text: str, name: str = "") -> Line:
    """Make one line of one style; `name` is a rule of the sheet, or empty."""
    return ((f"class:{name}" if name else "", text),)
