from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.ui.command import Tagline

WRITE = "I write.\n<write_to_file>\n<path>a.txt</path>\n<content>\nhi\n</content>\n</write_to_file>"
DONE = "<attempt_completion>\n<result>\nWritten.\n</result>\n</attempt_completion>"
KEY = "sk-test-123"


class Server(ThreadingHTTPServer):
    """An OpenAI-compatible server on loopback whose answers are given beforehand."""

    def __init__(self, *answers: str, status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.status = status
        self.asked: list[dict[str, Any]] = []
        self.models: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        data = [{"id": name} for name in server.models]
        self._send(json.dumps({"object": "list", "data": data}), "application/json")

    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.asked.append(json.loads(body))
        if server.status != 200:
            refusal = json.dumps({"error": {"message": f"wrong key {KEY}"}})
            self._send(refusal, "application/json", server.status)
            return
        self._send("".join(events(server.answers.pop(0))), "text/event-stream")

    def _send(self, text: str, kind: str, status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Keep quiet."""


def events(text: str) -> Generator[str]:
    pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
    for piece in pieces:
        yield chunk({"delta": {"content": piece}, "finish_reason": None})
    yield chunk({"delta": {}, "finish_reason": "stop"})
    yield "data: [DONE]\n\n"


def chunk(choice: dict[str, Any]) -> str:
    return f"data: {json.dumps({'choices': [{'index': 0, **choice}]})}\n\n"


@contextmanager
def serving(*answers: str, status: int = 200) -> Generator[Server]:
    with Server(*answers, status=status) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def test_a_whole_task_goes_through_a_server(tagline: Tagline) -> None:
    with serving(WRITE, DONE) as server:
        ran = tagline.run("-p", "write it", "-y", "--base-url", server.url, "-m", "fake")

    assert (ran.code, ran.out) == (0, "Written.\n")
    assert (tagline.folder / "a.txt").read_text() == "hi\n"
    first, second = server.asked
    assert (first["model"], first["stream"]) == ("fake", True)
    assert first["messages"][0]["role"] == "system"
    assert "write it" in first["messages"][1]["content"]
    assert second["messages"][2] == {"role": "assistant", "content": WRITE}
    assert "[write_to_file for 'a.txt'] Result:" in second["messages"][3]["content"]


def test_the_only_model_of_a_server_needs_no_name(tagline: Tagline) -> None:
    with serving(DONE) as server:
        server.models = ["alone"]
        ran = tagline.run("-p", "go", "--base-url", server.url)

    assert (ran.code, ran.out) == (0, "Written.\n")
    assert server.asked[0]["model"] == "alone"


def test_several_models_are_listed_and_none_is_chosen(tagline: Tagline) -> None:
    with serving() as server:
        server.models = ["one", "two"]
        ran = tagline.run("-p", "go", "--base-url", server.url)

    assert (ran.code, ran.out) == (2, "")
    assert f"{server.url}/models lists 2: one, two. Name one by --model or TAGLINE_MODEL" in ran.err


def test_a_missing_key_is_what_is_told_when_a_model_is_named(tagline: Tagline) -> None:
    ran = tagline.run("-p", "go", "--model", "m")

    assert ran.code == 2
    assert ran.err.startswith("tagline: No key is set for provider 'openai'. Set OPENAI_API_KEY")


def test_a_server_that_refuses_is_one_line_and_keeps_the_key_secret(tagline: Tagline) -> None:
    keyed = Tagline(tagline.folder, tagline.home, {"TAGLINE_API_KEY": KEY})
    with serving(status=401) as server:
        ran = keyed.run("-p", "hi", "--base-url", server.url, "-m", "fake")

    assert (ran.code, ran.out) == (1, "")
    assert "401" in ran.err
    assert KEY not in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert len(server.asked) == 1


def test_a_found_server_is_named_by_the_first_screen() -> None:
    from agent.providers.discover import Found
    from ui.first_screen import lines

    found = Found("ollama", "http://127.0.0.1:11434/v1", "qwen3\x1b[2J:8b")

    shown = lines((found,))

    assert shown[4] == (
        "  found listening: Ollama    "
        "tagline --base-url http://127.0.0.1:11434/v1 --model qwen3\\x1b[2J:8b"
    )
    assert len(shown) == 6
