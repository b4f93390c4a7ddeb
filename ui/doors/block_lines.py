"""What the door `blocks` prints: one result, or one a line.

Law: JSON is written in ASCII, so that lone surrogates and every locale come through.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from parsing import Divergence, GrammarError
from ui.doors.reading import Members, reading_of
from ui.doors.shapes import is_object
from ui.exits import Complaint, Exit
from ui.sanitise import visible
from ui.streams import decoded, open_bytes


def print_one(text: str, options: Members, chunk: int | None) -> int:
    """Read one message and print its blocks."""
    try:
        result = reading_of({**options, "text": text}, chunk).as_json()
    except (ValueError, GrammarError) as error:
        raise Complaint(str(error)) from error
    except Divergence as divergence:
        return _diverged(divergence)
    print(json.dumps(result))
    return Exit.DONE


def print_lines(source: str, options: Members, chunk: int | None) -> int:
    """Read a JSON object a line and print a result a line, each as it is done."""
    code: int = Exit.DONE
    for number, line in _numbered(source):
        try:
            result = reading_of({**options, **_members(line)}, chunk).as_json()
        except (ValueError, GrammarError, Complaint) as error:
            result = {"error": f"line {number}: {error}"}
        except RecursionError:
            result = {"error": f"line {number}: nested too deeply"}
        except Divergence as divergence:
            result = {"error": f"line {number}: the two modes differ at chunk {divergence.chunk}"}
            print(f"line {number}:", file=sys.stderr)
            code = _diverged(divergence)
        print(json.dumps(result), flush=True)
    return code


def _numbered(source: str) -> Iterator[tuple[int, bytes]]:
    with open_bytes(source) as lines:
        yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _members(line: bytes) -> dict[str, Any]:
    found: object = json.loads(decoded(line, "the line"))
    if not is_object(found):
        raise ValueError("expected a JSON object on each line")
    return {name: value for name, value in found.items() if value is not None}


def _diverged(divergence: Divergence) -> int:
    print(visible(divergence.report), file=sys.stderr)
    return Exit.FAILED
