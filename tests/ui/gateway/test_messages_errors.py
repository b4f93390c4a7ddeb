from __future__ import annotations

import anthropic
import pytest

from tests.ui.gateway.messages_play import ASKED, Play
from ui.gateway.client import Fault
from ui.gateway.messages import MESSAGES


@pytest.fixture
def play() -> Play:
    return Play()


def test_messages_breaks_off_with_an_error(play: Play) -> None:
    play.end = Fault(502, "upstream", "the upstream went away")
    heard: list[str] = []
    with (
        play.client() as client,
        client.messages.stream(**ASKED) as stream,
        pytest.raises(anthropic.APIStatusError) as broken,
    ):
        heard.extend(stream.text_stream)

    assert "".join(heard) == "I call.Done 東京\u2028🚀"
    assert broken.value.status_code == 200  # it had begun
    assert broken.value.body == {
        "type": "error",
        "error": {"type": "api_error", "message": "the upstream went away"},
    }


@pytest.mark.parametrize(
    ("fault", "kind", "raised"),
    [
        (Fault(400, "bad_request", "no"), "invalid_request_error", anthropic.BadRequestError),
        (Fault(401, "auth", "no"), "authentication_error", anthropic.AuthenticationError),
        (Fault(403, "auth", "no"), "permission_error", anthropic.PermissionDeniedError),
        (Fault(404, "not_found", "no"), "not_found_error", anthropic.NotFoundError),
        (Fault(413, "too_large", "no"), "request_too_large", anthropic.APIStatusError),
        (Fault(429, "busy", "no"), "rate_limit_error", anthropic.RateLimitError),
        (Fault(503, "busy", "no"), "overloaded_error", anthropic.InternalServerError),
        (Fault(503, "upstream", "no"), "overloaded_error", anthropic.InternalServerError),
        (Fault(502, "upstream", "no"), "api_error", anthropic.InternalServerError),
        (Fault(504, "upstream_timeout", "no"), "timeout_error", anthropic.InternalServerError),
        (Fault(500, "ours", "no"), "api_error", anthropic.InternalServerError),
    ],
)
def test_messages_tells_a_fault(
    play: Play, fault: Fault, kind: str, raised: type[anthropic.APIStatusError]
) -> None:
    play.end = fault
    with play.client() as client, pytest.raises(raised) as found:
        client.messages.create(**ASKED)

    assert found.value.body == {"type": "error", "error": {"type": kind, "message": "no"}}


def test_messages_names_the_member_at_fault() -> None:
    unnamed = Fault(400, "bad_request", "found nothing", "max_tokens")
    named = Fault(400, "bad_request", "max_tokens: found nothing", "max_tokens")

    assert MESSAGES.error(unnamed) == MESSAGES.error(named)
