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
    except (KeyboardInterrupt, click.exceptions.Abort):
        return Exit.INTERRUPTED
    except Signalled as signalled:
        return signalled.number + 128
    except BrokenPipeError:
        abandon_stdout()
        return Exit.FAILED
    except (click.ClickException, Complaint, UnicodeEncodeError, OSError) as error:
        return _say(error)
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
