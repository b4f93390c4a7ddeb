"""Run a command line: pick the door, and turn every way to end into an exit code.

Law: nothing a person can cause shows a traceback.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

import click

from ui.cli_doors import DOORS, door, suggestion
from ui.exits import Complaint, Exit, Signalled
from ui.sanitise import visible
from ui.streams import abandon_stdout, prepare


def run(arguments: list[str]) -> int:
    """Run the arguments of one command line and give the exit code."""
    prepare()
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()
        return Exit.FAILED
    except click.exceptions.Abort:
        return Exit.INTERRUPTED
    except click.ClickException as error:
        return _refuse(error)
    except Complaint as complaint:
        return _say(complaint.words, complaint.code)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Signalled as signalled:
        return signalled.number + 128
    except OSError as error:
        return _say(_stream_trouble(error), Exit.FAILED)
    return code


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    if arguments and arguments[0] in DOORS:
        command, rest, name = door(arguments[0]), arguments[1:], f"tagline {arguments[0]}"
    else:
        suggestion(arguments)
        from ui.cli_task import command as task

        command, rest, name = task, arguments, "tagline"
    result: object = command.main(rest, prog_name=name, standalone_mode=False)
    return result if isinstance(result, int) else Exit.DONE


def _refuse(error: click.ClickException) -> int:
    words = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        words = f"{words}\n  See: {error.ctx.command_path} --help"
    return _say(words, Exit.USAGE)


def _say(words: str, code: Exit) -> int:
    print(f"tagline: {visible(words)}", file=sys.stderr)
    return code


def _stream_trouble(error: OSError) -> str:
    name = f"{error.filename}: " if error.filename else ""
    return f"{name}{error.strerror or error}"


def _end(number: int, _frame: FrameType | None) -> None:
    raise Signalled(number)
