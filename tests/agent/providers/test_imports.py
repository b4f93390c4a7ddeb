import subprocess
import sys
from pathlib import Path

import pytest

import agent.providers

ROOT = Path(__file__).parents[3]
HEAVY = ("httpx", "httpx_sse", "pydantic", "rich", "pygments", "click", "mcp", "anyio")
TALK = """
import asyncio
from agent.providers.open import open_provider
from agent.providers.settings import ProviderSettings
from agent.providers.base import Message, Request
async def run():
    provider = open_provider(ProviderSettings("llama.cpp", "m", "http://127.0.0.1:9/v1"))
    try:
        async for item in provider.stream(Request("", (Message("user", "go"),))):
            break
    finally:
        await provider.aclose()
asyncio.run(run())
"""


def imported(code: str) -> set[str]:
    said = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    return set(said.stdout.split())


@pytest.mark.parametrize(
    "name", ["base", "scripted", "script", "settings", "retry", "open", "registry", "discover"]
)
def test_import_of_a_light_module_brings_nothing_heavy(name: str) -> None:
    modules = imported(f"import agent.providers, agent.providers.{name}")

    assert [each for each in HEAVY if each in modules] == []


def test_first_request_brings_httpx_without_its_command_line() -> None:
    modules = imported(TALK)

    assert "httpx" in modules
    assert [each for each in ("rich", "pygments", "click", "pydantic") if each in modules] == []


def test_public_names_are_there() -> None:
    assert [name for name in agent.providers.__all__ if not hasattr(agent.providers, name)] == []
    with pytest.raises(AttributeError, match="nothing"):
        agent.providers.nothing  # noqa: B018 looking it up is the test
