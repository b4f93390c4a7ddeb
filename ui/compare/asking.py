"""What a person asked of `tagline compare`, from the command line to the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parsing import GrammarError, UnknownDialect, canonical_name, dialect_names
from ui.compare.cuts import Cutting
from ui.compare.message import Message
from ui.compare.page import page
from ui.compare.report import as_json, words
from ui.compare.run import Part, Results, run
from ui.compare.sources import Form, gather, told_left_out
from ui.compare.work import Terms, parts_of
from ui.doors.tool_files import json_of_file, tools_of
from ui.exits import Complaint, Exit
from ui.sanitise import visible


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line, by name."""

    names: tuple[str, ...]
    dialect: str
    against: str | None
    chunk: int | str | None
    every_cut: bool
    seed: int | None
    form: Form
    session: str | None
    fuzz: int | None
    tools: str | None
    finish_reason: str
    profile: str
    starts_in_reasoning: bool
    jobs: int
    as_json: bool
    html: str | None

    @property
    def cutting(self) -> Cutting:
        """How to cut; raises Complaint for what does not go together."""
        if self.every_cut and self.chunk is not None:
            raise Complaint("found both --every-cut and --chunk, expected one of them")
        if self.seed is not None and self.chunk != "random" and self.fuzz is None:
            raise Complaint("found --seed, which goes with --chunk random and --fuzz only")
        if self.fuzz is not None and (self.names or self.chunk or self.every_cut or self.against):
            raise Complaint("found --fuzz with messages, cuts or --against; it makes its own")
        if self.every_cut:
            return Cutting("every-cut")
        match self.chunk:
            case int():
                return Cutting("fixed", self.chunk)
            case "random":
                return Cutting("random", seed=self.seed or 0)
            case "recorded":
                return Cutting("recorded")
            case _:
                return Cutting()

    @property
    def terms(self) -> Terms:
        """What is asked of every message; raises Complaint for what is wrong with it."""
        options: dict[str, Any] = {"finish_reason": self.finish_reason, "profile": self.profile}
        if self.starts_in_reasoning:
            options["starts_in_reasoning"] = True
        tools: object = json_of_file(self.tools) if self.tools else None
        with _said():
            if self.tools:
                tools_of(tools)
            against = canonical_name(self.against) if self.against else ""
        told = json.dumps(tools) if self.tools else ""
        return Terms(options, self.cutting, told, against, self.html is not None)

    @property
    def dialects(self) -> tuple[str, ...]:
        """The dialects to read messages in that say none themselves."""
        if self.dialect == "all":
            return tuple(name for name in dialect_names() if name != "none")
        return (self.dialect,)


def answer(asked: Asked) -> int:
    """Compare what was asked and show it; gives the exit code.

    Raises Complaint, and `agent.errors.SessionError`; what interrupted the work is raised again
    once what was done is shown.
    """
    with _said():
        parts, left_out = _parts(asked)
        results = run(parts, asked.jobs)
    against = asked.terms.against
    if asked.html is not None:
        _write(asked.html, page(results, against))
    if asked.as_json:
        print(json.dumps(as_json(results, left_out, against, wanting=asked.fuzz is not None)))
    else:
        print(words(results, against))
    if results.ended is not None:
        _tell_of_end(results)
        raise results.ended
    return Exit.FAILED if any(not found.agrees for found in results.comparisons) else Exit.DONE


def _parts(asked: Asked) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Give the work, and what was left out of it."""
    terms = asked.terms
    if asked.fuzz is not None:
        from ui.compare.fuzz import seeds

        names = tuple(map(canonical_name, asked.dialects))
        grown = seeds(asked.fuzz, asked.seed or 0, names, storied=asked.html is not None)
        return tuple(grown), ()
    messages, left_out = _messages(asked)
    for line in told_left_out(left_out):
        print(f"tagline: {visible(line)}", file=sys.stderr)
    if not messages:
        raise Complaint("found no message of an assistant, expected at least one (see --help)")
    if asked.chunk == "recorded" and not any(message.chunks for message in messages):
        raise Complaint("found no recorded chunks, expected `chunks` in the input, or --chunk N")
    return tuple(parts_of(messages, asked.dialects, terms)), left_out


def _messages(asked: Asked) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    found, left_out = gather(asked.names, asked.form)
    if asked.session is not None:
        from ui.compare.recorded import recorded

        found = (*found, *recorded(asked.session))
    return found, left_out


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        raise Complaint(f"cannot write {path}: {error.strerror or error}") from error


def _tell_of_end(results: Results) -> None:
    sys.stdout.flush()
    done = f"{len(results.comparisons):,} of {results.asked:,} messages"
    print(f"tagline: interrupted; {done} were compared and are shown", file=sys.stderr)


@contextmanager
def _said() -> Generator[None]:
    """Turn what is wrong with a message, a dialect or the tools into a complaint."""
    try:
        yield
    except (ValueError, UnknownDialect, GrammarError) as error:
        raise Complaint(str(error)) from error
