"""OpenAI's Responses API, for clients."""

from ui.gateway.chat.errors import error
from ui.gateway.client import ClientProtocol
from ui.gateway.responses.answer import ResponsesAnswer
from ui.gateway.responses.asked import asked

RESPONSES = ClientProtocol("responses", "/v1/responses", asked, ResponsesAnswer, error)

__all__ = ["RESPONSES"]
