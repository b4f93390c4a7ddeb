"""One POST over httpx, and the events of its answer.

httpx is imported when the first request goes out, and without its command line program, which
would bring rich and pygments along (70 ms).
"""

import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from agent.errors import ProviderError, Rejected, StreamBroken, Unreachable
from agent.providers.base import JsonObject, close
from agent.providers.jsons import is_array, is_object
from agent.providers.refusals import Place, read_body, refused
from agent.providers.settings import Limits, on_loopback
from agent.providers.sse import Events, SentEvent
from agent.providers.waits import retry_after
from agent.providers.watch import Watch

if TYPE_CHECKING:
    import httpx

_LARGEST_ERROR = 64 * 1024
_CLI = "httpx._main"
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Target:
    """Where to POST, with which headers and limits."""

    place: Place
    headers: Mapping[str, str] = field(repr=False)
    limits: Limits


class Pool:
    """The connections to one server, opened when they are first used; no bound is set to them."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._place = target.place
        self._client: httpx.AsyncClient | None = None

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def client(self) -> "httpx.AsyncClient":
        """Give the client; raises Unreachable where the environment lets none be made."""
        if self._client is None:
            sys.modules.setdefault(_CLI, None)  # type: ignore[arg-type]  # None: not importable
            import httpx

            own = {"user-agent": "tagline", "accept": "text/event-stream", "content-type": _JSON}
            plain = self._place.url.startswith("http://") and on_loopback(self._place.url)
            try:
                self._client = httpx.AsyncClient(
                    headers={**own, **self._target.headers},
                    timeout=httpx.Timeout(None, connect=self._target.limits.connect),
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
                    verify=not plain,  # no TLS there, and loading the certificates takes 50 ms
                    trust_env=not plain,  # a proxy cannot reach this machine's loopback
                )
            except (ImportError, ValueError, OSError, httpx.InvalidURL) as fault:
                raise Unreachable(
                    f"{self._place.url} cannot be reached with the proxy or the certificates of "
                    f"the environment: {self._place.clean(str(fault))} Expected HTTP_PROXY, "
                    "HTTPS_PROXY and ALL_PROXY to hold an http:// or https:// address; unset or "
                    "mend them.",
                    retryable=False,
                ) from None
        return self._client


class Wire:
    """The way to one place, over connections of its own or those of a pool that is shared."""

    def __init__(
        self, target: Target, *, now: Callable[[], float] = time.time, pool: Pool | None = None
    ) -> None:
        self._target = target
        self._place = target.place
        self._now = now
        self._pool = pool or Pool(target)

    def watch(self) -> Watch:
        return Watch(self._target.limits, self._place.url)

    async def aclose(self) -> None:
        """Close the connections, those of a shared pool too."""
        await self._pool.aclose()

    async def events(self, body: JsonObject, watch: Watch) -> AsyncGenerator[SentEvent, None]:
        """POST a JSON body and read the events of the answer.

        Raises Unreachable, Rejected, RateLimited, Stalled and StreamBroken.
        """
        async with aclosing(self.reads(body, watch)) as reads:
            async for events in reads:
                for event in events:
                    yield event

    async def reads(self, body: JsonObject, watch: Watch) -> AsyncGenerator[list[SentEvent], None]:
        """Do as `events` does; what came in one read is given together, and waited for once."""
        response = None
        try:
            response = await watch.wait(self._send(body))
            if not response.is_success:
                raise await self._refusal(response, watch)
            async with aclosing(self._read(response)) as reads:
                while (events := await watch.wait(anext(reads, None))) is not None:
                    yield events
        finally:
            watch.close()
            if response is not None:
                await response.aclose()

    async def fetch(self) -> bytes:
        """GET the place and give the body; raises as `events` does."""
        import httpx

        watch = self.watch()
        try:
            response = await self._sent("GET", headers={"accept": _JSON})
            if not response.is_success:
                raise await self._refusal(response, watch)
            return await response.aread()
        except httpx.HTTPError as fault:
            raise self._unreachable(fault) from None
        finally:
            watch.close()

    async def _send(self, body: JsonObject) -> "httpx.Response":
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return await self._sent("POST", data.encode("utf-8", "replace"))  # a lone surrogate cannot

    async def _sent(
        self, method: str, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> "httpx.Response":
        """Send a request.

        A kept connection that the server closes in the same moment has not been answered on:
        that is no fault of the server, and the request goes out again on another one.
        """
        client, url = self._pool.client(), self._place.url
        import httpx

        lost = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
        fresh = False

        async def trace(event: str, _: object) -> None:
            nonlocal fresh
            fresh = fresh or event == "connection.connect_tcp.started"

        while True:
            request = client.build_request(
                method, url, content=content, headers=headers, extensions={"trace": trace}
            )
            try:
                return await client.send(request, stream=True)
            except httpx.HTTPError as fault:
                if fresh or not isinstance(fault, lost):
                    raise self._unreachable(fault) from None

    async def _read(self, response: "httpx.Response") -> AsyncGenerator[list[SentEvent], None]:
        import httpx

        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        reading = Events()
        try:
            if kind in (_JSON, "text/html"):
                yield self._whole(await response.aread(), kind)
                return
            async for data in response.aiter_bytes():
                if events := reading.feed(data):
                    yield events
            yield reading.close()
        except httpx.HTTPError as fault:
            raise StreamBroken(
                f"The answer of {self._place.url} ended early: the connection broke "
                f"({self._place.clean(str(fault)) or type(fault).__name__})."
            ) from None

    def _whole(self, body: bytes, kind: str) -> list[SentEvent]:
        text = body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
        if kind == "text/html":
            raise Rejected(
                f"{self._place.url} answered with a web page, not with a model's answer. Check "
                "base_url: for most OpenAI-compatible servers it ends in /v1.",
                200,
                kind="not_found",
            )
        if text.startswith(("{", "[")):
            return [SentEvent("message", text, whole=True)]
        reading = Events()
        return [*reading.feed(body), *reading.close()]

    async def _refusal(self, response: "httpx.Response", watch: Watch) -> ProviderError:
        body = b""
        chunks = response.aiter_bytes()
        while len(body) < _LARGEST_ERROR and (chunk := await watch.wait(anext(chunks, None))):
            body += chunk
        await close(chunks)
        told = read_body(body.decode("utf-8", "replace"))
        if response.is_redirect:
            to = self._place.clean(response.headers.get("location", "nowhere"))
            return Rejected(
                f"{self._place.url} sends on to {to}. Set base_url to where the server is.",
                response.status_code,
                kind="not_found",
            )
        wait = retry_after(response.headers, self._now())
        return refused(response.status_code, told, self._place, wait)

    def _unreachable(self, fault: "httpx.HTTPError") -> Unreachable:
        import httpx

        url, said = self._place.url, self._place.clean(_cause(fault))
        if isinstance(fault, httpx.ConnectTimeout):
            limit = self._target.limits.connect
            return Unreachable(
                f"No connection to {url} within {limit:g} s. Check that the server runs and can "
                "be reached from here, or raise connect_timeout."
            )
        if "certificate" in said.lower():
            return Unreachable(f"{url} has no certificate to trust: {said}", retryable=False)
        if "ssl" in said.lower():
            return Unreachable(
                f"{url} does not speak TLS as expected: {said}. If it is a plain server, write "
                "http:// in base_url.",
                retryable=False,
            )
        if isinstance(fault, httpx.ConnectError):
            return Unreachable(
                f"Cannot connect to {url}: {said}. Check that the server runs, and that host and "
                "port of base_url are right."
            )
        return Unreachable(f"{url} closed the connection before it answered: {said}")


def _cause(fault: BaseException) -> str:
    """Find the system's own words below what the libraries made of them."""
    import ssl

    said = str(fault) or type(fault).__name__
    below: BaseException | None = fault
    while below is not None:
        if isinstance(below, ssl.SSLError):
            return str(below)
        if isinstance(below, OSError) and str(below):
            number = below.errno or 0  # asyncio puts its own words in place of the system's
            said = os.strerror(number) if number > 0 else below.strerror or str(below)
        below = below.__cause__ or below.__context__
    return said


def _decoded(data: str) -> Any:
    try:
        return from_json(data)
    except ValueError:  # half a character as an escape, at least, is something to read
        return json.loads(data)


def payload(event: SentEvent, place: Place) -> JsonObject | None:
    """Decode an event's JSON object; None for one that the end of the stream cut through."""
    try:
        value = _decoded(event.data)
    except (ValueError, RecursionError):
        if event.cut:
            return None
        raise StreamBroken(
            f"{place.url} sent a line that is no JSON: {place.clean(event.data)[:200]!r}",
            retryable=True,
        ) from None
    if is_array(value) and value and is_object(value[0]):  # Google's errors
        value = value[0]
    if not is_object(value):
        raise StreamBroken(
            f"{place.url} sent {type(value).__name__} where an object was expected: "
            f"{place.clean(event.data)[:200]!r}",
            retryable=True,
        )
    return value
