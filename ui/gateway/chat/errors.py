"""Errors as OpenAI writes them."""

from __future__ import annotations

from collections.abc import Mapping

from agent.providers.base import JsonObject
from ui.gateway.client import Fault, FaultKind

_TYPES: Mapping[FaultKind, tuple[str, str | None]] = {
    "bad_request": ("invalid_request_error", None),
    "auth": ("invalid_request_error", "invalid_api_key"),
    "not_found": ("invalid_request_error", "not_found"),
    "too_large": ("invalid_request_error", "request_too_large"),
    "busy": ("rate_limit_error", "rate_limit_exceeded"),
    "upstream": ("upstream_error", "upstream_error"),
    "upstream_timeout": ("upstream_error", "upstream_timeout"),
    "ours": ("server_error", "internal_error"),
}


def error(fault: Fault) -> JsonObject:
    """Write an error object."""
    kind, code = _TYPES[fault.kind]
    said = {"message": fault.message, "type": kind, "param": fault.param or None, "code": code}
    return {"error": said}
