from __future__ import annotations

import asyncio

from agent import Config
from agent.events import TextGrew, TurnStarted
from ui.headless.patience import Patience, first_token_limit


def test_patience_tells_until_something_is_heard() -> None:
    told: list[str] = []

    async def wait() -> None:
        twice = asyncio.Event()

        def tell(words: str) -> None:
            told.append(words)
            if len(told) == 2:
                patience.hear(TextGrew(0, "a"))
                twice.set()

        patience = Patience(600, tell, (0.01, 0.02))
        patience.hear(TurnStarted(1))
        await twice.wait()

    asyncio.run(wait())

    assert told == [
        "waiting for the model (0.01 s; limit first_token_timeout = 600)",
        "waiting for the model (0.03 s; limit first_token_timeout = 600)",
    ]


def test_first_token_limit_is_there_by_default() -> None:
    assert first_token_limit(Config(base_url="http://127.0.0.1:9/v1")) == 1800
    assert first_token_limit(Config(base_url="https://models.example/v1")) == 600
    assert first_token_limit(Config(first_token_timeout=5)) == 5
