from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ui.gateway.asked import BadRequest
from ui.gateway.servers import SERVERS, api_base, detected, held, server_called

GRAMMAR = 'root ::= "x"\n'


def models(owner: str, *names: str) -> Any:
    return {"object": "list", "data": [{"id": name, "owned_by": owner} for name in names]}


@contextmanager
def answering(answers: Mapping[str, Any], asked: list[Any] | None = None) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if asked is not None:
                asked.append((self.path, self.headers.get("Authorization")))
            found = answers.get(self.path)
            body = found if isinstance(found, bytes) else json.dumps(found or {}).encode()
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({"/v1/models": models("vllm", "m"), "/version": {"version": "0.14.1"}}, "vllm"),
        ({"/v1/models": models("sglang", "m")}, "sglang"),
        ({"/v1/models": models("lmdeploy", "m")}, "lmdeploy"),
        ({"/v1/models": models("llamacpp", "m")}, "llamacpp"),
        (
            {"/v1/models": models("me", "m"), "/props": {"default_generation_settings": {}}},
            "llamacpp",
        ),
        ({"/v1/models": models("me", "m"), "/get_model_info": {"model_path": "p"}}, "sglang"),
        ({"/v1/models": models("library", "m"), "/api/version": {"version": "0.12"}}, "ollama"),
        (
            {"/v1/models": models("organization_owner", "m"), "/api/v0/models": {"data": []}},
            "lmstudio",
        ),
        ({"/v1/models": models("m", "m"), "/info": {"model_id": "m"}}, "tgi"),
        ({"/v1/models": models("me", "m"), "/version": {"version": "0.14.1"}}, "vllm"),
        ({"/v1/models": models("me", "m"), "/info": {"error": "Unexpected endpoint"}}, "plain"),
        ({"/v1/models": models("me", "m")}, "plain"),
    ],
)
def test_a_server_is_known_by_what_it_says(answers: Any, kind: str) -> None:
    with answering(answers) as url:
        found = asyncio.run(detected(url))
    assert found.kind == kind
    assert found.models == ("m",)


def test_a_server_is_asked_under_its_own_address_with_the_key() -> None:
    asked: list[Any] = []
    with answering({"/base/v1/models": models("vllm", "a", "b")}, asked) as url:
        found = asyncio.run(detected(f"{url}/base/v1/", headers={"Authorization": "Bearer k"}))
    assert found.models == ("a", "b")
    assert asked == [("/base/v1/models", "Bearer k"), ("/base/version", "Bearer k")]


def test_a_server_without_models_is_still_known() -> None:
    with answering({"/api/version": {"version": "0.12"}}) as url:
        assert asyncio.run(detected(url)) == SERVERS["ollama"]


@pytest.mark.parametrize("said", [b"<html>", b"[]", b'{"data": 5}', b"\xff", b"x" * (1 << 21)])
def test_a_server_that_says_garbage_is_plain(said: bytes) -> None:
    with answering({"/v1/models": said}) as url:
        assert asyncio.run(detected(url)) == SERVERS["plain"]


def test_a_server_that_is_not_there_is_plain() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert asyncio.run(detected(url)) == SERVERS["plain"]


def test_a_server_that_says_nothing_is_plain_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert asyncio.run(detected(url, limit_s=0.2)) == SERVERS["plain"]
        assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("version", "member"),
    [("0.10.2", "guided_grammar"), ("0.11.0", "structured_outputs"), ("1.0", "structured_outputs")],
)
def test_an_old_vllm_takes_a_grammar_by_its_old_name(version: str, member: str) -> None:
    answers = {"/v1/models": models("vllm", "m"), "/version": {"version": version}}
    with answering(answers) as url:
        found = asyncio.run(detected(url))
    assert list(held(found, GRAMMAR)) == [member]


def test_a_server_is_called_by_its_kind() -> None:
    assert server_called("llama.cpp") is SERVERS["llamacpp"]
    assert server_called("LM-Studio") is SERVERS["lmstudio"]
    with pytest.raises(ValueError, match="no server is called 'x'; there are: llamacpp, vllm"):
        server_called("x")


@pytest.mark.parametrize(
    ("upstream", "base"),
    [
        ("http://h:1", "http://h:1/v1"),
        ("http://h:1/", "http://h:1/v1"),
        ("http://h:1/v1/", "http://h:1/v1"),
        ("https://h/api/v1", "https://h/api/v1"),
    ],
)
def test_an_address_ends_in_v1(upstream: str, base: str) -> None:
    assert api_base(upstream) == base


def test_a_grammar_goes_where_a_server_takes_it() -> None:
    tag = {"type": "structural_tag", "format": {"type": "grammar", "grammar": GRAMMAR}}
    assert {kind: held(SERVERS[kind], GRAMMAR) for kind in ("llamacpp", "vllm", "sglang")} == {
        "llamacpp": {"grammar": GRAMMAR},
        "vllm": {"structured_outputs": {"grammar": GRAMMAR}},
        "sglang": {"ebnf": GRAMMAR},
    }
    assert held(SERVERS["lmdeploy"], GRAMMAR) == {
        "response_format": {"type": "structural_tag", "structural_tag": tag}
    }


@pytest.mark.parametrize("kind", ["ollama", "lmstudio", "tgi", "plain"])
def test_a_server_without_grammars_says_what_to_do(kind: str) -> None:
    with pytest.raises(BadRequest, match="takes no grammar") as fault:
        held(SERVERS[kind], GRAMMAR)
    assert "--server" in str(fault.value)
    assert "llamacpp, vllm, sglang, lmdeploy" in str(fault.value)
    assert fault.value.param == "tool_choice"


def test_lmdeploy_holds_no_text_completion() -> None:
    with pytest.raises(BadRequest, match="without --raw"):
        held(SERVERS["lmdeploy"], GRAMMAR, raw=True)
