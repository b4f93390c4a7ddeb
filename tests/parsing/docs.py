"""Writes what is generated into the READMEs: `python -m tests.parsing.docs --write`.

`--check` says whether it is current.  The table of differences is computed from
`corpus/differences.toml`; the dialects, the decisions and the state diagrams from the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import parsing
from parsing import Block, ReasoningBlock, TextBlock, ToolUse, parse
from tests.parsing.cases import CORPUS, FINISH, tools
from tests.parsing.docs_dialects import code, decisions_table, diagrams, dialects_table

README = Path(parsing.__file__).parent / "README.md"
FRONT = README.parent.parent / "README.md"


def rows() -> Sequence[Mapping[str, Any]]:
    """Give the rows of the table of differences."""
    found: Sequence[Mapping[str, Any]] = tomllib.loads(
        (CORPUS / "differences.toml").read_text("utf-8")
    )["row"]
    return found


def readings(row: Mapping[str, Any]) -> tuple[str, str]:
    """Give what `cline` and `cline-v2` read in a row's message."""
    finish = FINISH[row.get("finish", "stop")]
    one = parse(row["text"], "cline", tools(), finish=finish)
    two = parse(row["text"], "cline-v2", (), finish=finish)
    return _told(one), _told(two)


def _told(blocks: Sequence[Block]) -> str:
    return " · ".join(map(_said, blocks)) or "nothing"


def _said(block: Block) -> str:
    state = " …" if block.partial else ""
    match block:
        case TextBlock():
            return f"text {code(json.dumps(block.content, ensure_ascii=False))}{state}"
        case ReasoningBlock():
            return f"reasoning {code(json.dumps(block.reasoning, ensure_ascii=False))}{state}"
        case ToolUse():
            call = block.name + json.dumps(dict(block.params), ensure_ascii=False)
            notes = ["fault"] * (block.fault is not None) + ["repaired"] * bool(block.repaired)
            return code(call) + state + "".join(f" ({note})" for note in notes)


def differences() -> str:
    """Draw the table of differences."""
    lines = [
        "| what | message | `cline` | `cline-v2` | why |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows():
        one, two = readings(row)
        message = code(row["text"])
        lines.append(f"| {row['what']} | {message} | {one} | {two} | {row['why']} |")
    return "\n".join(lines)


def generated() -> dict[Path, dict[str, str]]:
    """Give what is generated, by file and by name of its place there."""
    return {
        README: {
            "differences": differences(),
            "diagrams": diagrams(),
            "decisions": decisions_table(),
        },
        FRONT: {"dialects": dialects_table()},
    }


def drawn(path: Path, parts: Mapping[str, str]) -> str:
    """Give a file's text with what is generated made anew."""
    text = path.read_text("utf-8")
    for name, made in parts.items():
        begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"{path.name}: the marks of {name!r} are missing")
        text = head + begin + made + end + tail
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = 0
    for path, parts in generated().items():
        new = drawn(path, parts)
        if options.write:
            path.write_text(new, "utf-8")
        elif new != path.read_text("utf-8"):
            print(f"{path} is not current: python -m tests.parsing.docs --write")
            stale += 1
    return min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
