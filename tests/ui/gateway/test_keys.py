from __future__ import annotations

import hmac

import pytest

from agent.providers.secret import Secret
from ui.gateway.faults import Refused
from ui.gateway.keys import check

KEY = Secret("sk-of-the-gateway")


@pytest.mark.parametrize(
    "headers",
    [
        [(b"authorization", b"Bearer sk-of-the-gateway")],
        [(b"authorization", b"bearer  sk-of-the-gateway ")],
        [(b"x-api-key", b"sk-of-the-gateway")],
        [(b"x-api-key", b"another"), (b"authorization", b"Bearer sk-of-the-gateway")],
    ],
)
def test_key_is_taken_from_either_header(headers: list[tuple[bytes, bytes]]) -> None:
    check(KEY, headers)


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], "no key"),
        ([(b"authorization", b"sk-of-the-gateway")], "no key"),
        ([(b"authorization", b"Basic sk-of-the-gateway")], "no key"),
        ([(b"x-api-key", b"")], "a key that is not the gateway's"),
        ([(b"x-api-key", b"sk-of-the-gatewa")], "a key that is not the gateway's"),
        ([(b"x-api-key", b"sk-of-the-gateway\xff")], "a key that is not the gateway's"),
    ],
)
def test_key_that_is_not_shown_is_missed(headers: list[tuple[bytes, bytes]], found: str) -> None:
    with pytest.raises(Refused) as error:
        check(KEY, headers)

    fault = error.value.fault
    assert (fault.status, fault.kind) == (401, "auth")
    assert fault.message.startswith(f"found {found};")
    assert "sk-of" not in fault.message


def test_key_is_not_asked_for_where_there_is_none() -> None:
    check(None, [])


def test_key_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return True

    monkeypatch.setattr(hmac, "compare_digest", compare)
    check(KEY, [(b"x-api-key", b"anything")])

    assert compared == [(b"anything", b"sk-of-the-gateway")]
