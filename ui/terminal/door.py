"""From the command line to a session: what is configured, which session goes on, who answers.

Law: until the first message nothing of the agent is imported but its configuration.
"""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ui import VERSION
from ui.exits import Exit
from ui.opening import People, agent_of, as_left, config_of, session_of
from ui.options import Options
from ui.terminal.console import converse
from ui.terminal.status import Standing, branch_of
from ui.workplace import folder

if TYPE_CHECKING:
    from agent import Agent, Config, Session, Sessions
    from tools import Consent
    from ui.terminal.engine import Host
    from ui.terminal.recap import Recap


def run(options: Options) -> int:
    """Hold a session; with nothing configured say what to set instead."""
    place = folder(options.directory)
    config = config_of(options, place)
    if not config.configured:
        from ui.first_screen import first_screen

        print("\n".join(first_screen()))
        return Exit.USAGE
    work = Work(options, config, place)
    try:
        past = work.reopen() if options.resumes else None
        return converse(
            standing_of(options, work.config, work.place),
            work.begin,
            first=options.task,
            past=past,
            history=_history_file(),
        )
    finally:
        work.close()


class Work:
    """The sessions on disk, and the one that the person works in."""

    def __init__(self, options: Options, config: Config, place: Path) -> None:
        self._options = options
        self.config = config
        self.place = place
        self._sessions: Sessions | None = None
        self._reopened: Session | None = None

    def reopen(self) -> Recap:
        """Open the session that goes on, and tell what was in it; raises SessionError."""
        from ui.terminal.recap import recap

        session = session_of(self._options, self._store(), self.place)
        self._reopened, self.place = session, session.cwd
        self.config = as_left(self._options, self.config, session)
        return recap(session)

    def begin(self, host: Host) -> Bound:
        """Bind an agent to the reopened session, once, or to a new one."""
        session, self._reopened = self._reopened, None
        if session is None:
            session = self._store().begin(self.place)
        return Bound(self._options, self.config, session, host)

    def close(self) -> None:
        if self._sessions:
            self._sessions.close()

    def _store(self) -> Sessions:
        from agent import Sessions

        if self._sessions is None:
            self._sessions = Sessions()
        return self._sessions


class Bound:
    """An agent and the session it records, opened when there is work."""

    def __init__(self, options: Options, config: Config, session: Session, host: Host) -> None:
        self._config = config
        self._session = session
        consent = _consent(options, config, host)
        self._people = People(host.hear, consent, host.desk, host.offers)
        self._stack = AsyncExitStack()
        self._agent: Agent | None = None

    @property
    def session_id(self) -> str | None:
        return self._session.id

    async def work(self, words: str | None, *, resume: bool) -> None:
        """Run one task to its end."""
        if self._agent is None:
            opened = agent_of(self._config, self._session, self._people)
            self._agent = await self._stack.enter_async_context(opened)
        if resume:
            await self._agent.resume(words)
        else:
            await self._agent.run(words or "")

    def interrupt(self) -> None:
        if self._agent:
            self._agent.interrupt()

    async def close(self) -> None:
        await self._stack.aclose()


def standing_of(options: Options, config: Config, place: Path) -> Standing:
    """Say what the first screen says."""
    model, endpoint = _model_and_endpoint(config)
    allowed = {"edit", "run"} if options.allow_all else set(config.allow)
    return Standing(
        version=VERSION,
        model=model,
        endpoint=endpoint,
        dialect=config.spoken,
        mode=config.mode,
        allowed=frozenset(allowed & {"edit", "run"}),
        folder=place,
        branch=branch_of(place),
    )


def _model_and_endpoint(config: Config) -> tuple[str, str]:
    if config.script:
        return "a script", str(config.script)
    from agent.providers.registry import ROWS

    row = ROWS.get(config.provider)
    usual = row.base_url if row else None
    return config.model or "the server's model", config.base_url or usual or config.provider


def _consent(options: Options, config: Config, host: Host) -> Consent:
    from tools import AllowAll, ByEffect, Effect

    if options.allow_all:
        return AllowAll()
    return ByEffect(frozenset(map(Effect, config.allow)), host.approvals)


def _history_file() -> Path:
    """Give the place of what was typed, beside the sessions."""
    if told := os.environ.get("TAGLINE_STATE"):
        return Path(told) / "history"
    from platformdirs import user_state_path

    return user_state_path("tagline") / "history"
