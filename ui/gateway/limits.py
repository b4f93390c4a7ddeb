"""How much a client may send, and how many may be answered at once."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from starlette.types import Receive

from agent.providers.base import JsonObject
from agent.providers.jsons import is_object
from ui.gateway.client import Fault
from ui.gateway.faults import Left, Refused
from ui.gateway.keys import Headers
from ui.gateway.members import kind_of, read_json
from ui.gateway.settings import Settings


class Places:
    """Places for requests; nobody waits for one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.taken = 0

    @contextmanager
    def taking(self) -> Generator[None]:
        """Take a place; raises Refused when there is none."""
        if self.taken >= self._most:
            words = f"{self._most} requests are being answered, and there is no room for one more"
            raise Refused(Fault(429, "busy", words, retry_after=1))
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


async def read_object(receive: Receive, headers: Headers, settings: Settings) -> JsonObject:
    """Read a body that must be a JSON object; raises Refused, and Left when the client has gone."""
    told = {name: value.decode("latin-1") for name, value in headers}
    kind = told.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind not in {"", "application/json"}:
        raise _bad(f"content-type: found {kind!r}, expected application/json")
    if (packed := told.get(b"content-encoding", "identity").lower()) != "identity":
        raise _bad(f"content-encoding: found {packed!r}, expected a body that is not packed")
    length = told.get(b"content-length", "")
    most = settings.max_body_bytes
    if length.isdecimal() and int(length) > 2 * most:
        raise _too_large(most)
    try:
        data = await _read(receive, most, settings.header_timeout_s)
    except TimeoutError:
        words = f"the request's body stopped coming for {settings.header_timeout_s:g} s"
        raise Refused(Fault(408, "bad_request", words)) from None
    return _object(data)


async def _read(receive: Receive, most: int, limit_s: float) -> bytes:
    data, size = bytearray(), 0
    more = True
    while more:
        async with asyncio.timeout(limit_s):
            message = await receive()
        if message["type"] == "http.disconnect":
            raise Left
        piece, more = message.get("body", b""), message.get("more_body", False)
        size += len(piece)
        # a little more is read, so that a client that only then reads hears why
        if size > 2 * most:
            break
        if size <= most:
            data += piece
    if size > most:
        raise _too_large(most)
    return bytes(data)


def _object(data: bytes) -> JsonObject:
    try:
        found: object = read_json(data)
    except RecursionError:
        raise _bad("the body is nested too deeply") from None
    except ValueError as error:
        raise _bad(f"the body is no JSON: {error}") from None
    if not is_object(found):
        raise _bad(f"the body: found {kind_of(found)}, expected an object")
    return found


def _bad(words: str) -> Refused:
    return Refused(Fault(400, "bad_request", words))


def _too_large(most: int) -> Refused:
    return Refused(Fault(413, "too_large", f"the body is larger than {most} bytes"))
