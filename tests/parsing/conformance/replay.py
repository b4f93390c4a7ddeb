"""Replays the fixtures of `canitoolcall` through the readers, as a server streams them.

There is no tokenizer here: a family's markers stand in for special tokens, and any other text comes
in tokens of at most four characters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from canitoolcall.checks import run_checks
from canitoolcall.chunking import DEFAULT_STRATEGIES, ChunkStrategy, split
from canitoolcall.fixtures import Family, Fixture, load_families, load_fixtures
from canitoolcall.results import (
    CheckResult,
    Observation,
    ParsedToolCall,
    ParseResult,
    Status,
    worst_status,
)

from parsing import (
    Finish,
    Mode,
    Options,
    ToolSpec,
    ToolUse,
    dialect_names,
    reader,
    specs_from_openai,
)
from tests.parsing.told import hear

HERE = Path(__file__).parent
STRATEGIES = (*DEFAULT_STRATEGIES, ChunkStrategy("char"), ChunkStrategy("char", seed=7))
MANY = 300
THINKING = re.compile(r"(?:<think>|<\|open\|>think<\|sep\|>)\s*")  # a reasoning left open


@dataclass(frozen=True)
class Model:
    """How a model's output is read."""

    dialect: str
    reasoning: bool


@dataclass(frozen=True)
class Verdict:
    """What the checks say of one fixture, and the exceptions, of which there must be none."""

    rows: tuple[CheckResult, ...]
    raised: tuple[str, ...]

    @property
    def status(self) -> Status:
        rows = worst_status(row.status for row in self.rows)
        return Status.FAIL if self.raised else rows

    def of(self, strategy: str) -> Status:
        return worst_status(row.status for row in self.rows if row.strategy in {strategy, "*"})

    @property
    def failures(self) -> list[str]:
        """What failed, and in which ways to cut."""
        ways: dict[tuple[str, str | None], list[str]] = {}
        for row in self.rows:
            if row.status in {Status.FAIL, Status.ERROR}:
                ways.setdefault((row.check, row.detail), []).append(row.strategy)
        told = (f"{check} ({' '.join(ways)}): {what}" for (check, what), ways in ways.items())
        return [*self.raised, *told]


@cache
def _rows() -> tuple[tuple[str, Model], ...]:
    table = tomllib.loads((HERE / "models.toml").read_text("utf-8"))["row"]
    return tuple((row["model"], Model(row["dialect"], row["reasoning"])) for row in table)


def model_of(fixture: Fixture) -> Model:
    return next(m for prefix, m in _rows() if fixture.reference_model.startswith(prefix))


@cache
def families() -> dict[str, Family]:
    return load_families()


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Give the fixtures whose dialect there is."""
    known = set(dialect_names())
    return tuple(one for one in load_fixtures() if model_of(one).dialect in known)


@cache
def tools_of(name: str) -> tuple[ToolSpec, ...]:
    """Give the tools of a fixture, the same for all its readings: they are compiled once."""
    tools = next(fixture.tools for fixture in fixtures() if fixture.id == name)
    return specs_from_openai([dict(tool) for tool in tools])


def options_of(fixture: Fixture) -> Options:
    prompt = fixture.generation_prompt
    if prompt is None:
        reference = families()[fixture.family].reference_for(fixture.reference_model)
        prompt = (reference and reference.default_generation_prompt) or ""
    opened = [*THINKING.finditer(prompt)]
    return Options(
        "serving",
        starts_in_reasoning=bool(opened) and opened[-1].end() == len(prompt),
        reasoning=model_of(fixture).reasoning,
    )


def tokens(text: str, markers: Sequence[str]) -> list[str]:
    special = "|".join(map(re.escape, sorted(markers, key=len, reverse=True)))
    parts = re.split(f"({special})", text)
    return [
        token
        for place, part in enumerate(parts)
        for token in ([part] if place % 2 else re.findall(r"(?s).{1,4}", part))
    ]


def chunks_of(fixture: Fixture, strategy: ChunkStrategy) -> list[str]:
    markers = families()[fixture.family].markers
    units = (
        [*fixture.raw_output] if strategy.kind == "char" else tokens(fixture.raw_output, markers)
    )
    return ["".join(group) for group in split(units, strategy, set(markers))]


def parsed(fixture: Fixture, chunks: Sequence[str], mode: Mode) -> ParseResult:
    """Read the chunks; only complete calls without a fault are calls."""
    finish = Finish.LENGTH if fixture.truncated else Finish.STOP
    message = reader(
        model_of(fixture).dialect, tools_of(fixture.id), mode, options=options_of(fixture)
    )
    told = hear(message, chunks, finish)
    return ParseResult(
        told.joined("text") or None,
        told.joined("reasoning") or None,
        tuple(
            ParsedToolCall(heard.name, heard.text)
            for heard, block in zip(told.blocks, message.blocks, strict=True)
            if isinstance(block, ToolUse) and not block.partial and block.fault is None
        ),
    )


def judged(fixture: Fixture, mode: Mode) -> Verdict:
    """Replay one fixture, whole and under every chunking."""
    raised: list[str] = []

    def result(label: str, chunks: Sequence[str]) -> ParseResult:
        dear = len(chunks) > MANY  # a reparse at each: the cross-check takes the square of it
        try:
            return parsed(fixture, chunks, "incremental" if dear else mode)
        except Exception as error:
            raised.append(f"{mode} {label}: {type(error).__name__}: {error}")
            return ParseResult(exception=type(error).__name__)

    whole = result("nonstream", [fixture.raw_output])
    streams = {one.id: result(one.id, chunks_of(fixture, one)) for one in STRATEGIES}
    rows = run_checks(fixture, families()[fixture.family], Observation(whole, streams))
    return Verdict(tuple(rows), tuple(raised))
