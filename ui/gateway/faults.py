"""Whatever can go wrong, as a fault that a client's protocol can write."""

from __future__ import annotations

import logging
import traceback

from agent.errors import ProviderError, RateLimited, Rejected, Stalled
from ui.gateway.asked import BadRequest
from ui.gateway.client import Fault

_LOG = logging.getLogger("tagline.gateway")


class Refused(Exception):
    """A request that the gateway itself refuses."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Left(Exception):
    """The client has gone away."""


CLOSING = Fault(503, "ours", "The gateway is shutting down. Ask again in a moment.")


def fault_of(error: Exception) -> Fault:
    """Say an error as a fault; one that nobody expected goes to the log without its words."""
    match error:
        case Refused(fault=fault):
            return fault
        case BadRequest(param=param):
            return Fault(400, "bad_request", str(error), param)
        case RateLimited(retry_after=wait):
            return Fault(429, "busy", str(error), retry_after=wait)
        case Rejected():
            return _rejected(error)
        case Stalled():
            return Fault(504, "upstream_timeout", str(error))
        case ProviderError():
            return Fault(502, "upstream", str(error))
        case RecursionError():  # it could just be read, and not written again
            return Fault(400, "bad_request", "the request is nested too deeply")
        case _:
            return _unexpected(error)


def _rejected(error: Rejected) -> Fault:
    said, status = str(error), error.status
    match error.kind:
        case "auth":
            return Fault(
                502,
                "upstream",
                f"The upstream did not accept the gateway's own key ({status}); the client's key "
                "has no part in it. Whoever runs the gateway sets it with --upstream-key-env.",
            )
        case "context":
            return Fault(400, "bad_request", said)
        case "not_found" if status == 404:
            return Fault(404, "not_found", said)
        case "invalid" if status == 413:
            return Fault(413, "too_large", said)
        case "invalid" if 400 <= status < 500:
            return Fault(400, "bad_request", said)
        case "server" if status in (503, 529):
            return Fault(503, "upstream", said, retry_after=error.retry_after)
        case _:
            return Fault(502, "upstream", said, retry_after=error.retry_after)


def _unexpected(error: Exception) -> Fault:
    # its words may hold what a client said, which no log may
    places = "".join(traceback.format_tb(error.__traceback__))
    name = type(error).__name__
    _LOG.error("unexpected %s:\n%s", name, places.rstrip())
    return Fault(
        500, "ours", f"The gateway failed by a fault of its own ({name}); its log says where."
    )
