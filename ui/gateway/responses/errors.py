"""Why there is no answer, or no more of it, in the words of OpenAI's API."""

from __future__ import annotations

from agent.providers.base import JsonObject
from ui.gateway.client import Fault, FaultKind

_WORDS: dict[FaultKind, tuple[str, str | None]] = {
    "bad_request": ("invalid_request_error", None),
    "auth": ("authentication_error", "invalid_api_key"),
    "not_found": ("invalid_request_error", "not_found"),
    "too_large": ("invalid_request_error", "request_too_large"),
    "busy": ("rate_limit_error", "rate_limit_exceeded"),
    "upstream": ("server_error", "upstream_error"),
    "upstream_timeout": ("server_error", "upstream_timeout"),
    "ours": ("server_error", "internal_error"),
}
_CODES: dict[FaultKind, str] = {"bad_request": "invalid_prompt", "busy": "rate_limit_exceeded"}


def error(fault: Fault) -> JsonObject:
    """Write the body of an error."""
    kind, code = _WORDS[fault.kind]
    told = {"message": fault.message, "type": kind, "param": fault.param or None, "code": code}
    return {"error": told}


def code_of(fault: Fault) -> str:
    """Give the code of a response that failed; the list of them is OpenAI's, and closed."""
    return _CODES.get(fault.kind, "server_error")
