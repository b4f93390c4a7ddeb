"""What the tables of the dialects say, as Markdown: one row a dialect, decisions, diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from parsing import Options, ToolSpec, dialect, dialect_aliases, dialect_names
from parsing.marks import Mark
from parsing.pieces import THINKS
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, When

WEATHER = ToolSpec(
    "get_weather",
    "",
    {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
)
CALL = ("get_weather", {"city": "Paris", "days": 3})
KINDS = ToolSpec(
    "tool",
    "",
    {"properties": {kind: {"x-kind": kind} for kind in ("line", "free", "body")}},
)
DRAWN = ("cline", "hermes", "qwen3_coder", "glm45", "dsml", "kimi_k2", "harmony", "pythonic")
_OPENING = (Act.OPEN_CALL, Act.GO, Act.WHOLE_CALL)
_ALWAYS = tuple(opens for opens, _ in THINKS)
_CLOSING = (Act.CLOSE_VALUE, Act.STEP_VALUE)
_WHEN = {When.ALWAYS: "", When.LINE_START: " at a line start", When.NOT_GIVEN: " not yet given"}


def names() -> Sequence[str]:
    """Give the names of the dialects that have calls and a table."""
    return [n for n in dialect_names() if n != "none" and dialect(n).readers is None]


def dialects_table() -> str:
    """Draw the table of dialects: who writes it, and a call as they do."""
    lines = ["| dialect | written by | a call | also called |", "| --- | --- | --- | --- |"]
    called = dialect_aliases()
    for name in [n for n in dialect_names() if n != "none"]:
        found = dialect(name)
        known = ", ".join(f"`{alias}`" for alias in called.get(name, ())) or "–"
        call = code(found.shape.spell(*CALL))
        lines.append(f"| `{name}` | {found.about} | {call} | {known} |")
    return "\n".join(lines)


def decisions_table() -> str:
    """Draw what each table decides in the agent's profile."""
    lines = [
        "| dialect | a call opens at | a value ends at | whole without its end | reasoning |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in names():
        table = _table(dialect(name), WEATHER)
        columns = (_opens(table), _ends(table), _whole(table), _reasoning(table))
        lines.append(f"| `{name}` | {' | '.join(columns)} |")
    return "\n".join(lines)


def diagrams() -> str:
    """Draw the modes of one dialect of each kind."""
    drawn = [f"### `{name}`\n\n{diagram(name)}" for name in DRAWN]
    return "\n\n".join(drawn)


def diagram(name: str) -> str:
    """Draw the modes of a dialect for one tool."""
    table = _table(dialect(name), KINDS)
    ids = {mode: mode.replace(" ", "_") for mode in table.modes}
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {ids[table.start]}"]
    lines += [f'    state "{mode}" as {ids[mode]}' for mode in ids if mode != ids[mode]]
    for mode, made in table.modes.items():
        for mark, edge in made.edges.items():
            to = table.text if edge.to == BACK else ids[edge.to]
            lines.append(f"    {ids[mode]} --> {to} : {label(mark, edge)}")
    return "\n".join([*lines, "```"])


def label(mark: Mark, edge: Edge) -> str:
    """Say what a mark does in a diagram."""
    return ", ".join([escaped(mark), edge.act.name.lower().replace("_", " "), *_conditions(edge)])


def _table(found: Dialect, tool: ToolSpec) -> Table:
    return found.table((tool,), Options(starts_in_reasoning=False))


def _conditions(edge: Edge) -> list[str]:
    told: list[str] = []
    told += ["at a line start"] * edge.line_start
    told += ["at the start"] * edge.at_start
    told += ["after a call"] * edge.after_call
    told += ["not between backticks"] * edge.unquoted
    told += ["if declared"] * edge.declared
    told += ["if declared and not yet given"] * edge.fresh
    return told + ([f"if {followed(edge.follow)} follows"] if edge.follow is not None else [])


def followed(follow: Follow) -> str:
    """Say what must follow a mark."""
    told = ["any tag"] * follow.any_tag
    told += [escaped(tag) + _WHEN[when] for tag, when in follow.tags.items()]
    told += [escaped(mark) for mark in follow.marks]
    told += ["the end"] * follow.end + ["the end of a message that was not cut"] * follow.stop
    return " or ".join(told)


def _rows(edges: Iterable[tuple[Mark, Edge]]) -> str:
    rows = [" ".join([code(str(mark)), *_conditions(edge)]) for mark, edge in edges]
    return "<br>".join(dict.fromkeys(_visible(row) for row in rows)) or "–"


def _opens(table: Table) -> str:
    edges = table.modes[table.text].edges.items()
    return _rows((mark, edge) for mark, edge in edges if edge.act in _OPENING)


def _ends(table: Table) -> str:
    values = [mode for mode in table.modes.values() if mode.slot is Slot.VALUE]
    edges = [(mark, edge) for mode in values for mark, edge in mode.edges.items()]
    ends = [(mark, edge) for mark, edge in edges if edge.act in _CLOSING]
    return _rows(ends) if ends else "the JSON value's own end"


def _whole(table: Table) -> str:
    if any(mode.whole for mode in table.modes.values()):
        return "where its JSON or its values ended"
    gaps: Mapping[str, Mode] = {n: m for n, m in table.modes.items() if m.slot is Slot.GAP}
    return "after a normal stop, with all required values" if gaps else "it ends by itself"


def _reasoning(table: Table) -> str:
    edges = table.modes[table.text].edges.items()
    own = [(m, e) for m, e in edges if e.act is Act.OPEN_REASONING and m not in _ALWAYS]
    return _rows(own)


def _visible(text: str) -> str:
    for entity in ("lt", "gt", "quot"):
        text = text.replace(f"#{entity};", f"&{entity};")
    return text.replace("#124;", "&#124;").replace("#96;", "&#96;")


def code(text: str) -> str:
    """Write text as code in a table's cell."""
    visible = "".join(
        one if one.isprintable() else f"\\u{ord(one):04x}" for one in text.replace("\n", "⏎")
    )
    longest = max((len(run) for run in _runs(visible)), default=0)
    ticks, gap = "`" * (longest + 1), " " if longest else ""
    return ticks + gap + visible.replace("|", "\\|") + gap + ticks


def _runs(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split() if run]


def escaped(mark: Mark) -> str:
    """Write a mark so that neither Markdown nor a diagram reads it."""
    text = str(mark).replace("<", "#lt;").replace(">", "#gt;").replace("|", "#124;")
    return text.replace("\n", "⏎").replace("`", "#96;").replace('"', "#quot;")
