"""Inputs that cost a reader the square of their length when it looks again at what it has seen.

Among them are those that are dear in vLLM, SGLang and LMDeploy.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.messages_dialects import Call, Spoken

Steep = Callable[[Spoken, int], str]

_CALL: Call = ("write_file", {"path": "a.py", "content": "stop"})
_NOW: Call = ("now", {})


def many(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def up_to(word: str, letters: int, unit: str) -> Steep:
    """Write a call up to so many letters of a word in it, then one thing over and over."""

    def steep(spoken: Spoken, size: int) -> str:
        spelled = spoken.spell(_CALL)
        return spelled[: spelled.index(word) + letters] + many(unit, size)

    return steep


def in_the_end(part: float, unit: str) -> Steep:
    """Write a call with only a part of what closes it, then one thing over and over."""

    def steep(spoken: Spoken, size: int) -> str:
        spelled = spoken.spell(_CALL)
        closed = spelled.index("stop") + len("stop")
        return spelled[: closed + int((len(spelled) - closed) * part)] + many(unit, size)

    return steep


def text_of(unit: str) -> Steep:
    return lambda _, size: many(unit, size)


def tiny_calls(spoken: Spoken, size: int) -> str:
    return spoken.spell(*[_NOW] * (size // len(spoken.spell(_NOW))))


def tiny_messages(spoken: Spoken, size: int) -> str:
    return many(f"{spoken.spell(_NOW)}\n", size)


def many_parameters(spoken: Spoken, size: int) -> str:
    keys = {f"k{n}": "v" for n in range(size // 32)}
    return spoken.spell(("note", {"title": "t", **keys}))


def openers(spoken: Spoken, size: int) -> str:
    """Repeat the beginning of a call up to its name."""
    spelled = spoken.spell(_NOW)
    return many(spelled[: spelled.index("now")] or "now", size)


def half_marks(spoken: Spoken, size: int) -> str:
    """Repeat half of what closes a value, in the value."""
    spelled = spoken.spell(_CALL)
    at = spelled.index("stop") + len("stop")
    return spelled[:at] + many(spelled[at : at + max(1, (len(spelled) - at) // 3)], size)


EVERYWHERE: dict[str, Steep] = {
    "a name without an end": up_to("write_file", 5, "x"),
    "line feeds after a name": up_to("write_file", 10, "\n"),
    "text after a name": up_to("write_file", 10, " x y"),
    "a key without an end": up_to("content", 3, "x"),
    "a key without a value": up_to("content", 7, " x\n"),
    "half marks in a value": half_marks,
    "line feeds in a value": up_to("stop", 4, "\n"),
    "angle brackets in a value": up_to("stop", 4, "<"),
    "line feeds in the end of a call": in_the_end(0.5, "\n"),
    "text in the end of a call": in_the_end(0.7, "x y\n"),
    "line feeds after a call": in_the_end(1, "\n"),
    "text after a call": in_the_end(1, "x y\n"),
    "tiny calls": tiny_calls,
    "tiny sections of calls": tiny_messages,
    "many parameters": many_parameters,
    "openers": openers,
    "code as text": text_of('if (a[0] < b) { f({"name": [1]}); }\n'),
    "brackets at line starts": text_of('{\n[\n {"name":\n'),
    "pairs of think": text_of("<think>a</think>b"),
}

# By dialect: what is dear in other readers of it, and what its own structure suggests.
BY_DIALECT: dict[str, dict[str, str]] = {
    "hermes": {
        '<tool_call>{"name":"': "x",
        '<tool_call>{"name": "now", "arguments": {"': "x",
        "<tool_call>": " \n",
        '<tool_call>{"name": "now", "arguments": ': "[",
        '<tool_call>{"name": "now", "arguments": {"a": "': '\\"',
    },
    "qwen3": {
        "": "<think>a</think>b",
        '<tool_call>{"name":"now","arguments":{}}</tool_call>': "\n",
    },
    "qwen3_coder": {
        "<tool_call>": "x y ",
        "<tool_call>\n": "\n",
        "<tool_call><function=write_file><parameter=path>a</parameter>": "x y ",
        "<tool_call><function=write_file><parameter=path>a</parameter>\n": " ",
        "<tool_call><function=write_file><parameter=path>a</parameter></tool_call>": "x y ",
        "<tool_call><function=": "x",
        "<tool_call><function=write_file>": "<parameter=path>a</parameter>",
        "<function=write_file><parameter=content>": "</parameter>\n",
    },
    "glm45": {
        "<tool_call>": "x y ",
        "<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>": "x y ",
        "<tool_call>write_file\n<arg_key>": "x",
        "<tool_call>write_file\n": "<arg_key>path</arg_key>\n",
        "<tool_call>write_file": "\n",
    },
    "glm47": {"<tool_call>write_file": "<arg_key>path</arg_key><arg_value>a</arg_value>"},
    "kimi_k2": {
        "<|tool_calls_section_begin|><|tool_call_begin|>": "x",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0": "x y ",
        "<|tool_calls_section_begin|>": "<|tool_call_begin|>functions.now:0",
    },
    "deepseek_v32": {
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=": "x",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="now': "x ",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="now">': ">",
        "<｜DSML｜function_calls>\n": '<｜DSML｜invoke name="now" ',
    },
    "claude_xml": {"<function_calls>\n<invoke ": 'name="now" '},
    "llama3_json": {
        "": '{"name": ',
        "{": '"a": {',
        '{"name": "now", "parameters": {"a": ': "1",
        '{"name": "now", "parameters": {}}': " ;\n",
    },
    "pythonic": {
        "": "[now(",
        "[": "x, ",
        "[write_file(content='": "\\'",
        "[now()]": "\n[now(",
        " ": "[ ",
    },
    "fenced_json": {
        "": "```json\n{\n",
        "```json\n": "\n",
        '```json\n{"name": "now"': " ",
        "\n": "```\n",
    },
    "mistral": {
        '[TOOL_CALLS] [{"name": "': "x",
        "[TOOL_CALLS]": "[{",
        '[TOOL_CALLS] [{"name": "now", "arguments": {': '"a": {',
    },
    "harmony": {
        "<|channel|>": "analysis ",
        "<|channel|>analysis<|message|>": "<|end",
        "": "<|start|>assistant",
    },
    "gemma4": {'<|tool_call>call:write_file{content:<|"|>': '<|"'},
    "minimax_m3": {"]<]minimax[>[<tool_call>": "]<]minimax[>[<invoke "},
}
