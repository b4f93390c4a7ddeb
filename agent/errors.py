"""What can go wrong on the agent's floor, named by whose fault it is.

AgentError
├── ProviderError          the model's server, or the way to it
│   ├── Unreachable        no connection: refused, reset, unknown host, connect timeout
│   ├── Rejected           the server answered with a status that is not success
│   ├── RateLimited        too many requests for now
│   ├── StreamBroken       the answer began and did not come to its end
│   ├── Stalled            nothing came within the first-token or the idle limit
│   └── ScriptError        a played script has no such turn, or expected another message
├── LimitReached           a limit the person set (turns, tokens, cost, time, mistakes)
├── ConfigError            the configuration: what was found, what was expected, what to do
└── SessionError           a stored session cannot be read, written or continued

`retryable` says that the same request may succeed later; nothing else may be read into it.
"""

from typing import Literal

RejectedKind = Literal["auth", "quota", "not_found", "context", "invalid", "server"]
StalledKind = Literal["first_token", "idle"]


class AgentError(Exception):
    """Whatever this floor raises on purpose."""

    retryable: bool = False


class ProviderError(AgentError):
    """A fault of the model's server or of the way to it."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class Unreachable(ProviderError):
    """No connection to the server."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, retryable=retryable)


class Rejected(ProviderError):
    """An answer of the server that refuses the request; `status` is HTTP's, 0 when unknown."""

    def __init__(
        self,
        message: str,
        status: int,
        *,
        kind: RejectedKind = "invalid",
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, retryable=retryable)
        self.status = status
        self.kind: RejectedKind = kind
        self.retry_after = retry_after


class RateLimited(ProviderError):
    """Too many requests; `retry_after` in seconds when the server told it."""

    def __init__(
        self, message: str, retry_after: float | None = None, *, retryable: bool = True
    ) -> None:
        super().__init__(message, retryable=retryable)
        self.retry_after = retry_after


class StreamBroken(ProviderError):
    """A stream that did not come to its end; what was yielded before stays valid."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, retryable=retryable)


class Stalled(ProviderError):
    """Nothing came within a limit; `limit` names it, `limit_s` is its length in seconds."""

    def __init__(
        self, message: str, limit: StalledKind, limit_s: float, *, retryable: bool = True
    ) -> None:
        super().__init__(message, retryable=retryable)
        self.limit: StalledKind = limit
        self.limit_s = limit_s


class ScriptError(ProviderError):
    """A request that a played script has no answer to."""


class LimitReached(AgentError):
    """A limit the person set; `limit` names it."""

    def __init__(self, message: str, limit: str = "") -> None:
        super().__init__(message)
        self.limit = limit


class ConfigError(AgentError):
    """A configuration that cannot be used."""


class SessionError(AgentError):
    """A stored session that cannot be read, written or continued."""
