from __future__ import annotations

import pytest

from parsing import ToolUse
from tests.tools.uses import use_of
from tools import heading


@pytest.mark.parametrize(
    ("use", "head"),
    [
        (use_of("write_to_file", path="a.py", content="x"), "[write_to_file for 'a.py'] Result:"),
        (use_of("execute_command", command="ls\n  -l"), "[execute_command for 'ls -l'] Result:"),
        (use_of("search_files", path="src", regex="x"), "[search_files for 'x' in 'src'] Result:"),
        (use_of("attempt_completion", result="done"), "[attempt_completion] Result:"),
        (ToolUse("read_file"), "[read_file] Result:"),
        (use_of("read_file", path="a\ud800b"), "[read_file for 'a�b'] Result:"),
    ],
    ids=lambda value: value.name if isinstance(value, ToolUse) else "",
)
def test_heading_names_the_tool_and_its_subject(use: ToolUse, head: str) -> None:
    assert heading(use) == head
