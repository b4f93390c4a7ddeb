"""What the floors below raise on purpose, turned into words and an exit code."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from agent.errors import AgentError, LimitReached, ProviderError
from ui.exits import Complaint, Exit


@contextmanager
def in_words() -> Generator[None]:
    """Turn an error of the agent's floor into a complaint."""
    try:
        yield
    except AgentError as error:
        raise Complaint(str(error), code_of(error)) from error


def code_of(error: AgentError) -> Exit:
    """Give the exit code that an error ends with."""
    if error.retryable:
        return Exit.TRANSIENT
    match error:
        case LimitReached():
            return Exit.LIMIT
        case ProviderError():
            return Exit.FAILED
        case _:
            return Exit.USAGE
