"""What a client asks, whichever protocol it speaks.

Law: everything that can be wrong with a request is found before the upstream hears of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agent.providers.base import JsonObject
from parsing import ToolSpec

Role = Literal["system", "user", "assistant", "tool"]
Choice = Literal["auto", "none", "required"]


class BadRequest(Exception):
    """A request that cannot be meant: what was found, what was expected, and in which member."""

    def __init__(self, message: str, param: str = "") -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the history; its arguments are read, broken ones were refused."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the history.

    `media` are parts that are no text, as Chat Completions writes them; where text stands between
    them or behind, it is among them.  Of a tool's result `answers` is the call's id and `name` the
    tool's; both were found among the calls before it.
    """

    role: Role
    text: str
    reasoning: str | None = None
    calls: tuple[Call, ...] = ()
    answers: str = ""
    name: str = ""
    media: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A request.

    `tools` are those that are exposed: a named choice, or one of allowed tools, has narrowed
    them, and a named choice is `required` of one tool.  `sampling` goes to the upstream as it is,
    under the names of Chat Completions (`max_tokens`, `temperature`, `stop`, `logprobs`, …).
    """

    model: str
    said: tuple[Said, ...]
    tools: tuple[ToolSpec, ...] = ()
    choice: Choice = "auto"
    parallel: bool = True  # several calls in one message are allowed
    stream: bool = False
    usage_wanted: bool = False  # in the stream (Chat Completions: stream_options.include_usage)
    thinking: bool | None = None  # None: nothing was said of it
    token_ids: bool = False  # the client wants them with each chunk
    sampling: JsonObject = field(default_factory=dict[str, Any])
    template: JsonObject = field(default_factory=dict[str, Any])  # chat_template_kwargs
    echo: JsonObject = field(default_factory=dict[str, Any])  # what the answer repeats of it
