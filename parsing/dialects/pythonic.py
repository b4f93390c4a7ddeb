"""Calls as Python writes them, in a list: Llama 4, Llama 3.2, ToolACE, Olmo 3, LFM2."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, Mark, OneOf, pattern
from parsing.options import Options
from parsing.pieces import framed
from parsing.shape import Hole, Shape, Written
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table
from parsing.values import Form

_NAME = (r"[\s,;]*([^\s,;].*)",)
_QUOTES = {'"""': "triple double", "'''": "triple single", '"': "double", "'": "single"}


def pythonic(
    name: str, about: str, *, opens: str, closes: str, listed: bool = True, bare: bool = False
) -> Dialect:
    """Make the dialect; with `bare` a list that begins a line with a declared name counts too."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        first, last = ("[", "]") if listed else ("", closes)
        start: Mark = pattern(opens, SPACE, "[") if listed else opens
        calls: dict[Mark, Edge] = {start: Edge(Act.GO, "list")}
        if bare and tools:
            names = OneOf(tuple(tool.name for tool in tools))
            follow = Follow(marks=(pattern(names, SPACE, "("),))
            calls[first] = Edge(Act.GO, "list", line_start=True, follow=follow)
        strays = [closes] if listed else []
        return framed(tools, options, calls=calls, modes=_modes(last), strays=strays)

    shape = Shape(
        call=(Hole.NAME, "(", Hole.PARAMS, ")"),
        param=(Hole.KEY, "=", Hole.VALUE),
        before=f"{opens}[" if listed else opens,
        after=f"]{closes}" if listed else closes,
        between=", " if listed else "\n",
        between_params=", ",
        written=Written.PYTHON,
    )
    return Dialect(name, table, shape, about)


def _modes(last: str) -> dict[str, Mode]:
    nested = Edge(Act.NEST, "nested")
    opened: dict[Mark, Edge] = dict.fromkeys("([{", nested)
    quotes: dict[Mark, Edge] = {quote: Edge(Act.NEST, mode) for quote, mode in _QUOTES.items()}
    closed: dict[Mark, Edge] = dict.fromkeys(")]}", Edge(Act.UNNEST, "value"))
    strings = {
        mode: Mode(Slot.INNER, {quote: Edge(Act.UNNEST, mode)}, escape="\\")
        for quote, mode in _QUOTES.items()
    }
    return {
        "list": Mode(
            Slot.NAME,
            {"(": Edge(Act.OPEN_CALL, "key"), last: Edge(Act.GO, BACK)},
            names=_NAME,
        ),
        "key": Mode(
            Slot.KEY,
            {"=": Edge(Act.OPEN_VALUE, "value"), ")": Edge(Act.CLOSE_CALL, "list"), **quotes}
            | {",": Edge(Act.SPOIL, "key", note="a value without a name")},
        ),
        "value": Mode(
            Slot.VALUE,
            {
                **quotes,
                **opened,
                ",": Edge(Act.CLOSE_VALUE, "key"),
                ")": Edge(Act.CLOSE_CALL, "list"),
            },
            kind=None,
            form=Form.PYTHON,
        ),
        "nested": Mode(Slot.INNER, {**quotes, **opened, **closed}),
        **strings,
    }


PYTHONIC = pythonic(
    "pythonic",
    "Llama 4, Llama 3.2 1B and 3B, ToolACE",
    opens="<|python_start|>",
    closes="<|python_end|>",
    bare=True,
)
OLMO3 = pythonic(
    "olmo3", "Olmo 3", opens="<function_calls>", closes="</function_calls>", listed=False
)
LFM2 = pythonic(
    "lfm2", "LiquidAI LFM2, LFM2.5", opens="<|tool_call_start|>", closes="<|tool_call_end|>"
)
