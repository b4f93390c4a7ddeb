from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec

import httpx
import pytest

from agent.providers.local import PACKAGES, LocalServer, ready, weights
from parsing import Mode, dialect_names
from tests.parsing.checklist.rules import cases
from tests.parsing.checklist.sheet import Sheet, sheets
from tests.parsing.checklist.test_checklist import check

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(300)]

SAMPLE = {"several-calls-in-a-row", "text-around", "marks-in-a-value", "reasoning-then-calls"}
KNOWN = [sheet for sheet in sheets() if sheet.dialect in dialect_names()]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not all(map(find_spec, PACKAGES)):
        pytest.skip("the extra `local` is not installed")
    running = LocalServer(weights(), context=512)
    try:
        address = running.address()
        asyncio.run(ready(address))
        yield address
    finally:
        running.stop()


def tokenized(address: str, text: str) -> tuple[str, ...]:
    """Cut a text at its tokens' edges; a token that is no whole character joins the next."""
    asked = {"content": text, "with_pieces": True}
    answer = httpx.post(f"{address}/tokenize", json=asked, timeout=60)
    answer.raise_for_status()
    found: list[str] = []
    held, at = b"", 0
    for token in answer.json()["tokens"]:
        piece = token["piece"]
        held += piece.encode() if isinstance(piece, str) else bytes(piece)
        try:
            size = len(held.decode())  # the server writes the tokenizer's own blank as a space
        except UnicodeDecodeError:
            continue
        found.append(text[at : at + size])
        held, at = b"", at + size
    assert at == len(text)
    return tuple(found)


@pytest.mark.parametrize("mode", ["incremental", "both"])
@pytest.mark.parametrize("sheet", KNOWN, ids=lambda sheet: sheet.dialect)
def test_checklist_holds_at_the_edges_of_real_tokens(
    sheet: Sheet, mode: Mode, address: str
) -> None:
    sample = [case for case in cases(sheet) if case.id in SAMPLE]
    for case in sample:
        chunks = tokenized(address, case.text)

        assert len(chunks) > 3
        check(sheet, case, chunks, mode)
    assert sample
