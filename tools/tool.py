"""A tool: a name, a sentence, a pydantic model of its parameters, and what it does.

A tool raises the kinds of `ToolError` and nothing else; what it shows before is what it does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from parsing import ToolSpec
from tools.cautions import cautions_for
from tools.consent import Effect, Preview, Questions
from tools.outcome import Outcome
from tools.workspace import Workspace

if TYPE_CHECKING:
    from pydantic import BaseModel

P = TypeVar("P", bound="BaseModel")


def _unheard(text: str) -> None:
    """Take output that nobody listens to."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool may use.

    `on_output` takes a command's output as it comes; `command_timeout` is in seconds;
    commands get a cleaned copy of `environment` (none: our own), without the variables that hold
    one of `secrets`.  With `exact` the call's values came byte for byte (JSON), so nothing is
    added to a file's content.
    """

    workspace: Workspace
    questions: Questions | None = None
    on_output: Callable[[str], None] = _unheard
    command_timeout: float = 120.0
    environment: Mapping[str, str] | None = None
    secrets: Collection[str] = ()
    exact: bool = False


class Bound(Protocol):
    """A tool with its parameters: all the executor needs to know of it."""

    def cautions(self, context: Context) -> tuple[str, ...]: ...

    def preview(self, context: Context) -> Preview | None: ...

    async def run(self, context: Context) -> Outcome: ...


class AnyTool(ABC):
    """A tool, whatever its parameters are.

    `time_limit` (seconds) guards against a tool that never ends; none where the tool keeps its
    own time or waits for a person.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    effect: ClassVar[Effect]
    time_limit: ClassVar[float | None] = 60.0

    @abstractmethod
    def spec(self) -> ToolSpec:
        """Describe the tool for prompts and parsers."""

    @abstractmethod
    def bind(self, arguments: Mapping[str, Any]) -> Bound:
        """Read the arguments; raises pydantic's `ValidationError`."""


class Tool(AnyTool, Generic[P]):
    """The base of all tools; see `tools/README.md` for how to add one."""

    Parameters: type[P]

    @abstractmethod
    async def run(self, params: P, context: Context) -> Outcome:
        """Do it; raises only the kinds of `ToolError`."""

    def preview(self, params: P, context: Context) -> Preview | None:
        """Tell what `run` will do, without doing it; raises what `run` would raise."""
        return None

    def cautions(self, params: P, context: Context) -> tuple[str, ...]:
        """Tell why a person is to be asked even where the effect is allowed."""
        path = getattr(params, "path", None)
        return cautions_for(path, self.effect, context.workspace) if path else ()

    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, self.description, _plain_schema(self.Parameters))

    def bind(self, arguments: Mapping[str, Any]) -> Bound:
        return _Bound(self, self.Parameters.model_validate(arguments))


@dataclass(frozen=True, slots=True)
class _Bound(Generic[P]):
    tool: Tool[P]
    params: P

    def cautions(self, context: Context) -> tuple[str, ...]:
        return self.tool.cautions(self.params, context)

    def preview(self, context: Context) -> Preview | None:
        return self.tool.preview(self.params, context)

    async def run(self, context: Context) -> Outcome:
        return await self.tool.run(self.params, context)


def _plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Give the model's schema: no titles, no empty defaults, an optional value's type bare.

    An optional value's null is not told: leaving the parameter out means the same, and the
    executor reads a null as left out.
    """
    schema = model.model_json_schema()
    properties = {name: _plain(spec) for name, spec in schema.get("properties", {}).items()}
    plain: dict[str, Any] = {"type": "object", "properties": properties}
    plain["required"] = list(schema.get("required", ()))
    if "$defs" in schema:
        plain["$defs"] = schema["$defs"]
    return plain


def _plain(spec: dict[str, Any]) -> dict[str, Any]:
    spec = {key: value for key, value in spec.items() if key != "title"}
    if spec.get("default", ...) in (None, "", []):
        del spec["default"]
    branches = [b for b in spec.get("anyOf", ()) if b.get("type") != "null"]
    if len(branches) == 1:
        del spec["anyOf"]
        spec |= branches[0]
    return spec
