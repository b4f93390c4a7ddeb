"""Anthropic's Messages API, for clients."""

from ui.gateway.client import ClientProtocol
from ui.gateway.messages.answer import MessagesAnswer
from ui.gateway.messages.asked import asked
from ui.gateway.messages.errors import error

MESSAGES = ClientProtocol("messages", "/v1/messages", asked, MessagesAnswer, error)

__all__ = ["MESSAGES"]
