"""The tool that asks the person a question."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tools.consent import Effect
from tools.errors import NobodyThere
from tools.outcome import Outcome, OutcomeKind
from tools.tool import Context, Tool


class QuestionParameters(BaseModel):
    """What to ask."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1, description="One clear question.")
    options: list[str] = Field(
        default=[], description='Two to five answers to choose from, as a JSON array: ["a", "b"].'
    )


class AskFollowupQuestion(Tool[QuestionParameters]):
    """Waits for a person's answer."""

    name = "ask_followup_question"
    description = (
        "Ask the user a question. Only for what the other tools cannot find out and what you need "
        "to go on."
    )
    effect = Effect.TALK
    time_limit = None
    Parameters = QuestionParameters

    async def run(self, params: QuestionParameters, context: Context) -> Outcome:
        if context.questions is None:
            raise NobodyThere(
                "Nobody is there to answer. Find it out with the other tools, or choose what is "
                "most likely meant, go on, and say so in your result."
            )
        answer = await context.questions.answer(params.question, params.options)
        return Outcome(f"<answer>\n{answer}\n</answer>", answer, kind=OutcomeKind.ANSWERED)
