"""OpenAI function tools, as JSON gives them, read into tool specifications."""

from __future__ import annotations

import json
from typing import Any

from parsing import ToolSpec, specs_from_openai
from ui.doors.shapes import is_array, is_object, is_texts
from ui.exits import Complaint
from ui.streams import read_text


def json_of_file(path: str) -> Any:
    """Read a JSON file; say what is wrong and where."""
    try:
        return json.loads(read_text(path))
    except RecursionError as error:
        raise Complaint(f"{path}: nested too deeply") from error
    except ValueError as error:
        raise Complaint(f"{path}: {error}") from error


def tools_of(found: object) -> tuple[ToolSpec, ...]:
    """Read a JSON array of function tools; ValueError says what is wrong."""
    if not is_array(found):
        raise ValueError("`tools` must be a JSON array of OpenAI function tools")
    functions = [entry if is_object(entry) else {"found": entry} for entry in found]
    specs = specs_from_openai(functions)
    for spec in specs:
        _check(spec)
    return specs


def _check(spec: ToolSpec) -> None:
    if not is_object(spec.parameters.get("properties", {})):
        raise ValueError(f"tool {spec.name}: `properties` must be an object")
    if not is_texts(spec.parameters.get("required", [])):
        raise ValueError(f"tool {spec.name}: `required` must be an array of names")
