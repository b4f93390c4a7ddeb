"""From what was said on the command line to an agent that can work.

Law: the command line is the strongest layer, and only what was said is in it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ui.options import Options

if TYPE_CHECKING:
    from agent import Agent, Config, Limits, Session, Sessions
    from agent.events import Event
    from agent.foreign import Offers
    from agent.providers.base import Provider
    from tools import Consent, Questions

Listener = Callable[["Event"], None]


def config_of(options: Options, folder: Path) -> Config:
    """Load the configuration; raises `agent.errors.ConfigError`."""
    from agent import load_config

    provider = options.provider
    if options.local:
        provider = "local"
    elif options.script is not None:
        provider = "scripted"
    flags = {
        "provider": provider,
        "script": options.script,
        "model": options.model,
        "base_url": options.base_url,
        "protocol": options.protocol,
        "dialect": options.dialect,
        "mode": options.mode,
        "max_turns": options.max_turns,
        "foreign_calls": options.foreign_calls,
    }
    config = load_config(flags, folder)
    _check_key(config)
    return config


def _check_key(config: Config) -> None:
    """Ask for the key where one is needed and a model is named: that is what is missing."""
    from agent.providers.registry import ROWS

    row = ROWS.get(config.provider)
    if row is None or not row.needs_key or not config.model:
        return
    if not (config.api_key or config.base_url or config.headers):
        from agent.errors import ConfigError

        raise ConfigError(
            f"No key is set for provider {row.kind!r}. Set {' or '.join(row.keys)} in the "
            "environment, or api_key in the configuration; for a server of your own say "
            "--base-url or --provider."
        )


def session_of(options: Options, sessions: Sessions, folder: Path) -> Session:
    """Open the session that is to go on, or begin one, and hold it.

    Raises `agent.errors.SessionError`, also when another process has it.
    """
    from agent.errors import SessionError
    from agent.sessions.hold import hold

    if not options.resumes:
        return sessions.begin(folder)
    session = sessions.open(options.resume) if options.resume else sessions.latest(folder)
    if session is None:
        raise SessionError(f"There is no session of {folder} to go on with; see tagline sessions.")
    hold(session.folder, session.id)
    return session


def as_left(options: Options, config: Config, session: Session) -> Config:
    """Take over protocol, dialect and mode of a session that goes on, unless flags say otherwise.

    Raises `agent.errors.ConfigError` when there is no such dialect any more.
    """
    told = session.manner() if options.resumes else None
    if told is None:
        return config
    from agent.dialects import NATIVE, settled
    from agent.errors import ConfigError
    from parsing import MODES

    natively = told[0] == NATIVE and options.dialect is None
    protocol = options.protocol or ("native" if natively else "text")
    dialect = config.dialect
    if options.dialect is None and told[0] != NATIVE:
        try:
            dialect = settled(told[0], config.model)
        except ConfigError as error:
            raise ConfigError(
                f"Session {session.id} was held in the dialect {told[0]!r}; it cannot go on so "
                f"({error}). Say --dialect to go on in another."
            ) from error
    kept = next((mode for mode in MODES if mode == told[1]), config.mode)
    return replace(config, protocol=protocol, dialect=dialect, mode=options.mode or kept)


@dataclass(frozen=True, slots=True)
class People:
    """Who hears of the run, and who is asked."""

    listen: Listener
    consent: Consent
    questions: Questions | None = None
    offers: Offers | None = None


@asynccontextmanager
async def agent_of(
    config: Config,
    session: Session,
    people: People,
    provider: Provider | None = None,
    *,
    unattended: bool = False,
) -> AsyncGenerator[Agent]:
    """Open tools, agent and the provider (unless one is given); closes it at the end."""
    from agent import Agent
    from agent.events import CallOutput
    from tools import Executor, Workspace, default_tools

    executor = Executor(
        default_tools(),
        Workspace(session.cwd),
        people.consent,
        people.questions,
        command_timeout=config.command_timeout,
        on_output=lambda call_id, text: people.listen(CallOutput(call_id, text)),
        secrets=[config.api_key.reveal()] if config.api_key else (),
    )
    provider = provider or await _provider(config)
    try:
        yield Agent(
            provider,
            executor,
            dialect=_spoken(config, provider.model),
            mode=config.mode,
            session=session,
            listen=people.listen,
            limits=_limits(config, unattended=unattended),
            offers=people.offers,
        )
    finally:
        await provider.aclose()


def _spoken(config: Config, model: str) -> str:
    from agent.dialects import settled

    return config.spoken if config.protocol == "native" else settled(config.dialect, model)


async def _provider(config: Config) -> Provider:
    """Open the provider that is configured, at the only model of its server if none is named."""
    from agent import open_provider

    if not (config.model or "").strip():
        from agent.providers.only_model import with_model

        config = replace(config, model=(await with_model(config.settings)).model)
    return open_provider(config)


def _limits(config: Config, *, unattended: bool) -> Limits:
    return replace(config.limits, stop_when_refused=unattended)
