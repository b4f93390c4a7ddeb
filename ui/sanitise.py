"""The one place where untrusted text becomes safe to show.

Law: text of a model, a tool, a file or a server never acts on the terminal.  Newline and tab
stay; every other control, escape and invisible direction mark is shown as what it is.  There is
no markup: square brackets are square brackets.
"""

from __future__ import annotations

import re

# C0 but \t \n · DEL and C1 · direction marks and isolates · line and paragraph separators ·
# annotation marks · lone surrogates · tag characters, which carry hidden ASCII.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Give the text with everything that could act on a terminal spelled out."""
    return _ACTING.sub(_spelled, text)


def one_line(text: str, width: int = 100) -> str:
    """Give the text as one safe line of at most `width` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
