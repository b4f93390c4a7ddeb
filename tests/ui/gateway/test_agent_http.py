from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ui.command import Tagline
from tests.ui.gateway.gateway_process import gateway
from tests.ui.gateway.scripted_answers import Say, cut
from tests.ui.gateway.scripted_model import Turn, spoken
from tests.ui.gateway.scripted_upstream import ScriptedUpstream
from tests.ui.test_headless import checked

FAMILIES = ("cline", "hermes", "qwen3_coder", "glm45", "deepseek_v3", "kimi_k2", "harmony")
CONTENT = 'def told(x):\n    """Say <b>"it\'s"</b> & {"a": [1]}."""\n    return x\n'
WRITE = ("write_to_file", {"path": "pkg/a.py", "content": CONTENT})
READ = ("read_file", {"path": "pkg/a.py"})
DONE = ("attempt_completion", {"result": "All done."})
TURNS = (Turn("I write it.", [WRITE], "First the file."), Turn("", [READ]), Turn("", [DONE]))


def script(name: str, body: Any) -> Say:
    """Say the turn that comes after those the request shows."""
    before = sum(message["role"] == "assistant" for message in body["messages"])
    return Say(cut(spoken(name, TURNS[before]), 1))


def flags(api: str, kind: str) -> tuple[str, ...]:
    base = api if kind == "openai" else api.removesuffix("/v1")
    return ("--base-url", base, "-m", "scripted", "--provider", kind, "-y")


@pytest.mark.parametrize(
    ("kind", "name"), [*(("openai", name) for name in FAMILIES), ("anthropic", "hermes")]
)
def test_agent_runs_a_task_through_the_gateway_with_native_calls(
    tagline: Tagline, kind: str, name: str
) -> None:
    with (
        ScriptedUpstream(lambda body: script(name, body)) as upstream,
        gateway(upstream.url, dialect=name) as running,
    ):
        ran = tagline.run(
            *("-p", "write it", "--protocol", "native", "--output-format", "stream-json"),
            *flags(running.api, kind),
        )

    assert ran.code == 0, ran.err
    assert (tagline.folder / "pkg" / "a.py").read_text() == CONTENT
    lines = checked(ran.out)
    assert lines[0]["dialect"] == "native"
    told = [line["message"]["content"] for line in lines if line["type"] == "assistant"]
    parts = [part for content in told for part in content if part["type"] == "tool_use"]
    uses = [(part["name"], part["input"]) for part in parts]
    assert uses == [WRITE, READ, DONE]
    assert lines[-1]["result"] == "All done."
    assert all("tools" not in request.body for request in upstream.requests)
    heard = json.dumps(upstream.requests[-1].body["messages"], ensure_ascii=False)
    assert heard.count("First the file.") <= 1
    for word in ("write_to_file", "read_file", "Created pkg/a.py"):
        assert word in heard
