"""The table of what differs from Cline's edits on purpose, as data and as Markdown.

`python -m tests.tools.differences` writes it into `tools/README.md`; a test holds it current.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.tools.uses import rows

README = Path(__file__).parents[2] / "tools" / "README.md"
TABLE = Path(__file__).parent / "corpus" / "differences.toml"
START, END = "<!-- differences: start -->\n", "<!-- differences: end -->\n"


def differences() -> dict[str, dict[str, Any]]:
    """Give the rows of the table by id."""
    with TABLE.open("rb") as file:
        return {row["id"]: row for row in tomllib.load(file)["row"]}


def markdown() -> str:
    """Give the table; rows that say the same of partial diffs are joined."""
    notes = {row["id"]: row for row in rows("search-replace-cline.jsonl")}
    lines = ["| case | what | Cline | here | fault | why |", "|---|---|---|---|---|---|"]
    partial: list[str] = []
    for name, row in differences().items():
        if not notes[name]["final"]:
            partial.append(name)
            continue
        theirs = _shown(notes[name]["cline_v1"])
        ours = "error" if row["ours"] == "error" else _code(row["ours"]["file"])
        cells = (name, notes[name]["note"], theirs, ours, row["fault"], row["why"])
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    if partial:
        row = differences()[partial[0]]
        what = "a diff still streaming | a preview | only shown"
        lines.append(f"| {', '.join(partial)} | {what} | {row['fault']} | {row['why']} |")
    return "\n".join(lines) + "\n"


def _shown(result: Mapping[str, Any]) -> str:
    return "error" if "error" in result else _code(result["content"])


def _code(text: str) -> str:
    return f"`{json.dumps(text, ensure_ascii=False)}`"


def readme() -> str:
    """Give the floor's README with the table as it should be."""
    before, _, rest = README.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    return before + START + markdown() + END + after


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
