"""The key that clients must show.

Law: how long a comparison takes says nothing of the key.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from agent.providers.secret import Secret
from ui.gateway.client import Fault
from ui.gateway.faults import Refused

Headers = Iterable[tuple[bytes, bytes]]
_BEARER = b"bearer "


def check(key: Secret | None, headers: Headers) -> None:
    """Look for the key, a bearer token or `x-api-key`; raises Refused when it is not shown."""
    if key is None:
        return
    shown = list(_shown(headers))
    expected = key.reveal().encode()
    if not any(hmac.compare_digest(one, expected) for one in shown):
        found = "a key that is not the gateway's" if shown else "no key"
        raise Refused(
            Fault(
                401,
                "auth",
                f"found {found}; expected the gateway's key, as 'Authorization: Bearer …' or "
                "'x-api-key: …'",
            )
        )


def _shown(headers: Headers) -> Iterable[bytes]:
    for name, value in headers:
        if name == b"x-api-key":
            yield value.strip()
        elif name == b"authorization" and value[: len(_BEARER)].lower() == _BEARER:
            yield value[len(_BEARER) :].strip()
