from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.agent.native_wires import DONE, WIRES, Called, OpenAI, Wire, call, paired_on_the_wire
from tests.agent.play import DONE as DONE_TEXT
from tests.agent.play import write as written
from tests.agent.providers.fake_server import FakeServer, Reply, answer
from tests.ui.command import Tagline
from tests.ui.test_headless import checked

OPENAI = OpenAI()
WRITE = call("c1", "write_to_file", path="a.txt", content="hi\n")


@contextmanager
def serving(*replies: Reply) -> Generator[FakeServer]:
    server, ready = FakeServer(replies), Event()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with server:
            ready.set()
            await over.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield server
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


def flags(server: FakeServer, wire: Wire = OPENAI) -> tuple[str, ...]:
    return ("--base-url", server.base_url, "-m", "fake", "--provider", wire.kind, "-y")


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.kind)
def test_native_task_goes_through_a_server(tagline: Tagline, wire: Wire) -> None:
    odd = Called("c2", "write_to_file", '{"path": ')
    replies = (wire.reply("I write.", WRITE, odd), wire.reply("", DONE))
    with serving(*replies) as server:
        ran = tagline.run("-p", "write it", "--protocol", "native", *flags(server, wire))

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert (tagline.folder / "a.txt").read_text() == "hi\n"
    assert "✓ Write a.txt" in ran.err
    shown = tagline.run("sessions", "show").out
    assert '[write_to_file] {"path": "a.txt", "content": "hi\\n"}' in shown.replace("\\\\n", "\\n")
    assert "Created a.txt" in shown
    first, second = (request.body for request in server.requests)
    assert "write_to_file" in wire.tools(first)
    assert paired_on_the_wire(wire, second)
    results = [results for _, _, results in wire.turns(second) if results]
    assert [call_id for call_id, _ in results[0]] == ["c1", "c2"]


def test_native_is_told_as_the_dialect_and_set_by_the_environment(tagline: Tagline) -> None:
    told = Tagline(tagline.folder, tagline.home, {"TAGLINE_PROTOCOL": "native"})
    with serving(OPENAI.reply("", WRITE), OPENAI.reply("", DONE)) as server:
        ran = told.run("-p", "go", "--output-format", "stream-json", *flags(server))

    assert ran.code == 0
    lines = checked(ran.out)
    assert lines[0]["dialect"] == "native"
    uses = [
        part["name"]
        for line in lines
        if line["type"] == "assistant"
        for part in line["message"]["content"]
        if part["type"] == "tool_use"
    ]
    assert uses == ["write_to_file", "attempt_completion"]


def test_native_is_set_by_a_file_and_is_checked(tagline: Tagline, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('protocol = "natively"\n')
    told = Tagline(tagline.folder, tagline.home, {"TAGLINE_CONFIG": str(config)})

    ran = told.run("-p", "go", "--base-url", "http://127.0.0.1:9", "-m", "m")

    assert ran.code == 2
    assert f"protocol in {config}: found 'natively', expected one of text, native" in ran.err


@pytest.mark.parametrize(
    ("options", "natively"),
    [((), True), (("--protocol", "text"), False), (("--dialect", "cline"), False)],
)
def test_native_session_goes_on_as_it_was_left_unless_flags_say_otherwise(
    tagline: Tagline, options: tuple[str, ...], *, natively: bool
) -> None:
    last = OPENAI.reply("", DONE) if natively else answer(DONE_TEXT)
    with serving(OPENAI.reply("", WRITE), OPENAI.reply("", DONE), last) as server:
        tagline.run("-p", "go", "--protocol", "native", *flags(server))
        ran = tagline.run("-p", "go on", "--continue", *options, *flags(server))

    assert (ran.code, ran.out) == (0, "All done.\n")
    body = server.requests[-1].body
    assert ("tools" in body) is natively
    assert paired_on_the_wire(OPENAI, body)
    told = json.dumps(body["messages"])
    assert (json.dumps(written("a.txt", "hi\n"))[1:-1] in told) is not natively


def test_text_session_goes_on_natively_when_a_flag_says_so(tagline: Tagline) -> None:
    replies = (answer(written("a.txt", "hi")), answer(DONE_TEXT), OPENAI.reply("", DONE))
    with serving(*replies) as server:
        tagline.run("-p", "go", *flags(server))
        ran = tagline.run("-p", "go on", "--continue", "--protocol", "native", *flags(server))

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert ["tools" in request.body for request in server.requests] == [False, False, True]
