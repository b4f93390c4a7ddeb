"""Any server with OpenAI's Chat Completions: llama.cpp, Ollama, LM Studio, vLLM, LMDeploy, …

Complete means that a finish reason or [DONE] was seen; the rest of the stream is read all the
same, because usage comes after the finish reason.
"""

import re
from collections.abc import AsyncGenerator

from agent.errors import Rejected
from agent.providers.answer import answer
from agent.providers.base import JsonObject, Provider, Request, StreamItem
from agent.providers.endpoint import target, url
from agent.providers.openai_chunks import Chunks
from agent.providers.openai_request import RENAMED, body
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings
from agent.providers.wire import Target, Wire

_UNKNOWN = re.compile(
    r"(?i)un(known|supported|recogni[sz]ed|expected)|not (supported|permitted|allowed)|additional"
)


def opened(settings: ProviderSettings, row: Row) -> Provider:
    """Open the provider; a key goes out as a bearer token."""
    key = settings.api_key
    headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
    where = url(settings, row, "/chat/completions")
    return OpenAICompatible(row.kind, target(settings, row, where, headers))


class OpenAICompatible:
    """A model behind Chat Completions."""

    def __init__(self, name: str, there: Target) -> None:
        self.name = name
        self.model = there.place.model
        self._place = there.place
        self._wire = Wire(there)
        self._refused: frozenset[str] = frozenset()

    async def aclose(self) -> None:
        await self._wire.aclose()

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        """Stream one answer, once more without a field that the server does not know."""
        while True:
            sent = body(request, self.model, self._refused)
            items = answer(self._wire, sent, Chunks(self._place))
            try:
                async for item in items:
                    yield item
                return
            except Rejected as fault:  # a status, so nothing was yielded
                unknown = _unknown_field(fault, sent)
                if unknown is None:
                    raise
                self._refused |= {unknown}
            finally:
                await items.aclose()


def _unknown_field(fault: Rejected, sent: JsonObject) -> str | None:
    said = str(fault)
    if fault.status not in (400, 422) or not _UNKNOWN.search(said):
        return None
    return next((name for name in RENAMED if name in sent and name in said), None)
