"""Which dialect a text is written in, told by the marks at its beginning.

Law: to tell a text's dialect only its first `WINDOW` characters are looked at, and a mention in
prose is no mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from parsing.registry import own_dialect
from parsing.spec import ToolSpec

WINDOW = 16_384
"""Characters of a text that are looked at."""

_CALL = r"<tool_call>\s*"
_NAMED = r"\"(?:name|tool|tool_name|function)\"\s*:\s*\"(?:NAMES)\""
_OBJECT = r"\{\s*\"name\"\s*:\s*\"(?:NAMES)\"\s*,\s*"

# Of two marks that stand at one place, the one in the higher row counts. NAMES are those of the
# declared tools; where none are declared, rows that need one are left out.
_MARKS = (
    # marks that one dialect alone has
    (r"<｜DSML｜ ", "deepseek_v41"),
    (r"<｜DSML｜(?:tool_?calls|tool)>", "deepseek_v4"),
    (r"<｜DSML｜", "deepseek_v32"),
    (r"<｜GCML｜", "gigachat35"),
    (r"<｜tool▁calls?▁begin｜>(?:<｜tool▁call▁begin｜>)?function<｜tool▁sep｜>", "deepseek_v3"),
    (r"<｜tool▁calls?▁begin｜>", "deepseek_v31"),
    (r"<｜tool_calls?_begin｜>|<steptml:", "step3"),
    (r"<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>", "kimi_k2"),
    (r"<\|open\|>(?:tools|think|response|call)\b", "kimi_k3"),
    (r"\]<\]minimax\[>\[|<mm:think>", "minimax_m3"),
    (r"<minimax:tool_call>", "minimax_m2"),
    (r"<atem:|(?:^|assistant )to=\S{1,100}<\|message\|>", "muse"),
    (r"<\|channel\|>\s*(?:analysis|commentary|final)\b", "harmony"),
    (r"<\|start\|>assistant(?: to=\S{1,100})?<\|channel\|>", "harmony"),
    (r"<\|tool_call>call:|<\|channel>thought", "gemma4"),
    (r"<start_function_call>", "functiongemma"),
    (r"\[TOOL_CALLS\]\s*\[", "mistral"),
    (r"\[TOOL_CALLS\]\s*\w|\[THINK\]", "mistral_v11"),
    (r"<\|python_tag\|>", "llama3_json"),
    (r"<\|python_start\|>", "pythonic"),
    (r"<\|action_start\|>", "internlm"),
    (r"<\|tool_call_start\|>", "lfm2"),
    (r"<\|tool_call\|>\s*\[|<tool_call>\s*\[", "granite"),
    (r"Here(?: i|')s my thought process:", "granite"),
    (r"<function_call>\s*\{", "granite_20b_fc"),
    (r"<\|START_(?:ACTION|THINKING|RESPONSE|TEXT)\|>", "cohere"),
    (r"functools\[", "phi4_mini"),
    (r"<TOOLCALL>\s*\[", "nemotron_deci"),
    (r"<function=[\w.-]+>\s*\{", "functionary_v31"),
    (r"(?m:^)>>>[\w.-]+\n\s*\{", "functionary_v32"),
    (r"<seed:(?:tool_call|think)>", "seed_oss"),
    (r"<longcat_(?:tool_call|think)>", "longcat"),
    (r"<iquest_tool_call>", "iquest_q1"),
    (r"<ifm\|", "k2_horizon"),
    (r"<dots_function_call>", "dots"),
    (r"<\|(?:tools|inner)_prefix\|>", "apertus"),
    (r"<\|message_model\|>|<\|content_(?:invoke_tool_json|thinking|text)\|>", "inkling"),
    (r"<\|function_call\|>|function call<\|role_sep\|>", "gigachat3"),
    (r"<\|plamo:", "plamo3"),
    (r"<TOOLCALL>\s*\[", "nemotron_deci"),
    (r"<function=[\w.-]+>\s*\{", "functionary_v31"),
    # marks that several have: what follows them decides
    (rf"{_CALL}\{{", "hermes"),
    (rf"{_CALL}<function=|<function=[\w.-]+>\s*(?:<parameter=|</function>)", "qwen3_coder"),
    (r"<tool_calls>\s*<tool_call\b|<tool_call(?::\w+)?>[^<>\n]+<tool_sep", "hy_v3"),
    (rf"{_CALL}[\w.-]+[ \t]*\n\s*(?:<arg_key>|</tool_call>)", "glm45"),
    (rf"{_CALL}[\w.-]+[ \t]*(?:<arg_key>|</tool_call>)", "glm47"),
    (r"<tool_calls>\[\n", "jamba"),
    (r"<tool_calls>\s*\[|</think>\s*<answer>", "hunyuan_a13b"),
    (r"<function name=[\"'][\w.-]+[\"']>", "minicpm5"),
    (r"<function_calls>\s*[A-Za-z_][\w.]*\(", "olmo3"),
    (r"(?:<(?:antml:)?function_calls>\s*)?<(?:antml:)?invoke\s+name=", "claude_xml"),
    (r"<(?:NAMES)>\s*</?[A-Za-z]", "cline"),
    # no mark at all: a declared name at the start of a line
    (r"(?m:^)>>>(?:NAMES)\n\s*\{", "functionary_v32"),
    (r"(?m:^)[ \t]*\[[ \t]*(?:NAMES)\(", "pythonic"),
    (rf"(?m:^)[ \t]*{_OBJECT}\"parameters\"", "llama3_json"),
    (rf"(?m:^)[ \t]*(?:\[\s*)?\{{\s*{_NAMED}\s*,", "fenced_json"),
    (rf"```(?:json|tool_call)?[ \t]*\n\s*[{{\[][^`]{{0,400}}{_NAMED}", "fenced_json"),
)


def detect(text: str, tools: Sequence[ToolSpec] = ()) -> str | None:
    """Give the name of the dialect whose mark stands first; None where there is none.

    What comes after a reasoning is looked at before the reasoning.
    """
    names = tuple(tool.name for tool in tools)
    seen = text[:WINDOW]
    answer = seen.partition("</think>")[2]
    return _first(answer, names) or _first(seen, names)


def marked(text: str, tools: Sequence[ToolSpec] = ()) -> tuple[str, ...]:
    """Give the names of all dialects that have a mark in a text, that of the first mark first."""
    found = _marks_in(text, tuple(tool.name for tool in tools))
    return tuple(dict.fromkeys(name for _, _, name in sorted(found)))


def _first(text: str, names: tuple[str, ...]) -> str | None:
    found = _marks_in(text, names)
    return min(found)[2] if found else None


def _marks_in(text: str, names: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """Give the first place of each mark, its row, and its dialect."""
    return [
        (match.start(), row, name)
        for row, (search, name) in enumerate(_searches(names))
        if (match := search(text))
    ]


_Search = Callable[[str], re.Match[str] | None]


@cache
def _searches(names: tuple[str, ...]) -> tuple[tuple[_Search, str], ...]:
    """Give what looks for the marks of the dialects that are there."""
    declared = "|".join(map(re.escape, names))
    return tuple(
        (re.compile(pattern.replace("NAMES", declared)).search, called)
        for pattern, name in _MARKS
        if (called := own_dialect(name)) and (declared or "NAMES" not in pattern)
    )
