"""The tool that ends the task."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tools.consent import Effect
from tools.outcome import Outcome, OutcomeKind
from tools.tool import Context, Tool


class CompletionParameters(BaseModel):
    """What came of the task."""

    model_config = ConfigDict(frozen=True)

    result: str = Field(description="What was done, for the user. No questions, no offers.")
    command: str = Field(
        default="", description="A command that shows the result; told to the user, not run."
    )


class AttemptCompletion(Tool[CompletionParameters]):
    """Says that the task is done, and what came of it."""

    name = "attempt_completion"
    description = (
        "End the task with its result. Use it once the results of earlier tool uses show that the "
        "task is done."
    )
    effect = Effect.TALK
    Parameters = CompletionParameters

    async def run(self, params: CompletionParameters, context: Context) -> Outcome:
        shown = params.result
        if params.command:
            shown += f"\n\nTo see it: {params.command}"
        return Outcome("The task is marked as done.", shown, kind=OutcomeKind.COMPLETED)
