"""The configuration: one value, and the layers it is made of.

Law: flags are stronger than the environment, the environment than the project's file, that than
the person's file, and that than the defaults.  A project's file never says where requests go,
with which key, or what is done without asking.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, Literal

from agent.config_environment import from_environment
from agent.config_values import NotPlain, plain
from agent.config_words import check_sizes, effects, misfit
from agent.dialects import NATIVE, USUAL, settled
from agent.errors import ConfigError
from agent.limits import Limits
from agent.providers.registry import ROWS
from agent.providers.secret import Secret
from agent.providers.settings import ProviderSettings, Timeouts

SMALL_WINDOW = 16_384
_WINDOWS = {"local": 8192}  # tokens, of providers whose window is known
PROJECT_FILE = Path(".tagline", "config.toml")
_NOT_IN_A_PROJECT = frozenset(
    {"provider", "base_url", "api_key", "headers", "script", "speed", "allow", "foreign_calls"}
)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a person can set; times are in seconds, sizes in tokens.

    `allow` names the effects that are not asked about; `read` is always among them.  `dialect` is
    `auto` only as long as no model is known; with the protocol `native` there is none.
    """

    provider: str = "openai"
    model: str | None = None
    base_url: str | None = None
    api_key: Secret | None = None
    headers: Mapping[str, str] | None = None
    script: Path | None = None
    speed: float = 1.0
    protocol: Literal["text", "native"] = "text"
    dialect: str = USUAL
    mode: Literal["reparse", "incremental", "both"] = "reparse"
    tools_per_message: Literal["one", "several"] = "several"
    foreign_calls: Literal["offer", "accept", "refuse"] = "offer"
    constrain: Literal["auto", "on", "off"] = "auto"
    prompt: Literal["auto", "full", "compact"] = "auto"
    allow: tuple[Literal["read", "edit", "run"], ...] = ("read",)
    context_window: int | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    thinking_tokens: int | None = None
    max_turns: int = 100
    max_mistakes: int = 4
    connect_timeout: float | None = None
    first_token_timeout: float | None = None
    idle_timeout: float | None = None
    command_timeout: float = 120.0

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "str_strip_whitespace": True}

    @property
    def configured(self) -> bool:
        """Say whether a person (or the environment) told where a model is."""
        return bool(self.api_key or self.base_url or self.script or self.provider != "openai")

    @property
    def spoken(self) -> str:
        """Give how the model is spoken to: in a dialect, or natively."""
        return NATIVE if self.protocol == "native" else self.dialect

    @property
    def limits(self) -> Limits:
        """Give the loop's limits; a small window takes the short system prompt by itself."""
        usual = _WINDOWS.get(self.provider, Limits().context_window)
        window = self.context_window or usual
        small = window <= SMALL_WINDOW
        return Limits(
            max_turns=self.max_turns,
            max_mistakes=self.max_mistakes,
            context_window=window,
            compact_prompt=self.prompt == "compact" or (self.prompt == "auto" and small),
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            several_tools=self.tools_per_message == "several",
            foreign_calls=self.foreign_calls,
            constrain=self._constrain,
        )

    @property
    def _constrain(self) -> Literal["auto", "on", "off"]:
        """Give `constrain`; by itself it is for servers that are known to take a grammar."""
        row = ROWS.get(self.provider)
        takes = row is not None and row.grammar
        return "off" if self.constrain == "auto" and not takes else self.constrain

    @property
    def settings(self) -> ProviderSettings:
        """Give what a provider is opened from."""
        return ProviderSettings(
            kind=self.provider,
            model=self.model,
            base_url=self.base_url,
            api_key=self.api_key,
            timeouts=Timeouts(self.connect_timeout, self.first_token_timeout, self.idle_timeout),
            extra_headers=self.headers or {},
            context_window=self.context_window,
            max_tokens=self.max_tokens,
            thinking_tokens=self.thinking_tokens,
            script=self.script,
            speed=self.speed,
        )


NAMES = tuple(field.name for field in fields(Config))


def user_file(environ: Mapping[str, str]) -> Path:
    """Give the place of the person's file: TAGLINE_CONFIG, else the platform's folder."""
    if told := environ.get("TAGLINE_CONFIG"):
        return Path(told)
    from platformdirs import user_config_path

    return user_config_path("tagline") / "config.toml"


def load_config(
    flags: Mapping[str, Any] | None = None,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Config:
    """Put the layers together; flags that are None were not said.

    Raises ConfigError that names the place, the key and what was expected.
    """
    environ = os.environ if environ is None else environ
    mine = _file(user_file(environ), told="TAGLINE_CONFIG" in environ)
    project = _file((cwd or Path.cwd()) / PROJECT_FILE)
    if forbidden := sorted(project.keys() & _NOT_IN_A_PROJECT):
        raise ConfigError(
            f"{PROJECT_FILE} sets {', '.join(forbidden)}; a project's file may not. Set it in "
            f"{user_file(environ)}, in the environment, or by a flag."
        )
    said = {key: value for key, value in (flags or {}).items() if value is not None}
    _check_names(said, "the flags")
    values = mine | project
    found = from_environment(environ, NAMES, values.get("provider"), said.get("provider"))
    places = (
        dict.fromkeys(mine, str(user_file(environ)))
        | dict.fromkeys(project, str(PROJECT_FILE))
        | {name: f"the environment (TAGLINE_{name.upper()})" for name in found}
        | dict.fromkeys(said, "the command line")
    )
    return _checked(values | found | said, places)


def _file(path: Path, *, told: bool = False) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode()
        import tomllib  # there is seldom a file

        values = tomllib.loads(text)
    except FileNotFoundError:
        if told:
            raise ConfigError(
                f"The configuration {path} does not exist; TAGLINE_CONFIG names it."
            ) from None
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"The configuration {path} cannot be read: {error}") from error
    _check_names(values, str(path))
    return values


def _check_names(values: Mapping[str, Any], place: str) -> None:
    for name in values:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=1, cutoff=0.5)
            meant = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(NAMES)}."
            raise ConfigError(f"Unknown key {name!r} in {place}; {meant}")


def _checked(values: dict[str, Any], places: Mapping[str, str]) -> Config:
    if "allow" in values:
        values["allow"] = effects(values["allow"], places["allow"])
    try:
        values = plain(values)
    except NotPlain:
        config = _validated(values, places)
    else:
        config = Config(**values)
    check_sizes({name: getattr(config, name) for name in values}, places)
    if config.dialect == USUAL:  # nothing of parsing is needed yet
        return config
    return replace(config, dialect=settled(config.dialect, config.model))


def _validated(values: dict[str, Any], places: Mapping[str, str]) -> Config:
    from pydantic import TypeAdapter, ValidationError

    try:
        config: Config = TypeAdapter(Config).validate_python(values)
    except ValidationError as error:
        # a value may be a key, so pydantic's own text, which quotes values, is not shown
        kinds = {str(fault["loc"][0]): fault["type"] for fault in error.errors()}
        wrong = [
            f"{name} in {places[name]}: {misfit(name, values[name], kind, Config)}."
            for name, kind in kinds.items()
        ]
        raise ConfigError("\n".join(wrong)) from None
    return config
