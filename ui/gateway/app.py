"""The gateway as an ASGI application: a route for each client's protocol, and some beside them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agent.errors import ProviderError, Rejected
from agent.providers.base import JsonObject
from ui.gateway.client import ClientProtocol, Fault
from ui.gateway.exchange import Exchange, Gateway, Prepares, Run
from ui.gateway.faults import Refused, fault_of
from ui.gateway.heard import Upstream
from ui.gateway.keys import check
from ui.gateway.limits import Places
from ui.gateway.models import Models
from ui.gateway.runner import run as told
from ui.gateway.settings import Settings

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Handler = Callable[[Request], Awaitable[Response]]


def application(
    settings: Settings,
    preparer: Prepares,
    upstream: Upstream,
    protocols: Sequence[ClientProtocol],
    run: Run = told,
) -> Starlette:
    """Make the application; the first protocol's errors are also those of unknown routes.

    `state.gateway` is what its routes share; its end closes the upstream.
    """
    gateway = Gateway(settings, preparer, upstream, run, Places(settings.max_streams))
    beside = _Beside(gateway, protocols)
    made = Starlette(
        routes=[
            *(Route(one.path, Exchange(one, gateway), methods=["POST"]) for one in protocols),
            Route("/v1/models", beside.models),
            Route("/v1/models/{name:path}", beside.model),
            Route("/health", beside.health),
            Route("/metrics", beside.metrics),
        ],
        exception_handlers={HTTPException: beside.refused, Exception: beside.failed},
        lifespan=beside.living,
    )
    made.router.redirect_slashes = False
    made.state.gateway = gateway
    return made


class _Beside:
    """The routes that no protocol owns."""

    def __init__(self, gateway: Gateway, protocols: Sequence[ClientProtocol]) -> None:
        self._gateway = gateway
        self._protocols = protocols
        self._models = Models(gateway.settings)

    @asynccontextmanager
    async def living(self, app: Starlette) -> AsyncGenerator[None]:
        yield
        await self._models.aclose()
        await self._gateway.upstream.aclose()

    async def models(self, request: Request) -> Response:
        """List the models."""
        try:
            check(self._gateway.settings.api_key, request.scope["headers"])
            listed = await self._models.listed()
        except (ProviderError, Refused) as error:
            return self._error(request, fault_of(error))
        return JSONResponse({"object": "list", "data": listed})

    async def model(self, request: Request) -> Response:
        """Say one model."""
        name = request.path_params["name"]
        try:
            check(self._gateway.settings.api_key, request.scope["headers"])
            listed = await self._models.listed()
        except (ProviderError, Refused) as error:
            return self._error(request, fault_of(error))
        found = next((one for one in listed if one.get("id") == name), None)
        if found is None:
            return self._error(request, Fault(404, "not_found", f"there is no model {name!r}"))
        return JSONResponse(found)

    async def health(self, request: Request) -> Response:
        """Say that the gateway is well, and whether its upstream answers."""
        upstream = "ok"
        try:
            await self._models.served()
        except Rejected as error:
            upstream = f"refuses ({error.status})"
        except ProviderError:
            upstream = "unreachable"
        return JSONResponse({"status": "ok", "upstream": upstream})

    async def metrics(self, request: Request) -> Response:
        """Say the counts."""
        try:
            check(self._gateway.settings.api_key, request.scope["headers"])
        except Refused as error:
            return self._error(request, error.fault)
        return Response(self._gateway.metrics.text(), headers={"content-type": _METRICS_TYPE})

    async def refused(self, request: Request, error: Exception) -> Response:
        """Say what Starlette refuses: a path or a method that is not there."""
        status = error.status_code if isinstance(error, HTTPException) else 404
        paths = ", ".join(one.path for one in self._protocols)
        words = (
            f"{request.url.path} does not take {request.method}"
            if status == 405
            else f"there is nothing at {request.url.path}; there are {paths} and /v1/models"
        )
        answer = self._error(request, Fault(status, "not_found", words))
        if isinstance(error, HTTPException) and error.headers:
            answer.headers.update(error.headers)
        return answer

    async def failed(self, request: Request, error: Exception) -> Response:
        """Say a fault of ours."""
        return self._error(request, fault_of(error))

    def _error(self, request: Request, fault: Fault) -> Response:
        """Write an error in the words of the protocol whose path it is, or of the first."""
        path = request.url.path
        one = next((p for p in self._protocols if path.startswith(p.path)), self._protocols[0])
        return _response(one.error(fault), fault)


def _response(body: JsonObject, fault: Fault) -> Response:
    headers = {"www-authenticate": "Bearer"} if fault.status == 401 else {}
    return JSONResponse(body, fault.status, headers)
