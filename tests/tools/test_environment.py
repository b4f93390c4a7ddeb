from __future__ import annotations

import os
import sys

import pytest

from tools.environment import QUIET, command_environment, marked

HIDDEN = [
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY"),
    *("GOOGLE_API_KEY", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "REPLICATE_API_TOKEN"),
    *("AZURE_OPENAI_KEY", "OPENROUTER_API_KEY", "openai_api_key", "DEEPSEEK_API_KEY"),
    *("OPENAI_API_KEYS", "MY_LLM_APIKEY", "CLAUDE_CODE_OAUTH_TOKEN", "TAGLINE_API_KEY"),
    *("TAGLINE_MODEL", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT"),
    "__PYVENV_LAUNCHER__",
]
SEEN = [
    *("HOME", "LANG", "SHELL", "GITHUB_TOKEN", "AWS_PROFILE", "NPM_TOKEN", "KEYBOARD"),
    *("MONKEY", "OPENAI_BASE_URL"),
]


@pytest.mark.parametrize("name", HIDDEN)
def test_environment_hides(name: str) -> None:
    assert name not in command_environment({name: "value"})


@pytest.mark.parametrize("name", SEEN)
def test_environment_keeps(name: str) -> None:
    assert command_environment({name: "value"})[name] == "value"


def test_environment_hides_a_secret_by_its_value() -> None:
    base = {"WHATEVER": "Bearer s3cret", "OTHER": "open"}

    environment = command_environment(base, secrets=["s3cret", ""])

    assert environment == {"OTHER": "open", **QUIET}


def test_environment_lets_nothing_ask() -> None:
    environment = command_environment({"TERM": "xterm-256color", "PAGER": "less"})

    assert environment == {
        "TERM": "dumb",
        "CI": "1",
        "NO_TTY": "1",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "DEBIAN_FRONTEND": "noninteractive",
    }


def test_environment_takes_our_own_programs_off_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", "/somewhere/venv")
    path = os.pathsep.join(["/usr/bin", "/somewhere/venv/bin", "/project/venv/bin", "/bin"])

    environment = command_environment({"PATH": path})

    assert environment["PATH"].split(os.pathsep) == ["/usr/bin", "/project/venv/bin", "/bin"]


def test_environment_keeps_the_mark_of_the_command_we_run_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMMAND_TREE", "outer")

    assert marked({}, "inner") == {"COMMAND_TREE": "outer:inner"}
