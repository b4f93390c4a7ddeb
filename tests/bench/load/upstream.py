"""The model server of the load: says streams that can be told apart, from a process of its own.

Its orders are in the last user message, as JSON: `stream` (its number), `chunks`, `pause` (seconds
between chunks) and `stamp` (each chunk is the time it was sent at).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

from tests.ui.gateway.scripted_answers import Piece, Say, Wait
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

CALL = '<tool_call>\n{"name": "write_to_file", "arguments": {"path": "a.py", "content": "'
CLOSE = '"}}\n</tool_call>'


def words(stream: int, chunks: int) -> Iterator[str]:
    """Give the chunks of a stream; every second one is a call with a long argument."""
    last = chunks - 1
    for number in range(chunks):
        said = f"{stream}:{number} "
        opened = CALL if stream % 2 and number == 0 else ""
        yield f"{opened}{said}{CLOSE if stream % 2 and number == last else ''}"


def expected(stream: int, chunks: int) -> tuple[str, str]:
    """Give the text and the arguments that a client is to hear of a stream."""
    said = "".join(f"{stream}:{number} " for number in range(chunks))
    if not stream % 2:
        return said, ""
    return "", json.dumps({"path": "a.py", "content": said})


def script(body: Any) -> Say:
    orders = json.loads(body["messages"][-1]["content"])
    return Say(_pieces(orders))


def _pieces(orders: dict[str, Any]) -> Iterator[Piece | Wait]:
    for text in words(orders["stream"], orders["chunks"]):
        if orders.get("pause"):
            yield Wait(orders["pause"])
        yield Piece(f"{time.monotonic_ns()} " if orders.get("stamp") else text)


async def main() -> None:
    upstream = ScriptedUpstream(script)
    await upstream.serve(lambda: print(upstream.port, flush=True))


if __name__ == "__main__":
    asyncio.run(main())
