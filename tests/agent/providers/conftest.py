from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from agent.providers.local import PACKAGES, LocalServer, ready, weights
from agent.providers.settings import ProviderSettings


@pytest.fixture(scope="session")
def extra() -> None:
    if not all(map(find_spec, PACKAGES)):
        pytest.skip("the extra `local` is not installed")


@pytest.fixture(scope="session")
def server(extra: None) -> Iterator[ProviderSettings]:
    running = LocalServer(weights(), context=4096)
    try:
        address = running.address()
        asyncio.run(ready(address))
        yield ProviderSettings("llama.cpp", "gemma-3-270m", f"{address}/v1")
    finally:
        running.stop()
    assert not running.alive
