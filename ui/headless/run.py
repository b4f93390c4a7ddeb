"""A run without a screen: nobody is asked, the answer goes to standard output.

Law: the exit code says how it ended, and the last line of JSON says the same.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from agent.events import End, Event
from ui.exits import Complaint, Exit
from ui.headless.brakes import Brakes
from ui.headless.output import output_for
from ui.headless.patience import Patience, first_token_limit
from ui.headless.prompt_input import task_of
from ui.headless.warming import Warming
from ui.opening import People, agent_of, as_left, config_of, session_of
from ui.options import Options
from ui.workplace import folder

if TYPE_CHECKING:
    from agent import Config, Session
    from tools import Consent

NOBODY = "This needs the user's approval, and nobody is there to give it."
HOW_TO_ALLOW = (
    "--yes allows everything; TAGLINE_ALLOW=edit allows edits, TAGLINE_ALLOW=run commands"
)


def run(options: Options) -> int:
    """Run the task to its end."""
    warming = Warming()
    place = folder(options.directory)
    config = config_of(options, place)
    if not config.configured:
        from ui.first_screen import first_screen

        print("\n".join(first_screen()), file=sys.stderr)
        return Exit.USAGE
    task = task_of(options.task)
    if task is None and not options.resumes:
        raise Complaint(
            "no task: give one as an argument or on standard input (see: tagline --help)"
        )
    from agent import Sessions

    sessions = Sessions()
    try:
        session = session_of(options, sessions, place)
        config = as_left(options, config, session)
        return asyncio.run(_run(options, config, session, task, warming))
    finally:
        sessions.close()


async def _run(
    options: Options, config: Config, session: Session, task: str | None, warming: Warming
) -> int:
    output = output_for(options.output_format, session.cwd, allow_all=options.allow_all)
    brakes = Brakes()
    end = End("interrupted", "Interrupted.", Exit.INTERRUPTED)

    patience = Patience(first_token_limit(config), _tell)

    def hear(event: Event) -> None:
        warming.hear(event)
        patience.hear(event)
        output.hear(event)

    people = People(brakes.guarded(hear), _consent(options, config))
    async with agent_of(config, session, people, unattended=not options.allow_all) as agent:
        with brakes.on(agent.interrupt, options.timeout_s):
            end = await (agent.resume(task) if options.resumes else agent.run(task or ""))
    patience.stop()
    end = brakes.judged(end)
    output.finish(end)
    if end.status == "needs_approval":
        _tell(HOW_TO_ALLOW)
    if end.status in ("interrupted", "limit", "needs_approval"):
        _tell(f"to go on: tagline --resume {session.id}")
    return end.exit_code


def _tell(words: str) -> None:
    print(f"tagline: {words}", file=sys.stderr, flush=True)


def _consent(options: Options, config: Config) -> Consent:
    from tools import AllowAll, ByEffect, Effect, RefuseAll

    if options.allow_all:
        return AllowAll()
    return ByEffect(frozenset(map(Effect, config.allow)), RefuseAll(NOBODY))
