"""Running the calls of one message without a model, and showing what came of each."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nanoid import generate

from agent.events import CallFinished, CallSkipped, CallStarted, ReasoningGrew, TextGrew
from parsing import Block, ReasoningBlock, TextBlock, ToolUse
from tools import (
    AllowAll,
    ByEffect,
    Executor,
    Outcome,
    OutcomeKind,
    Workspace,
    default_tools,
    heading,
)
from ui.exits import Exit
from ui.plain.consent import Nobody, PlainConsent
from ui.plain.screen import PlainScreen
from ui.sanitise import visible
from ui.terminal.styles import plain

if TYPE_CHECKING:
    from ui.plain.terminal_line import TerminalLine

NOBODY = "there is no terminal, so nobody was there to ask; --yes allows everything"
_SKIPPED = "an earlier call of the message was refused"


@dataclass(frozen=True, slots=True)
class Terms:
    """Where and how the calls are run."""

    folder: Path
    timeout_s: float
    allow_all: bool
    as_json: bool


class Execution:
    """One message's calls, run in order."""

    def __init__(self, terms: Terms, terminal: TerminalLine | None) -> None:
        self._json = terms.as_json
        self._screen = PlainScreen(sys.stderr if terms.as_json else sys.stdout)
        person = PlainConsent(self._screen, terminal) if terminal else None
        self._executor = Executor(
            default_tools(),
            Workspace(terms.folder),
            AllowAll()
            if terms.allow_all
            else ByEffect(otherwise=person or Nobody(self._screen, NOBODY)),
            person,
            command_timeout=terms.timeout_s,
        )
        self._asks = terminal is not None
        self._refused = False

    async def run(self, blocks: tuple[Block, ...]) -> int:
        """Show the text, run the calls; give the exit code."""
        codes: list[int] = []
        for index, block in enumerate(blocks):
            match block:
                case TextBlock(text):
                    self._screen.hear(TextGrew(index, f"{text}\n"))
                case ReasoningBlock(text):
                    self._screen.hear(ReasoningGrew(index, f"{text}\n"))
                case _:
                    codes.append(await self._call(block))
        if not codes:
            self._screen.say(plain("The message has no tool call.", "warn"))
            return Exit.APPROVAL
        if self._refused and not self._asks:
            print(f"tagline: {NOBODY}", file=sys.stderr)
        return max(codes)

    async def _call(self, use: ToolUse) -> int:
        call_id = generate(size=8)
        if why := _unfit(use, refused=self._refused):
            self._screen.hear(CallSkipped(call_id, use, why))
            self._tell(use, {"status": "skipped", "why": why})
            return Exit.APPROVAL if self._refused else Exit.FAILED
        self._screen.hear(CallStarted(call_id, use))
        outcome = await self._executor.execute(use, call_id)
        self._screen.hear(CallFinished(call_id, use, outcome))
        self._show(use, outcome)
        if outcome.kind is OutcomeKind.REFUSED:
            self._refused = True
            return Exit.APPROVAL
        return Exit.FAILED if outcome.failed or outcome.exit_code else Exit.DONE

    def _show(self, use: ToolUse, outcome: Outcome) -> None:
        told: dict[str, object] = {
            "status": outcome.kind.value,
            "failed": outcome.failed,
            "exit_code": outcome.exit_code,
            "diff": outcome.diff,
            "result": outcome.for_model,
        }
        self._tell(use, told)
        spoken = outcome.failed or outcome.kind is OutcomeKind.COMPLETED
        if outcome.diff is None and (outcome.exit_code is not None or not spoken):
            lines = visible(outcome.for_model).split("\n")
            self._screen.say(plain(heading(use), "dim"), *map(plain, lines))

    def _tell(self, use: ToolUse, told: dict[str, object]) -> None:
        if self._json:
            print(json.dumps({"tool": use.name, "params": dict(use.params)} | told), flush=True)


def _unfit(use: ToolUse, *, refused: bool) -> str | None:
    if refused:
        return _SKIPPED
    if use.partial:
        return "the call is cut off"
    return use.fault
