"""Other invocations with parameters as elements: Step-3, dots, GigaChat 3.5, MiniCPM5 and Muse."""

from __future__ import annotations

from parsing.dialects.invoke import Words, invoke
from parsing.marks import Mark, Run, pattern
from parsing.table import Act, Edge

STEP3 = invoke(
    "step3",
    "StepFun Step-3",
    Words(
        sections=[("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")],
        prefixes=("steptml:",),
        around=("<｜tool_call_begin｜>function<｜tool_sep｜>", "<｜tool_call_end｜>"),
        line="",
    ),
)
DOTS = invoke(
    "dots",
    "dots.llm",
    Words(sections=[("<dots_function_call>", "</dots_function_call>")], objects=True),
)
_G = "｜GCML｜"
GIGACHAT35 = invoke(
    "gigachat35",
    "GigaChat 3.5",
    Words(
        sections=[(f"<{_G}tool_calls>", f"</{_G}tool_calls>")],
        prefixes=(_G,),
        typed="string",
        paragraph=True,
    ),
)
MINICPM5 = invoke(
    "minicpm5",
    "MiniCPM-5",
    Words(call="function", param="param", line="", bare=True, cdata=True),
)


_STARTS, _SELF = "<|start|>assistant", "to=self<|message|>"
_DROP = Edge(Act.DROP, "text")
_FIRST = Edge(Act.DROP, "text", at_start=True)
_THINKS = Edge(Act.OPEN_REASONING, "reasoning")
_THINKS_FIRST = Edge(Act.OPEN_REASONING, "reasoning", at_start=True)
_TO = Run(r"[^\s<>]", 1, 128)
_HEADERS: dict[Mark, Edge] = {  # the prompt may have ended with the role
    f"{_STARTS} {_SELF}": _THINKS,
    f" {_SELF}": _THINKS_FIRST,
    pattern(_SELF): _THINKS_FIRST,
    pattern(_STARTS, Run("[^<>]", 0, 128), "<|message|>"): _DROP,
    pattern(" to=", _TO, "<|message|>"): _FIRST,
    pattern("to=", _TO, "<|message|>"): _FIRST,
    "<|message|>": _FIRST,
    "<|eom|>": _DROP,
    "<|eot|>": _DROP,
}
MUSE = invoke(
    "muse",
    "Muse Spark and Glimmer",
    Words(
        sections=[("<atem:function_calls>", "</atem:function_calls>")],
        prefixes=("atem:",),
    ),
    frame=_HEADERS,
    tags=((f"{_STARTS} {_SELF}", "<|eom|>"),),
)
