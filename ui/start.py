"""Starts an agent run: on the screen where there is a terminal, else without one."""

from __future__ import annotations

import sys
from dataclasses import replace

from ui.exits import Complaint
from ui.options import Options
from ui.streams import is_terminal
from ui.troubles import in_words
from ui.workplace import folder


def start(options: Options) -> int:
    """Run what was asked for and give the exit code."""
    _check(options)
    terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    with in_words():
        if options.resume == "":
            options = replace(options, resume=_chosen(options, terminal=terminal))
        if options.resumes and (code := _resumed_demo(options)) is not None:
            return code
        if options.headless or not terminal:
            from ui.headless.run import run as run_headless

            return run_headless(replace(options, headless=True))
        from ui.terminal import run as run_terminal

        return run_terminal(options)


def _chosen(options: Options, *, terminal: bool) -> str:
    if options.headless or not terminal:
        raise Complaint("--resume needs the ID of a session here; `tagline sessions` lists them")
    from ui.choosing import choose

    return choose(folder(options.directory))


def _resumed_demo(options: Options) -> int | None:
    """Go on with a demo if that is what is meant: it needs neither configuration nor screen."""
    from agent import Sessions
    from ui.demo.recorded import cut_off, is_demo

    sessions = Sessions()
    if options.resume is None:
        session = cut_off(sessions, folder(options.directory))
    else:
        session = sessions.open(options.resume)
        session = session if is_demo(session) else None
    sessions.close() if session is None else None
    if session is None:
        return None
    from ui.demo.play import resume

    return resume(session)


def _check(options: Options) -> None:
    if options.continue_latest and options.resume is not None:
        raise Complaint("--continue and --resume exclude each other")
    chosen = [
        name
        for name, said in (
            ("--local", options.local),
            ("--script", options.script is not None),
            ("--provider", options.provider is not None),
        )
        if said
    ]
    if len(chosen) > 1:
        raise Complaint(f"{' and '.join(chosen)} exclude each other")
    if options.output_format != "text" and not options.headless:
        raise Complaint(f"--output-format {options.output_format} goes with -p")
