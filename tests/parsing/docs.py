"""Writes what is generated into `parsing/README.md`: `python -m tests.parsing.docs --write`.

`--check` says whether it is current.  The table of differences is computed from
`corpus/differences.toml`, the state diagram from the table of the dialect `cline`.
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
from parsing import Block, Options, ReasoningBlock, TextBlock, ToolSpec, ToolUse, dialect, parse
from parsing.table import Edge, Follow, When
from tests.parsing.cases import CORPUS, FINISH, tools

README = Path(parsing.__file__).parent / "README.md"
SAMPLE = ToolSpec(
    "tool",
    "",
    {"properties": {kind: {"x-kind": kind} for kind in ("line", "free", "body")}},
)


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
            return f"text {_code(json.dumps(block.content, ensure_ascii=False))}{state}"
        case ReasoningBlock():
            return f"reasoning {_code(json.dumps(block.reasoning, ensure_ascii=False))}{state}"
        case ToolUse():
            call = block.name + json.dumps(dict(block.params), ensure_ascii=False)
            notes = ["fault"] * (block.fault is not None) + ["repaired"] * bool(block.repaired)
            return _code(call) + state + "".join(f" ({note})" for note in notes)


def _code(text: str) -> str:
    visible = "".join(
        one if one.isprintable() else f"\\u{ord(one):04x}" for one in text.replace("\n", "⏎")
    )
    ticks = "``" if "`" in visible else "`"
    gap = " " if "`" in visible else ""
    return ticks + gap + visible.replace("|", "\\|") + gap + ticks


def differences() -> str:
    """Draw the table of differences."""
    lines = [
        "| what | message | `cline` | `cline-v2` | why |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows():
        one, two = readings(row)
        message = _code(row["text"])
        lines.append(f"| {row['what']} | {message} | {one} | {two} | {row['why']} |")
    return "\n".join(lines)


def diagram() -> str:
    """Draw the modes of `cline` for one tool with a parameter of each kind."""
    table = dialect("cline").table((SAMPLE,), Options())
    ids = {name: name.replace(" ", "_") for name in table.modes}
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {ids[table.start]}"]
    lines += [f'    state "{name}" as {ids[name]}' for name in ids if name != ids[name]]
    for name, mode in table.modes.items():
        for tag, edge in mode.edges.items():
            lines.append(f"    {ids[name]} --> {ids[edge.to]} : {_label(tag, edge)}")
    return "\n".join([*lines, "```"])


def _label(tag: str, edge: Edge) -> str:
    said = [_escaped(tag), edge.act.name.lower().replace("_", " ")]
    if edge.line_start:
        said.append("at a line start")
    if edge.unquoted:
        said.append("not between backticks")
    if edge.follow is not None:
        said.append(f"if {_followed(edge.follow)} follows")
    return ", ".join(said)


def _followed(follow: Follow) -> str:
    words = {When.ALWAYS: "", When.LINE_START: " at a line start", When.NOT_GIVEN: " not yet given"}
    told = ["any tag"] * follow.any_tag
    told += [_escaped(tag) + words[when] for tag, when in follow.tags.items()]
    return " or ".join([*told, *["the end"] * follow.end])


def _escaped(tag: str) -> str:
    return tag.replace("<", "#lt;").replace(">", "#gt;")


def drawn(text: str) -> str:
    """Give the README's text with what is generated made anew."""
    for name, made in (("differences", differences()), ("diagram", diagram())):
        begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"{README.name}: the marks of {name!r} are missing")
        text = head + begin + made + end + tail
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    old = README.read_text("utf-8")
    new = drawn(old)
    if options.write:
        README.write_text(new, "utf-8")
    elif old != new:
        print(f"{README.name} is not current: python -m tests.parsing.docs --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
