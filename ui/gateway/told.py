"""What an answer tells, before a client's protocol writes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from agent.providers.base import Usage
from parsing import Delta


@dataclass(slots=True)
class Tokens:
    """What the upstream said of the tokens of one chunk; `logprobs` as in `logprobs.content`."""

    ids: list[int] | None = None
    logprobs: list[Any] | None = None


@dataclass(slots=True)
class Told:
    """One delta; with no delta there is only word of the tokens.

    Blocks are numbered as `parsing` numbers them.  The tokens of a chunk come with the last delta
    that it gave.
    """

    delta: Delta | None
    tokens: Tokens | None = None


Pieces: TypeAlias = list[Told]
"""What one chunk of the upstream gave, in order; not empty."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end: `finish` is "stop", "length", "tool_calls", "content_filter" or another word.

    `stop` is the stop sequence that ended it, where the upstream says which.
    """

    finish: str
    usage: Usage | None = None
    stop: str | None = None
