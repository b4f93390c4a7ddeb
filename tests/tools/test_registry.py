from __future__ import annotations

from typing import Any

import pytest

from tools import ToolSet, UnknownTool, default_tools

MEANT = {
    "readFiles": "read_file",
    "Read-File": "read_file",
    "view": "read_file",
    "edit_file": "replace_in_file",
    "str_replace_editor": "replace_in_file",
    "apply_diff": "replace_in_file",
    "create_file": "write_to_file",
    "writeFile": "write_to_file",
    "bash": "execute_command",
    "run_terminal_cmd": "execute_command",
    "grep": "search_files",
    "list_directory": "list_files",
    "list_code_definitions": "list_code_definition_names",
    "task_complete": "attempt_completion",
}


@pytest.mark.parametrize("name", MEANT)
def test_tools_name_the_one_that_was_meant(name: str) -> None:
    with pytest.raises(UnknownTool, match=rf"Did you mean {MEANT[name]}\?"):
        default_tools()[name]


def test_tools_name_only_what_there_is() -> None:
    tools = default_tools().without(["execute_command"])

    with pytest.raises(UnknownTool) as bash:
        tools["bash"]
    with pytest.raises(UnknownTool):
        ToolSet([])["bash"]

    assert "execute_command" not in str(bash.value)


def test_tools_by_default_are_nine_and_fit_the_prompt() -> None:
    tools = default_tools()
    told: list[Any] = [(spec.description, spec.parameters) for spec in tools.specs]

    assert tools.names == (
        "read_file",
        "write_to_file",
        "replace_in_file",
        "list_files",
        "search_files",
        "list_code_definition_names",
        "execute_command",
        "ask_followup_question",
        "attempt_completion",
    )
    assert len(str(told)) < 7000
    assert tools.only(["list_files", "read_file"]).names == ("list_files", "read_file")
    assert "execute_command" not in tools.without(["execute_command"]).names
