"""The JSON a headless run writes: the envelope that scripts know from Claude Code, and more.

Law: `schema.json` is made from these models, and real output is tested against it.  A member may be
added; one that is there never changes its meaning without a new `schema_version`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SCHEMA_VERSION = 1


class Wire(BaseModel):
    """The base of all: closed objects, so that the schema says everything."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_serialization_defaults_required=True
    )

    def as_line(self) -> str:
        """Give the object as one line of ASCII JSON."""
        return json.dumps(self.model_dump(by_alias=True))


class Text(Wire):
    """Prose of the assistant."""

    type: Literal["text"] = "text"
    text: str


class Thinking(Wire):
    """Reasoning of the assistant."""

    type: Literal["thinking"] = "thinking"
    thinking: str


class Use(Wire):
    """A tool use; one with a `fault`, or that is `partial`, was not run."""

    type: Literal["tool_use"] = "tool_use"
    id: str
    name: str
    input: dict[str, Any]
    partial: bool
    fault: str | None
    repaired: list[str]


class Result(Wire):
    """What came of a tool use; `exit_code` is that of a command."""

    type: Literal["tool_result"] = "tool_result"
    tool_use_id: str
    content: str
    is_error: bool
    status: str
    exit_code: int | None = None
    diff: str | None = None


class AssistantMessage(Wire):
    """One closed block of the assistant's message; blocks of one turn share the `id`."""

    id: str
    role: Literal["assistant"] = "assistant"
    model: str
    content: list[Annotated[Text | Thinking | Use, Field(discriminator="type")]]


class UserMessage(Wire):
    """What is told to the assistant."""

    role: Literal["user"] = "user"
    content: list[Result]


class Usage(Wire):
    """Tokens of all requests of the run; null where the server did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


class Denial(Wire):
    """A tool use that was not allowed."""

    tool_name: str
    tool_use_id: str
    tool_input: dict[str, Any]


class Failure(Wire):
    """Why a run did not end well; `class` is ours to keep stable."""

    kind: str = Field(alias="class", serialization_alias="class")
    message: str
    retryable: bool


class Init(Wire):
    """The first line."""

    type: Literal["system"] = "system"
    subtype: Literal["init"] = "init"
    schema_version: int = SCHEMA_VERSION
    session_id: str
    cwd: str
    model: str
    tools: list[str]
    permission_mode: Literal["ask", "allow_all"]
    dialect: str
    mode: str


class Diagnostic(Wire):
    """Something that happened beside the conversation: the parser's, the wire's, the loop's."""

    type: Literal["system"] = "system"
    subtype: Literal["diagnostic"] = "diagnostic"
    session_id: str
    kind: str
    text: str
    tool_use_id: str | None = None


class Assistant(Wire):
    """A line with a block of the assistant's."""

    type: Literal["assistant"] = "assistant"
    session_id: str
    message: AssistantMessage


class User(Wire):
    """A line with the result of a tool use."""

    type: Literal["user"] = "user"
    session_id: str
    message: UserMessage


class Ended(Wire):
    """The last line, and all there is with `--output-format json`."""

    type: Literal["result"] = "result"
    subtype: str
    schema_version: int = SCHEMA_VERSION
    session_id: str
    is_error: bool
    exit_code: int
    result: str
    num_turns: int
    duration_ms: int
    usage: Usage
    permission_denials: list[Denial]
    divergences: int
    error: Failure | None


Line = Init | Diagnostic | Assistant | User | Ended


def schema_text() -> str:
    """Give the JSON Schema of a line, as `schema.json` holds it."""
    schema = TypeAdapter[Line](Line).json_schema(mode="serialization")
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"
