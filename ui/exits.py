"""The exit codes, and the one exception that ends the program with one of them.

Law: an exit code means the same at every door, and the end of a JSON stream repeats it.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the command `tagline` gives back."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    LIMIT = 3
    APPROVAL = 4
    TRANSIENT = 75
    HANGUP = 129
    INTERRUPTED = 130
    TERMINATED = 143


MEANINGS = (
    (Exit.DONE, "done"),
    (Exit.FAILED, "failed; the same again will fail again"),
    (Exit.USAGE, "wrong usage or configuration"),
    (Exit.LIMIT, "a limit was reached (turns, time, tokens, mistakes)"),
    (Exit.APPROVAL, "something needed approval, or the model never used a tool"),
    (Exit.TRANSIENT, "transient (rate limit, server error, no connection); try again"),
    (Exit.INTERRUPTED, "interrupted (Ctrl-C)"),
    (Exit.TERMINATED, "terminated (SIGTERM)"),
)


class Complaint(Exception):
    """Words for the person who called, and the exit code they end with."""

    def __init__(self, words: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(words)
        self.words = words
        self.code = code


class Signalled(SystemExit):
    """A signal that ends the program, raised where the program stands.

    A SystemExit, because an event loop swallows any other exception raised inside a callback.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
