from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.ui.command import Tagline
from tests.ui.gateway.scripted_answers import Piece, Say, cut
from tests.ui.gateway.scripted_upstream import ScriptedUpstream
from ui.gateway.asked import Ask, Said
from ui.gateway.serving import Finder
from ui.gateway.settings import Settings

pytestmark = pytest.mark.timeout(60)
BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
CALL = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'
KEY, THEIRS = "sk-gateway-0001", "sk-upstream-0002"


@contextmanager
def served(tagline: Tagline, *flags: str) -> Iterator[tuple[subprocess.Popen[bytes], str, str]]:
    """Run `tagline serve`; gives the process, its line, and its address."""
    with tagline.start("serve", "--port", "0", *flags) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            assert process.stderr is not None
            assert line, process.stderr.read()
            found = re.match(r"listening on (http://127\.0\.0\.1:\d+) ", line)
            assert found, line
            yield process, line, found[1]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_says_where_it_listens_and_ends_its_streams_at_a_signal(
    tagline: Tagline, number: signal.Signals
) -> None:
    with (
        ScriptedUpstream(lambda _: Say([Piece("Hel"), "hang"])) as upstream,
        served(tagline, "--upstream", upstream.url, "--dialect", "qwen25") as (process, line, url),
        httpx.stream("POST", f"{url}/v1/chat/completions", json=BODY | {"stream": True}) as got,
    ):
        pieces = got.iter_text()
        text = next(pieces)
        process.send_signal(number)
        text += "".join(pieces)
        code, (out, err) = process.wait(10), process.communicate()
        assert upstream.requests[0].left.wait(5)

    assert f"(upstream {upstream.url}, dialect hermes)" in line
    assert "shutting down" in text
    assert code == 128 + number
    assert (out, err.strip()) == (b"", b"")


def test_serve_gives_calls_and_shows_each_side_its_own_key(tagline: Tagline) -> None:
    keys = {"MY_KEY": KEY, "THEIR_KEY": THEIRS}
    own = Tagline(tagline.folder, tagline.home, keys)
    flags = ("--api-key-env", "MY_KEY", "--upstream-key-env", "THEIR_KEY", "--dialect", "hermes")
    with (
        ScriptedUpstream(lambda _: Say(cut(CALL, 3))) as upstream,
        served(own, "--upstream", upstream.url, *flags) as (process, line, url),
    ):
        path = f"{url}/v1/chat/completions"
        refused = httpx.post(path, json=BODY)
        shown = {"x-api-key": KEY}
        answer = httpx.post(path, json=BODY | {"tools": [TOOL]}, headers=shown)
        (asked,) = upstream.requests
        process.terminate()
        out, err = process.communicate(timeout=10)

    (call,) = answer.json()["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "f", "arguments": '{"a": 1}'}
    assert refused.status_code == 401
    assert asked.headers["authorization"] == f"Bearer {THEIRS}"
    said = line + out.decode() + err.decode() + refused.text + answer.text + str(asked.headers)
    assert KEY not in said
    assert THEIRS not in line + out.decode() + err.decode() + refused.text + answer.text


def test_serve_runs_while_its_upstream_does_not(tagline: Tagline) -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        port = there.getsockname()[1]
    with served(tagline, "--upstream", f"http://127.0.0.1:{port}") as (_, _, url):
        health = httpx.get(f"{url}/health").json()
        answer = httpx.post(f"{url}/v1/chat/completions", json=BODY)

    assert health == {"status": "ok", "upstream": "unreachable"}
    assert answer.status_code == 502
    assert "Cannot connect" in answer.json()["error"]["message"]


def test_finder_prepares_for_what_the_upstream_says_it_is() -> None:
    asked = Ask("kimi-k2", (Said("user", "hi"),))
    with ScriptedUpstream(lambda _: Say(), kind="vllm") as upstream:
        finder = Finder(Settings(upstream.url))
        before = finder.prepare(asked).body
        asyncio.run(finder.look())
        after = finder.prepare(asked).body

    assert "skip_special_tokens" not in before
    assert after["skip_special_tokens"] is False
    asyncio.run(finder.look_again())  # ends at once: it is found


URL = ("--upstream", "http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), "--upstream"),
        (("--upstream", "ftp://x"), "is no http or https URL"),
        (("--upstream", "http://a:b@x"), "Put the key into"),
        ((*URL, "--dialect", "klingon"), "klingon"),
        ((*URL, "--server", "apache"), "--server: no server is called 'apache'"),
        ((*URL, "--host", "0.0.0.0"), "can be reached from other machines, so a key is needed"),
        ((*URL, "--api-key-env", "NO_SUCH"), "--api-key-env: the environment has no NO_SUCH"),
        ((*URL, "--api-key-file", "no-file"), "cannot read no-file"),
        ((*URL, "--api-key", "a", "--api-key-env", "B"), "expected one of --api-key"),
        ((*URL, "--api-key", ""), "--api-key: found nothing, expected a key"),
        ((*URL, "--raw"), "--chat-template"),
        ((*URL, "--port", "70000"), "--port"),
    ],
)
def test_serve_refuses_in_words(tagline: Tagline, flags: tuple[str, ...], words: str) -> None:
    ran = tagline.run("serve", *flags)

    assert ran.code == 2
    assert words in ran.err
    assert ran.out == ""


def test_serve_says_that_its_port_is_taken(tagline: Tagline) -> None:
    with socket.create_server(("127.0.0.1", 0)) as there:
        port = there.getsockname()[1]
        ran = tagline.run("serve", *URL, "--server", "plain", "--port", str(port))

    assert ran.code == 2
    assert f"cannot listen at 127.0.0.1:{port}" in ran.err


def test_serve_says_which_extra_is_missing(tagline: Tagline) -> None:
    (tagline.folder / "hidden").mkdir()
    (tagline.folder / "hidden" / "sitecustomize.py").write_text(
        "import sys\nsys.modules['uvicorn'] = None\n"
    )
    hiding = Tagline(
        tagline.folder, tagline.home, {"PYTHONPATH": os.fspath(tagline.folder / "hidden")}
    )
    ran = hiding.run("serve", *URL)

    assert ran.code == 2
    assert "pip install 'tagline[serve]'" in ran.err


def test_serve_is_listed_and_says_its_options(tagline: Tagline) -> None:
    listed, told = tagline.run("--help").out, tagline.run("serve", "--help").out

    assert re.search(r"^  serve +\S", listed, re.MULTILINE)
    for word in ("--upstream URL", "--idle-timeout", "/v1/messages", "hermes"):
        assert word in told
