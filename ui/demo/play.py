"""Plays the demo from its beginning, or on from where it was killed.

Law: it succeeds only if the tests, really run, are green at the end and the two modes of the parser
agreed at every chunk.  The workspace outlives a kill, so that `tagline --continue` can go on.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from agent import Config, Session, Sessions
from agent.events import Diverged, End, Event
from tools import AllowAll
from ui.demo import project
from ui.demo.closing import Closing, closing_lines
from ui.demo.places import KIND
from ui.demo.player import Player
from ui.exits import Exit
from ui.headless.brakes import Brakes
from ui.opening import People, agent_of
from ui.plain.screen import PlainScreen
from ui.streams import is_terminal
from ui.terminal.styles import Line, plain

TASK = "The tests of this little shop fail. Find out why, and mend it."


@dataclass(frozen=True, slots=True)
class Wish:
    """How the demo is to be played; `speed` none: as people read, on a terminal."""

    keep: bool = False
    speed: float | None = None

    @property
    def pace(self) -> float:
        """The script's speed; 0 leaves its pauses out."""
        if self.speed is not None:
            return self.speed
        return 1.0 if is_terminal(sys.stdout) else 0.0


def play(wish: Wish) -> int:
    """Make the project and play from the first turn."""
    place = project.make()
    red = project.run_tests(place)
    session = Sessions().begin(place)
    data = {"from": str(Path.cwd()), "keep": wish.keep, "before": str(red)}
    session.record(KIND, data)
    screen = PlainScreen()
    return _watched(session, screen, wish, str(red), TASK)


def resume(session: Session) -> int:
    """Play on from where the session ends."""
    data = next(iter(session.rows())).data
    screen = PlainScreen()
    screen.say(plain(f"The demo goes on in {session.cwd}", "heading"))
    wish = Wish(keep=bool(data.get("keep")))
    return _watched(session, screen, wish, str(data.get("before", "")), None)


def _watched(
    session: Session, screen: PlainScreen, wish: Wish, before: str, task: str | None
) -> int:
    """Play; whoever looks away for good leaves nothing behind."""
    try:
        return asyncio.run(_Play(session, screen, wish, before).run(task))
    except BrokenPipeError:
        if not wish.keep:
            project.remove(session.cwd)
        raise


class _Play:
    """One run of the recorded assistant, from the first turn or from where it was killed."""

    def __init__(self, session: Session, screen: PlainScreen, wish: Wish, before: str) -> None:
        self._session, self._screen, self._wish, self._before = session, screen, wish, before
        self._divergences = 0

    async def run(self, task: str | None) -> int:
        if task is not None:
            self._screen.say(*_opening_lines(self._session.cwd, keep=self._wish.keep))
        brakes, player = Brakes(), Player(self._wish.pace)
        end = End("interrupted", "", Exit.INTERRUPTED)
        people = People(brakes.guarded(self._hear), AllowAll())
        config = Config(provider="scripted", mode="both")
        async with agent_of(config, self._session, people, player) as agent:
            with brakes.on(agent.interrupt, None):
                end = await (agent.resume() if task is None else agent.run(task))
        end = brakes.judged(end)
        if end.status == "interrupted":
            self._screen.say(plain("Interrupted. To go on: tagline --continue"))
            return end.exit_code
        return self._close(end, player.chunks)

    def _hear(self, event: Event) -> None:
        self._divergences += isinstance(event, Diverged)
        self._screen.hear(event)

    def _close(self, end: End, chunks: int) -> int:
        place = self._session.cwd
        closing = Closing(
            ended=end.status == "completed",
            why=end.result,
            before=self._before,
            after=project.run_tests(place),
            changed=tuple(project.changed(place)),
            chunks=chunks,
            divergences=self._divergences,
            session=self._session.id,
        )
        self._screen.say(*closing_lines(closing, place if self._wish.keep else None))
        if not self._wish.keep:
            project.remove(place)
        return Exit.DONE if closing.good else Exit.FAILED


def _opening_lines(place: Path, *, keep: bool) -> list[Line]:
    fate = "kept" if keep else "removed at the end; --keep keeps it"
    return [
        plain("Tagline, played by a recorded assistant", "heading"),
        plain("Its words are from a script; parser, tools, files and tests are real.", "dim"),
        plain(f"Folder: {place} ({fate}). Everything is allowed there.", "dim"),
        plain(""),
        (("class:mark", "> "), ("class:strong", TASK)),
    ]
