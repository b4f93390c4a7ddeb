"""The one place that runs tools: known, whole, valid, allowed, run once, answered.

Law: it never raises, whatever a model wrote or a tool did; only a cancellation passes through.
What runs is what was shown when consent was given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from parsing import ToolSpec, ToolUse
from tools.advice import advice, entities
from tools.arguments import misfit, read_arguments
from tools.consent import Allow, Consent, Decision, Effect, Questions, Refuse, Request
from tools.errors import (
    BadArguments,
    FileChanged,
    NothingToChange,
    TimedOut,
    ToolError,
    UnknownTool,
)
from tools.outcome import Outcome, OutcomeKind, sound
from tools.registry import ToolSet
from tools.tool import AnyTool, Bound, Context
from tools.workspace import Workspace

Listener = Callable[[str, str], None]


class Executor:
    """Runs tool uses in a workspace.

    `on_output` hears a command's output as (call id, text).  Commands get `environment` (none:
    our own), cleaned, without the variables that hold one of `secrets`.
    """

    def __init__(
        self,
        tools: ToolSet,
        workspace: Workspace,
        consent: Consent,
        questions: Questions | None = None,
        command_timeout: float = 120.0,
        on_output: Listener | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        secrets: Collection[str] = (),
    ) -> None:
        self.tools = tools
        self.workspace = workspace
        self.consent = consent
        self._on_output = on_output
        self._context = Context(
            workspace,
            questions,
            command_timeout=command_timeout,
            environment=environment,
            secrets=secrets,
        )
        self._told: set[str] = set()

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return self.tools.specs

    def fits(self, use: ToolUse) -> bool:
        """Say whether a use could be run if it were allowed: known, whole, its arguments fit."""
        try:
            self._ready(use)
        except ToolError:
            return False
        return True

    async def execute(self, use: ToolUse, call_id: str, *, exact: bool = False) -> Outcome:
        """Run one use and tell what came of it; only CancelledError is raised.

        `exact` says that this call's values came byte for byte (native and JSON calls), without
        the newlines that a tag dialect puts around them.
        """
        try:
            outcome = await self._outcome(use, call_id, exact=exact)
        except ToolError as error:
            outcome = _failure(error)
        except Exception as error:
            outcome = _bug(use, error)
        return self._noted(use, outcome)

    async def _outcome(self, use: ToolUse, call_id: str, *, exact: bool) -> Outcome:
        tool, arguments, bound = self._ready(use)
        context = replace(self._context, exact=exact or use.exact)
        if listen := self._on_output:
            context = replace(context, on_output=partial(listen, call_id))
        shown = bound.preview(context)
        cautions = _cautions(tool, arguments, bound, context)
        asked = Request(call_id, tool.name, tool.effect, arguments, shown, cautions)
        match await self._decision(asked):
            case Refuse(words):
                return _refusal(words)
            case Allow():
                pass
        if bound.preview(context) != shown:
            raise FileChanged(
                "The file changed while consent was asked, so nothing was written. Read it again."
            )
        return await _timed(tool, bound, context)

    def _ready(self, use: ToolUse) -> tuple[AnyTool, dict[str, Any], Bound]:
        if use.partial:
            raise BadArguments(
                f"This {use.name} call was cut off before its end and was not run. Send it again, "
                "whole; if it is very long, in smaller parts."
            )
        tool = self.tools[use.name]
        spec = self.tools.spec(tool.name)
        if use.fault is not None:
            raise BadArguments(
                f"This {use.name} call is malformed and was not run: {use.fault}. Send it again."
            )
        arguments = read_arguments(use, spec)
        from pydantic import ValidationError

        try:
            return tool, arguments, tool.bind(arguments)
        except ValidationError as error:
            raise misfit(spec, arguments, error) from None

    async def _decision(self, request: Request) -> Decision:
        if request.effect is Effect.TALK:
            return Allow()
        return await self.consent.decide(request)

    def _noted(self, use: ToolUse, outcome: Outcome) -> Outcome:
        """Add what the model is to know about how it wrote the call; each thing once."""
        known = use.name in self.tools
        told = advice(use, self.tools[use.name].effect, self.tools.spec(use.name)) if known else []
        notes = [note for note in told if note not in self._told]
        self._told.update(notes)
        text = "\n".join([outcome.for_model or "(nothing to show)", *notes])
        return replace(outcome, for_model=sound(text), for_person=sound(outcome.for_person))


async def _timed(tool: AnyTool, bound: Bound, context: Context) -> Outcome:
    limit = asyncio.timeout(tool.time_limit)
    try:
        async with limit:
            return await bound.run(context)
    except TimeoutError:
        if not limit.expired():
            raise
        raise TimedOut(
            f"{tool.name} took longer than {tool.time_limit:g} s and was ended."
        ) from None


def _cautions(
    tool: AnyTool, arguments: Mapping[str, Any], bound: Bound, context: Context
) -> tuple[str, ...]:
    cautions = bound.cautions(context)
    if tool.effect is Effect.RUN and (found := entities(arguments.get("command"))):
        cautions += (f"the command holds {found} as written, not the character itself",)
    return cautions


def _refusal(words: str | None) -> Outcome:
    told = "The user refused this call; it was not run."
    if words:
        told += f"\n<feedback>\n{words}\n</feedback>"
    return Outcome(told, words or "refused", failed=True, kind=OutcomeKind.REFUSED)


def _failure(error: ToolError) -> Outcome:
    told = str(error)
    match error:
        case NothingToChange():
            return Outcome(told, told, kind=OutcomeKind.UNCHANGED)
        case UnknownTool() | BadArguments():
            kind = OutcomeKind.INVALID
        case _:
            kind = OutcomeKind.FAILED
    return Outcome(f"Error: {told}", told, failed=True, kind=kind)


def _bug(use: ToolUse, error: Exception) -> Outcome:
    told = (
        f"{use.name} broke down ({type(error).__name__}: {error}). This is a fault of the tool, "
        "not of the call; try another way."
    )
    return Outcome(f"Error: {told}", told, failed=True, kind=OutcomeKind.FAILED)
