"""Why there is no answer, in Anthropic's words.

https://docs.anthropic.com/en/api/errors
"""

from __future__ import annotations

from agent.providers.base import JsonObject
from ui.gateway.client import Fault, FaultKind

_TYPES: dict[FaultKind, str] = {
    "bad_request": "invalid_request_error",
    "auth": "authentication_error",
    "not_found": "not_found_error",
    "too_large": "request_too_large",
    "busy": "overloaded_error",
    "upstream": "api_error",
    "upstream_timeout": "timeout_error",
    "ours": "api_error",
}
_BY_STATUS = {
    403: "permission_error",
    429: "rate_limit_error",
    503: "overloaded_error",
    529: "overloaded_error",
}


def error(fault: Fault) -> JsonObject:
    """Write the body of an error; its type goes by the status where that says more."""
    kind = _BY_STATUS.get(fault.status) or _TYPES[fault.kind]
    named = fault.param and fault.param not in fault.message
    words = f"{fault.param}: {fault.message}" if named else fault.message
    return {"type": "error", "error": {"type": kind, "message": words}}
