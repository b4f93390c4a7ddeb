"""Script files, TOML or JSONL, read into a `Script`; the format is drawn in providers/README.md."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agent.errors import ConfigError
from agent.providers.base import Usage
from agent.providers.jsons import is_object
from agent.providers.script import (
    Call,
    Cuts,
    Fault,
    FaultKind,
    Keep,
    Part,
    Pause,
    Say,
    Script,
    Think,
    Turn,
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Cut(_Strict):
    cuts: int | tuple[int, ...] | Literal["word", "line"] | None = None

    @field_validator("cuts")
    @classmethod
    def _not_negative(cls, cuts: Cuts | None) -> Cuts | None:
        if isinstance(cuts, int) and cuts < 0:
            raise ValueError("a chunk has 0 (all at once) or more characters")
        if isinstance(cuts, tuple) and not (cuts and min(cuts) > 0):
            raise ValueError("a list of sizes holds numbers from 1 on")
        return cuts


class _CallPart(_Strict):
    name: str
    arguments: str | dict[str, Any] = ""
    id: str | None = None


class _Step(_Cut):
    text: str | None = None
    reasoning: str | None = None
    pause: float | None = Field(None, ge=0)
    call: _CallPart | None = None
    attachment: dict[str, Any] | None = None

    def parts(self) -> list[Part]:
        made: list[Part] = []
        if self.pause is not None:
            made.append(Pause(self.pause))
        if self.reasoning is not None:
            made.append(Think(self.reasoning, self.cuts))
        if self.text is not None:
            made.append(Say(self.text, self.cuts))
        if self.call is not None:
            arguments = self.call.arguments
            spelled = arguments if isinstance(arguments, str) else json.dumps(arguments)
            made.append(Call(self.call.name, spelled, self.call.id))
        if self.attachment is not None:
            made.append(Keep(self.attachment))
        return made


class _Usage(_Strict):
    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


class _Fault(_Strict):
    kind: FaultKind
    after: int = Field(0, ge=0)
    times: int = Field(1, ge=0)
    message: str = ""
    status: int = 500
    retry_after: float | None = Field(None, ge=0)


class _Turn(_Cut):
    expect: str | None = None
    reasoning: str | None = None
    text: str | None = None
    chunks: tuple[str, ...] = ()
    steps: tuple[_Step, ...] = ()
    pause: float | None = Field(None, ge=0)
    first_pause: float = Field(0.0, ge=0)
    usage: _Usage | None = None
    finish: str = "stop"
    fault: _Fault | None = None

    @field_validator("expect")
    @classmethod
    def _compiles(cls, expect: str | None) -> str | None:
        try:
            re.compile(expect or "")
        except re.error as fault:
            raise ValueError(f"no regular expression: {fault}") from None
        return expect

    def made(self, cuts: Cuts, pause: float) -> Turn:
        parts: list[Part] = []
        if self.reasoning is not None:
            parts.append(Think(self.reasoning))
        if self.text is not None:
            parts.append(Say(self.text))
        parts.extend(Say(chunk, 0) for chunk in self.chunks)
        for step in self.steps:
            parts.extend(step.parts())
        return Turn(
            tuple(parts),
            cuts=cuts if self.cuts is None else self.cuts,
            pause=pause if self.pause is None else self.pause,
            first_pause=self.first_pause,
            usage=None if self.usage is None else Usage(**self.usage.model_dump()),
            finish=self.finish,
            fault=None if self.fault is None else Fault(**self.fault.model_dump()),
            expect=self.expect,
        )


class _File(_Cut):
    model: str = "script"
    pause: float = Field(0.0, ge=0)
    turn: tuple[_Turn, ...] = Field(min_length=1)

    def made(self, source: str) -> Script:
        cuts: Cuts = 0 if self.cuts is None else self.cuts
        turns = tuple(turn.made(cuts, self.pause) for turn in self.turn)
        return Script(turns, self.model, source)


def read_script(path: Path) -> Script:
    """Read a script file; raises ConfigError that names the place and what was expected."""
    try:
        data = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigError(f"Cannot read the script {path}: {fault}") from None
    return script_from(data, path.name, jsonl=path.suffix in (".jsonl", ".ndjson"))


def script_from(data: str, source: str, *, jsonl: bool = False) -> Script:
    """Read a script from its text; raises ConfigError."""
    try:
        value = _lines(data) if jsonl else tomllib.loads(data)
        return _File.model_validate(value).made(source)
    except ValidationError as fault:
        first = fault.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise ConfigError(f"Script {source}: {place}: {first['msg']}") from None
    except ValueError as fault:
        raise ConfigError(f"Script {source}: {fault}") from None


def _lines(data: str) -> dict[str, Any]:
    """Gather lines: each a turn; a line with the key "script" sets what holds for all."""
    gathered: dict[str, Any] = {"turn": []}
    for number, line in enumerate(data.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as fault:
            raise ValueError(f"line {number} is no JSON: {fault}") from None
        if not is_object(value):
            raise ValueError(f"line {number} is no JSON object")
        if is_object(head := value.get("script")):
            gathered |= {**head, "turn": gathered["turn"]}
        else:
            gathered["turn"].append(value)
    return gathered
