"""What messages are made of beside marks, and the spellings of marks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from parsing.marks import Mark, OneOf, Part, Run, parts_of
from parsing.spec import ToolSpec
from parsing.values import Kind

SPACES = ("", "", "", "\n", " ", "\n\n", "\t", "\r\n", "\n  ", "\u00a0", "\r", "\x1c", "\u2028")
WORDS = (
    *("a", "null", "nul", "7", "-1.5e3", "true", "False", "x < y", "a.py", "é", "\ud800", "😀"),
    *("\u2028", "\u0085", "\ufeff", "\x00", "\\", '\\"', "\\n", "\\u00e9", "\\ud83d", "&lt;"),
    *('"', "'", '"""', "'''", "{", "}", "[", "]", "(", ")", "<", ">", "</", "<!--", ":", ",", ";"),
    *("=", "|", "|>", "<|", "`", "``", "```", "```json\n", "\n```\n", "~~~", "def f(x):\n    y"),
)
STRANGERS = (
    *("<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "<|python_tag|>", "<function=run>"),
    *("<read_file>", "<path>", "</path>", "</read_file>", "<|start|>", "<|channel|>", "<|end|>"),
    *("<think>", "</think>", "<thinking>", "</thought>", "<invoke name=", "</invoke>", "to="),
    *("<｜tool▁calls▁begin｜>", "｜DSML｜", '{"name": "', "<parameter=path>", "</parameter>"),
    *('<|"|>', "<escape>", "call:", "<arg_key>", "</arg_value>", "<read_fi", "<|action_start|>"),
)
UNKNOWN = ("launch", "read-file", "path ", "Path", "naïve", "", "functions.run", "x y", "a" * 200)
_CHARACTERS = "aZ9_-. \t\n=\"'<>{}[]:,/|é\ud800\u2028`\\"


def spelled(mark: Mark, tools: Sequence[ToolSpec], random: Random) -> str:
    """Write a mark, mostly as it may be written."""
    text = "".join(_part(part, tools, random) for part in parts_of(mark))
    if random.random() < 0.03:
        return text[: random.randrange(len(text) + 1)]
    return text


def _part(part: Part, tools: Sequence[ToolSpec], random: Random) -> str:
    match part:
        case str():
            return part
        case OneOf(words):
            return random.choice(words) if words and random.random() < 0.9 else "other"
        case Run(name="attributes"):
            return _attributes(tools, random)
        case Run(name="name"):
            return name_of(tools, random)
        case Run(name="key"):
            return key_of(tools, random)
        case Run(chars, least, most):
            return _run(chars, least, most, random)


def _run(chars: str, least: int, most: int, random: Random) -> str:
    fitting = [char for char in _CHARACTERS if re.fullmatch(chars, char)] or [" "]
    length = random.choice((least, least, least, least + 1, least + 3, random.choice((most, 70))))
    if random.random() < 0.01:
        length = most + 1
    plain = random.choice(fitting)
    return "".join(random.choice((plain, random.choice(fitting))) for _ in range(length))


def _attributes(tools: Sequence[ToolSpec], random: Random) -> str:
    parts = [random.choice((" ", " ", "\n", ""))]
    for _ in range(random.choice((1, 1, 2, 0))):
        key = random.choice(("name", "name", "name", "tool", "key", "string", "type", "id"))
        value = random.choice((name_of(tools, random), key_of(tools, random), "true", "false"))
        quote = random.choice(('"', '"', '"', "'", ""))
        parts += [f"{key}={quote}{value}{quote}", random.choice(("", "", " "))]
    return "".join(parts)


def name_of(tools: Sequence[ToolSpec], random: Random) -> str:
    """Give a tool's name, mostly a declared one."""
    if tools and random.random() < 0.85:
        return random.choice(tools).name
    return random.choice(UNKNOWN)


def key_of(tools: Sequence[ToolSpec], random: Random) -> str:
    """Give a parameter's name, mostly a declared one."""
    keys = [key for tool in tools for key in tool.params]
    if keys and random.random() < 0.85:
        return random.choice(keys)
    return random.choice(UNKNOWN)


def space(random: Random) -> str:
    """Give some white space, or none."""
    return random.choice(SPACES)


def prose(random: Random, own: Sequence[str]) -> str:
    """Give text: words, what code holds, marks of others, and halves of `own` marks."""
    parts = [space(random)]
    for _ in range(random.choice((0, 1, 1, 2, 3, 5))):
        row = random.random()
        if row < 0.12 and own:
            mark = random.choice(own)
            parts.append(mark[: random.randrange(len(mark) + 1)])
        else:
            parts.append(random.choice(STRANGERS if row < 0.22 else WORDS))
        parts.append(space(random))
    return "".join(parts)


def value(random: Random, own: Sequence[str], kind: Kind = Kind.STRING) -> Any:
    """Give a value, mostly of a kind."""
    if random.random() < 0.08:
        kind = random.choice(list(Kind))
    if Kind.STRING in kind and random.random() < 0.8:
        return prose(random, own)
    if Kind.INTEGER in kind:
        return random.choice((0, -7, 2**70))
    if Kind.NUMBER in kind:
        return random.choice((0.5, -1e300, 3))
    if Kind.BOOLEAN in kind:
        return random.random() < 0.5
    if Kind.ARRAY in kind:
        return [value(random, own, Kind.STRING) for _ in range(random.choice((0, 1, 2)))]
    if Kind.OBJECT in kind:
        return {prose(random, own): value(random, own, random.choice(list(Kind)))}
    return None


def arguments(tool: ToolSpec, random: Random, own: Sequence[str]) -> dict[str, Any]:
    """Give arguments for a tool."""
    found = {
        name: value(random, own, param.kind)
        for name, param in tool.params.items()
        if random.random() < (0.9 if param.required else 0.4)
    }
    if random.random() < 0.05:
        found[random.choice(UNKNOWN)] = value(random, own)
    return found


def json_text(tools: Sequence[ToolSpec], random: Random, own: Sequence[str]) -> str:
    """Write some JSON, as a model would write arguments."""
    if tools and random.random() < 0.7:
        made: Any = arguments(random.choice(tools), random, own)
    else:
        made = value(random, own, random.choice(list(Kind)))
    text = json.dumps(made, ensure_ascii=random.random() < 0.2)
    if random.random() < 0.1:
        text = text.replace("\\n", "\n")
    return text
