"""Run a command line: pick the door, and turn every way to end into an exit code.

Law: nothing a person can cause shows a traceback.
"""

from __future__ import annotations

import errno
import signal
import sys
from types import FrameType

import click

from ui.cli_doors import DOORS, door, suggestion
from ui.exits import Complaint, Exit, Signalled
from ui.sanitise import visible
from ui.streams import let_go, prepare


def run(arguments: list[str]) -> int:
    """Run the arguments of one command line and give the exit code."""
    prepare()
    try:
        return _run(arguments)
    except OSError as error:  # the complaint could not be written either
        return _code(error)
    finally:
        let_go()


def _run(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.exceptions.Abort):
        return Exit.INTERRUPTED
    except Signalled as signalled:
        return signalled.number + 128
    except (click.ClickException, Complaint, UnicodeEncodeError, OSError) as error:
        return Exit.FAILED if isinstance(error, BrokenPipeError) else _say(error)
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


def _say(error: click.ClickException | Complaint | UnicodeEncodeError | OSError) -> int:
    words, code = _words(error)
    print(f"tagline: {visible(words)}", file=sys.stderr)
    return code


def _code(error: OSError) -> int:
    """Give the exit code of a failed write: a terminal that has gone gives EIO."""
    return Exit.HANGUP if error.errno == errno.EIO else Exit.FAILED


def _words(
    error: click.ClickException | Complaint | UnicodeEncodeError | OSError,
) -> tuple[str, Exit]:
    match error:
        case click.UsageError(ctx=click.Context() as context):
            return f"{error.format_message()}\n  See: {context.command_path} --help", Exit.USAGE
        case click.ClickException():
            return error.format_message(), Exit.USAGE
        case Complaint():
            return error.words, error.code
        case UnicodeEncodeError():
            return f"a name or a text is not Unicode: {error.object!r:.80}", Exit.USAGE
        case OSError():
            name = f"{error.filename}: " if error.filename else ""
            return f"{name}{error.strerror or error}", Exit.FAILED


def _end(number: int, _frame: FrameType | None) -> None:
    raise Signalled(number)
