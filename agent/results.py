"""What the model is told about its calls, and about everything else that is not the person.

Law: each call of a message gets exactly one answer, in the order of the calls, in one message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from parsing import Block, ForeignCalls, TextBlock, ToolUse
from tools import Outcome

COMPLETION = "attempt_completion"

INTERRUPTED_CALL = (
    "This call was interrupted while it ran. It may have had part of its effect: look before you "
    "repeat it."
)
NOT_BEGUN = "This call was not run: the run was interrupted before it began."
AFTER_REFUSAL = "This call was skipped: the user refused an earlier call of the same message."
ONE_PER_MESSAGE = (
    "This call was skipped: one tool per message is run, and this message had one already. "
    "Send it again in a message of its own, if it is still right."
)
AFTER_FAILURE = (
    "The task was not ended: an earlier call of the same message failed. Read its result, mend "
    "it, and only then say that you are done."
)
AFTER_COMPLETION = "This call was skipped: the task had been ended by an earlier call."

CUT_BY_LIMIT = (
    "This call was cut off because your message reached the token limit, so it was not run and "
    "nothing was changed. Work in smaller steps: write a smaller part first, then add to it with "
    "further calls."
)
CUT_BY_BREAK = "This call was cut off before it was complete, so it was not run. Send it again."
UNCLOSED = "This call was not closed, so it was not run. Send it again, whole, to its very end."

INTERRUPTED_MARK = "[The user interrupted here.]"
BROKEN_MARK = "[The connection broke here.]"
INTERRUPTED_WORDS = "[The user interrupted you. Wait for what they say next, and follow that.]"
BROKEN_WORDS = (
    "[Your message was cut off by a connection error. Calls that were answered above were run: "
    "do not repeat them. Go on from where you were cut off.]"
)
RESUMED_WORDS = "[The session was left and is now taken up again. Go on with the task.]"
ONLY_THOUGHT = (
    f"[Your message had reasoning only. Now act: call a tool, or end the task with {COMPLETION}.]"
)
CUT_TEXT = (
    "[Your message was cut off because it reached the token limit. Go on in smaller steps: shorter "
    "messages, one smaller call at a time.]"
)
REPEATED = (
    "[You have made this very call {count} times, each time with the same result. Repeating it "
    "will not help: try something else, or ask the user.]"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model is told about one call; `outcome` is none when it was not run."""

    call_id: str
    heading: str
    text: str
    use: ToolUse
    outcome: Outcome | None = None


class Speller(Protocol):
    """Whatever knows how the result of a call is written; `heading` names the call in words."""

    def spell_result(self, name: str, heading: str, text: str) -> str: ...


def results_text(speller: Speller, answers: Iterable[Answer], *words: str) -> str:
    """Write the user message that answers a reply: each call's result, then further words."""
    parts = [speller.spell_result(a.use.name, a.heading, shown_text(a)) for a in answers]
    return "\n\n".join([*parts, *(word for word in words if word)])


def shown_text(answer: Answer) -> str:
    """Give what a call came to, which is never nothing."""
    return answer.text or "(no output)"


def cut_note(finish: str) -> str:
    """Say why a call that is still open at the close was not run."""
    match finish:
        case "length":
            return CUT_BY_LIMIT
        case "broken":
            return CUT_BY_BREAK
        case "interrupted":
            return NOT_BEGUN
        case _:
            return UNCLOSED


NO_TOOL = "You used no tool in your last message."
FENCED = (
    "You wrote a call inside a Markdown code fence. Calls in fences are examples and are not run: "
    "write the call again outside any fence."
)
FOREIGN = (
    "You wrote a call in a form that is not read here, so it was not run: write it again in the "
    "form shown below."
)

AS_TEXT = (
    "You wrote a call as text. Calls in the text are not run: call the tool itself, through the "
    "function calling that you were given."
)

_WRITTEN = (
    "You wrote {calls} in the dialect `{written}`, but the dialect here is `{expected}`. {came} "
    "(This is an automatic reminder: do not answer it.) {then}"
)
_TAKEN = "This time that was taken as you wrote it; what came of it stands above."
_NOT_RUN = "Nothing was run."
_SAME = "In `{expected}` the same is written exactly so{again}:"
_OTHER = "In `{expected}` that cannot be written as it is; a call looks like this there:"


def correction(
    calls: ForeignCalls, expected: str, spelled: str | None, example: str, *, taken: bool
) -> str:
    """Tell a model which dialect it wrote, which is expected, and its own calls `spelled` in it.

    Calls that cannot be spelled so without a change are not: an example is shown then.
    """
    count = len(calls.uses)
    again = "" if taken else "; if it is still right, send it again like this"
    words = _WRITTEN.format(
        calls="a call" if count == 1 else f"{count} calls",
        written=calls.dialect,
        expected=expected,
        came=_TAKEN if taken else _NOT_RUN,
        then=(_OTHER if spelled is None else _SAME).format(expected=expected, again=again),
    )
    return f"[{words}]\n\n{example if spelled is None else spelled}"


def native_correction(calls: ForeignCalls, *, taken: bool) -> str:
    """Tell a model that calls natively that it wrote a call as text."""
    came = _TAKEN if taken else _NOT_RUN
    return f"[{AS_TEXT} (This is an automatic reminder, of `{calls.dialect}`.) {came}]"


def nudge(example: str, slip: str = NO_TOOL) -> str:
    """Remind a model that used no tool; `example` is a call in the dialect's own spelling."""
    shown = f" A call looks like this:]\n\n{example}" if example else "]"
    return (
        f"[{slip} (This is an automatic reminder: do not answer it.) If the task is done, end it "
        f"with {COMPLETION}. If you need something from the user, ask with "
        f"ask_followup_question. Otherwise take the next step with a tool.{shown}"
    )


_FENCED = re.compile(r"^ {0,3}(```+|~~~+)[^\n]*\n(.*?)^ {0,3}\1", re.MULTILINE | re.DOTALL)


def fenced_texts(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Give what stands inside the code fences of a message's text."""
    texts = (block.content + "\n" for block in blocks if isinstance(block, TextBlock))
    return tuple(found.group(2) for text in texts for found in _FENCED.finditer(text))
