"""One page, without a network, in which a person moves through the chunks.

Law: what is shown of a message is data, never markup: it stands in the page as JSON in which no
tag can begin, and only the page's own script and style may act.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from ui import VERSION
from ui.compare.comparison import Comparison
from ui.compare.report import words
from ui.compare.run import Results
from ui.compare.totals import all_of

_SCRIPTS = ("steps.js", "blocks.js", "plot.js", "page.js")
_MESSAGES = 500
_SIZE = 24_000_000  # characters of JSON that a browser still opens at once


def page(results: Results, against: str) -> str:
    """Make the page of what was compared."""
    style = _read("page.css")
    script = "\n".join(_read(name) for name in _SCRIPTS)
    shown, left = _chosen(results.comparisons)
    diverged = sum(not found.agrees for found in results.comparisons)
    data = {"against": against, "left": left, "messages": shown}
    parts = {
        "POLICY": escape(_policy(script, style)),
        "STYLE": style,
        "SCRIPT": script,
        "VERSION": escape(VERSION),
        "STATE": "differ" if diverged else "agree",
        "VERDICT": escape(_verdict(results, diverged)),
        "WORDS": escape(words(results, against)),
        "DATA": _data(data),
    }
    return _filled(_read("page.html"), parts)


def _verdict(results: Results, diverged: int) -> str:
    total = all_of(results.comparisons)
    several = "1 message" if total.messages == 1 else f"{total.messages:,} messages"
    part = f" of {results.asked:,} (interrupted)" if results.ended is not None else ""
    if diverged:
        return f"The two modes differ in {diverged:,} of {several}{part}"
    return f"The two modes agree: {several}{part}, compared {total.compared:,} times"


def _chosen(comparisons: Sequence[Comparison]) -> tuple[list[dict[str, Any]], int]:
    """Give the messages that fit into a page, those that differ first, and how many do not."""
    ranked = sorted(enumerate(comparisons), key=lambda one: (_rank(one[1]), one[0]))
    chosen: list[tuple[int, dict[str, Any]]] = []
    size = 0
    for order, found in ranked[:_MESSAGES]:
        told = _told(found)
        size += len(json.dumps(told))
        if size > _SIZE and chosen:
            break
        chosen.append((order, told))
    shown = [told for _, told in sorted(chosen, key=lambda one: one[0])]
    return shown, len(comparisons) - len(shown)


def _rank(found: Comparison) -> int:
    if not found.agrees:
        return 0
    return 1 if found.faults else 2 if found.against else 3


def _told(found: Comparison) -> dict[str, Any]:
    return {
        "source": found.source,
        "number": found.number,
        "dialect": found.dialect,
        "text": found.text,
        "cut": found.cut,
        "agree": found.agrees,
        "faults": found.faults,
        "against": [decision.what for decision in found.against],
        "times": list(found.times),
        **(found.story or {}),
    }


def _data(data: dict[str, Any]) -> str:
    """Write JSON that holds no tag and no character that acts: all but plain ASCII is escaped."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for acting, harmless in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(acting, harmless)
    return text.replace("\x7f", "\\u007f")


def _policy(script: str, style: str) -> str:
    """Forbid everything but this script and this style."""
    sums = [b64encode(sha256(part.encode()).digest()).decode() for part in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{sums[0]}'; style-src 'sha256-{sums[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    return (files("ui.compare") / "page" / name).read_text("utf-8")


def _filled(template: str, parts: dict[str, str]) -> str:
    """Fill the places of a template; what is filled in is not looked at again."""
    pieces = template.split("@@")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))
