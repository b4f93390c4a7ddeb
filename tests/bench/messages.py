"""The messages whose reading is measured, of any size, and the tools they call."""

from __future__ import annotations

from parsing import ToolSpec
from parsing.dialects.cline import CLINE
from parsing.grammar import Grammar
from tools import default_tools

TOOLS: tuple[ToolSpec, ...] = default_tools().specs
GRAMMAR = Grammar(CLINE, TOOLS)

_CODE = """
def area(shapes: list[Shape]) -> float:
    total = 0.0
    for shape in shapes:
        if shape.width < 0 or shape.height < 0:
            raise ValueError(f"negative side: {shape}")
        total += shape.width * shape.height
    return total
"""
_PROSE = """
The value a < b holds for every List<String>, so the loop ends; <b>bold</b> words are set by the
page itself. We then look at the next line, which says nothing new, and go on writing prose.
"""
_FENCES = """
The settings are read once, when the program starts, and `<path>` is where they lie. A line that
begins with a letter is a key; whatever follows the colon is its value, white space aside.

```xml
<read_file>
<path>settings.xml</path>
</read_file>
```

That is how the file is asked for. If it is not there, the defaults hold, and a < b is still true.
"""
_CALLS = """
<read_file>
<path>agent/sessions/store.py</path>
</read_file>
<search_files>
<path>agent/providers</path>
<regex>class \\w+Provider</regex>
</search_files>
<execute_command>
<command>python -m pytest -q tests/agent/sessions</command>
<requires_approval>false</requires_approval>
</execute_command>
"""


def filled(unit: str, size: int) -> str:
    return (unit.lstrip() * (size // len(unit) + 2))[:size]


def one_big_write(size: int) -> str:
    head = "<write_to_file>\n<path>shapes.py</path>\n<content>\n"
    tail = "</content>\n</write_to_file>"
    return head + filled(_CODE, size - len(head) - len(tail)) + tail


def prose(size: int) -> str:
    return filled(_PROSE, size)


def prose_with_fences(size: int) -> str:
    return filled(_FENCES, size)


def many_small_calls(size: int) -> str:
    return filled(_CALLS, size)


def chunks(text: str, size: int = 4) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
