"""What each key does.

Law: a key that belongs to a question never reaches the prompt, and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

from ui.terminal.prompt import Prompt
from ui.terminal.question import Answer, Question


class Pressed(Protocol):
    """What keys act on."""

    prompt: Prompt

    @property
    def question(self) -> Question | None: ...
    @property
    def telling(self) -> bool: ...
    def clear_words(self) -> None: ...
    def submit(self) -> None: ...
    def interrupt(self) -> None: ...
    def end_of_input(self) -> None: ...


def bindings(session: Pressed) -> KeyBindings:
    """Make the key table of a session."""
    keys = KeyBindings()
    asking = Condition(lambda: session.question is not None)
    writing = session.prompt.focused
    _prompt_keys(keys, session, writing)
    _question_keys(keys, session, asking)

    @keys.add("c-c", eager=True)
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        session.interrupt()

    @keys.add("c-z")
    def _(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-l")
    def _(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    return keys


def _prompt_keys(keys: KeyBindings, session: Pressed, writing: Condition) -> None:
    buffer = session.prompt.buffer

    @keys.add("enter", filter=writing)
    def _(event: KeyPressEvent) -> None:
        state = buffer.complete_state
        if state and state.current_completion:
            buffer.apply_completion(state.current_completion)
        session.submit()

    @keys.add("tab", filter=writing)
    def _(event: KeyPressEvent) -> None:
        session.prompt.complete()

    @keys.add("c-j", filter=writing)
    @keys.add("escape", "enter", filter=writing)
    def _(event: KeyPressEvent) -> None:
        buffer.newline(copy_margin=False)

    empty = Condition(lambda: not buffer.text)

    @keys.add("escape", filter=writing & Condition(lambda: session.telling))
    def _(event: KeyPressEvent) -> None:
        session.clear_words()

    @keys.add("c-d", filter=writing & empty)
    def _(event: KeyPressEvent) -> None:
        session.end_of_input()


_ANSWERS: dict[str, Callable[[Question], None]] = {
    "up": lambda question: question.move(-1),
    "down": lambda question: question.move(1),
    "enter": lambda question: question.confirm(),
    "c-d": lambda question: question.settle(Answer.NO),
    "escape": lambda question: question.settle(Answer.NO),
}


def _question_keys(keys: KeyBindings, session: Pressed, asking: Condition) -> None:
    for key, act in _ANSWERS.items():
        keys.add(key, filter=asking)(_answering(session, act))

    @keys.add(Keys.Any, filter=asking)
    def _(event: KeyPressEvent) -> None:
        _answering(session, lambda question: question.press(event.data))(event)

    @keys.add(Keys.BracketedPaste, filter=asking)
    def _(event: KeyPressEvent) -> None:
        text = event.data.replace("\r\n", "\n").replace("\r", "\n")
        if session.question and session.question.hears(text):
            session.question.write(text)
        else:
            session.prompt.buffer.insert_text(text)


def _answering(
    session: Pressed, act: Callable[[Question], None]
) -> Callable[[KeyPressEvent], None]:
    """Make a key an answer; one that came too early is none, and goes on with the draft."""

    def pressed(event: KeyPressEvent) -> None:
        question, draft = session.question, session.prompt.buffer
        if question is None:
            return
        if question.hears(event.data):
            act(question)
        elif draft.text and event.data.isprintable():
            draft.insert_text(event.data)

    return pressed
