from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import load_config
from agent.providers.registry import ROWS
from tests.source import ROOT

TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
START = "import sys; sys.path[0] = {root!r}; from ui.cli import main; sys.exit(main())"


def of_kind(kind: str) -> list[str]:
    return [body for name, body in BLOCKS if name == kind]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "tagline"
    start = shlex.quote(START.format(root=str(ROOT)))
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {start} "$@"\n')
    command.chmod(0o755)
    return {
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "TAGLINE_STATE": str(tmp_path / "state"),
    }


def typed(session: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        more = [line for line in lines[1:] if line.startswith(">")]
        said = "".join(re.sub(r"^> ?", "", line) for line in more)
        yield lines[0] + said, "".join(line for line in lines[1:] if line not in more)


def test_readme_shows_its_two_commands_on_the_first_screen() -> None:
    first = TEXT.splitlines()[:24]
    commands = [line for line in first if line.startswith("python3 -m venv ")]

    assert [line.rpartition(" && ")[2] for line in commands] == [
        ".venv/bin/tagline demo",
        ".venv/bin/pytest -q",
    ]


def test_readme_sessions_run_as_shown(tmp_path: Path, env: dict[str, str]) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    steps = [step for session in of_kind("console") for step in typed(session)]

    for command, expected in steps:
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        same = doctest.OutputChecker().check_output(expected, ran.stdout, doctest.ELLIPSIS)
        assert same, f"$ {command}{ran.stdout}{ran.stderr}"
        assert ran.returncode == 0
    assert len(steps) >= 5


def test_readme_programs_print_what_is_shown() -> None:
    pairs = [
        (body, BLOCKS[number + 1]) for number, (kind, body) in enumerate(BLOCKS) if kind == "python"
    ]

    for program, (kind, expected) in pairs:
        ran = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (kind, ran.stdout, ran.stderr) == ("text", expected, "")
    assert pairs


def test_readme_names_only_options_that_exist(env: dict[str, str], tmp_path: Path) -> None:
    lines = [
        *(line for body in of_kind("sh") + of_kind("console") for line in body.splitlines()),
        *re.findall(r"`(tagline [^`]*)`", TEXT),
    ]
    used: dict[str, set[str]] = {}
    for line in lines:
        for said in re.findall(r"(?:^|[|$`] *)(tagline\b[^|#]*)", line):
            words = shlex.split(said)
            door = (
                words[1]
                if words[1:] and words[1] in {"blocks", "compare", "exec", "grammar", "serve"}
                else ""
            )
            used.setdefault(door, set()).update(w for w in words if w.startswith("-"))

    assert {"-p", "--continue", "--local", "--base-url"} <= used[""]
    for door, options in used.items():
        line = ["tagline", *filter(None, [door]), "--help"]
        ran = subprocess.run(
            line, env=env, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert {o for o in options if not re.search(rf"(?<!\S){o}\b", ran.stdout)} == set()


def test_readme_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT)

    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_readme_configuration_is_accepted(tmp_path: Path) -> None:
    (body,) = of_kind("toml")
    file = tmp_path / "config.toml"
    file.write_text(body)

    config = load_config(cwd=tmp_path, environ={"TAGLINE_CONFIG": str(file)})

    assert (config.provider, config.model) == ("ollama", "qwen3-coder")
    assert config.context_window == 32768


def test_readme_names_each_provider_as_it_is_called() -> None:
    named = set(re.findall(r"--provider ([\w.]+)", TEXT))

    assert named == {"llama.cpp", "ollama", "lmstudio", "vllm", "lmdeploy", "openrouter"}
    assert named <= set(ROWS)
