from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from agent.errors import ConfigError
from agent.providers.base import Message, Provider, Request, TextPiece
from agent.providers.local import opened, require
from agent.providers.open import open_provider
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings
from parsing import Finish, ToolUse, reader
from parsing.constraint import Bounds, gbnf
from tests.agent.providers.told import Told, ask
from tests.source import ROOT
from tests.ui.command import argv, environment
from tools import AllowAll, Executor, Workspace, default_tools, heading

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(300)]

HOLDER = """
from agent.providers.local import LocalServer, weights
server = LocalServer(weights(), 2048)
print(server.pid, server.address(), flush=True)
input()
"""


def request(words: str, grammar: str | None = None) -> Request:
    said = (Message("user", words),)
    return Request("You write files.", said, max_tokens=300, temperature=0.0, grammar=grammar)


def answer(provider: Provider, *requests: Request) -> list[Told]:
    async def run() -> list[Told]:
        try:
            return [await ask(provider, each) for each in requests]
        finally:
            await provider.aclose()

    return asyncio.run(run())


def test_local_says_what_to_install_when_the_extra_is_missing() -> None:
    with pytest.raises(ConfigError, match=r"needs no_such_package.*pip install '\.\[local\]'"):
        require(("os", "no_such_package"))


def test_local_model_streams_a_chat(server: ProviderSettings) -> None:
    (told,) = answer(open_provider(server), request("Write a greeting."))

    assert told.error is None
    assert sum(isinstance(item, TextPiece) for item in told.items) > 1
    assert told.text.strip()
    assert told.finish in {"stop", "length"}
    assert told.usage is not None
    assert told.usage.prompt
    assert told.usage.completion


def test_local_model_writes_a_file_when_a_grammar_forces_the_call(
    server: ProviderSettings, tmp_path: Path
) -> None:
    executor = Executor(default_tools(), Workspace(tmp_path), AllowAll())
    write = [spec for spec in executor.specs if spec.name == "write_to_file"]
    path = {"path": "greeting.txt"}
    bounds = Bounds(fixed=path, max_text=120, max_lines=4, max_calls=1)
    grammar = gbnf("cline", write, bounds)

    (told,) = answer(open_provider(server), request("Write greeting.txt.", grammar))
    read = reader("cline", executor.specs, "both")
    read.feed(told.text)
    read.close(Finish.STOP)
    (use,) = (block for block in read.blocks if isinstance(block, ToolUse))
    outcome = asyncio.run(executor.execute(use, "call-1"))

    assert told.finish == "stop"
    assert (use.name, use.partial, use.fault) == ("write_to_file", False, None)
    assert use.params["path"] == "greeting.txt"
    assert not outcome.failed, outcome.for_model
    written = (tmp_path / "greeting.txt").read_text()
    assert written.splitlines() == str(use.params["content"]).splitlines()

    asked = Message("user", "Write greeting.txt.")
    result = Message("user", f"{heading(use)} Result:\n{outcome.for_model}")
    history = (asked, Message("assistant", told.text), result)
    (after,) = answer(
        open_provider(server), Request("You write files.", history, max_tokens=20, temperature=0.0)
    )

    assert after.error is None
    assert after.usage is not None
    assert told.usage is not None
    assert (after.usage.prompt or 0) > (told.usage.prompt or 0)


def test_local_model_takes_the_grammar_of_all_tools(server: ProviderSettings) -> None:
    grammar = gbnf("cline", default_tools().specs, Bounds(max_text=8))
    said = (Message("user", "Read a.py."),)

    (told,) = answer(
        open_provider(server),
        Request("You read files.", said, max_tokens=24, temperature=0.0, grammar=grammar),
    )

    assert told.error is None
    assert any(told.text.partition("<")[2].startswith(name) for name in default_tools().names)


@pytest.mark.usefixtures("extra")
def test_local_starts_at_the_first_request_and_ends_when_closed() -> None:
    provider = opened(ProviderSettings(context_window=2048), Row("local", "agent.providers.local"))
    before = children()

    first, second = answer(provider, request("Hello"), request("Hello"))

    assert first.text
    assert first.text == second.text
    assert children() == before


@pytest.mark.usefixtures("extra")
def test_local_server_does_not_outlive_a_killed_program() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        server = os.pidfd_open(int(holder.stdout.readline().split()[0]))
        holder.send_signal(signal.SIGKILL)
    try:
        ended, _, _ = select.select([server], [], [], 60)
    finally:
        os.close(server)

    assert ended == [server]


@pytest.mark.usefixtures("extra")
def test_local_answers_the_command_line_like_any_other_server(tmp_path: Path) -> None:
    ran = subprocess.run(
        argv("--local", "-p", "Say hello.", "--max-turns", "1", "--output-format", "json"),
        env=environment(
            tmp_path,
            {
                "XDG_CACHE_HOME": str(user_cache_path()),
                "TAGLINE_PROMPT": "compact",
                "TAGLINE_CONSTRAIN": "off",
                "TAGLINE_CONTEXT_WINDOW": "4096",
            },
        ),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    result = json.loads(ran.stdout)

    assert ran.returncode in {3, 4}, ran.stderr  # it is too small to use a tool
    assert result["usage"]["input_tokens"] > 500
    assert result["usage"]["output_tokens"] > 0


def children() -> list[str]:
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
