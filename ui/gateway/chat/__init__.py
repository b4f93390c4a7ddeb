"""OpenAI's Chat Completions."""

from __future__ import annotations

from ui.gateway.chat.answer import ChatAnswer
from ui.gateway.chat.asked import asked
from ui.gateway.chat.errors import error
from ui.gateway.client import ClientProtocol

CHAT = ClientProtocol(
    name="chat", path="/v1/chat/completions", asked=asked, answer=ChatAnswer, error=error
)
