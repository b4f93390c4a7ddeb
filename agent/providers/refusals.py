"""A server's refusal, as a status or inside a stream, in words a person can act on."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ProviderError, RateLimited, Rejected, StreamBroken
from agent.providers.jsons import as_object, as_word, is_array, is_object
from agent.providers.secret import Redactor

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_LONGEST = 600
_MOST_READ = 20_000
_CONTEXT = re.compile(
    r"(?i)context.{0,20}(length|window|size)|maximum context|prompt is too long|too many tokens"
    r"|exceeds? the (available|maximum) (context|number of tokens)|input is too long"
)
_QUOTA = re.compile(r"(?i)insufficient.{0,3}(quota|credit|balance|funds)|credit balance")
_AUTH = re.compile(r"(?i)authentication|invalid.{0,3}api.{0,3}key|permission_?error|unauthorized")
_RATE = re.compile(r"(?i)rate.?limit|too many requests")
_INVALID = re.compile(r"(?i)invalid_request|not_found_error|bad_request|invalid_argument")
_MODEL = re.compile(r"(?i)model")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request went, for the words of an error."""

    url: str
    model: str
    key_names: tuple[str, ...] = ()
    redactor: Redactor = field(default_factory=lambda: Redactor(()), repr=False)

    def clean(self, text: str) -> str:
        """Take keys out, and only then cut: half a key is none that can be found."""
        text = self.redactor.clean(text)
        return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


@dataclass(frozen=True, slots=True)
class Told:
    """What a server said of a fault: its message, and the words and number of its code."""

    message: str
    words: str = ""
    status: int | None = None


def read_body(body: str) -> Told:
    """Read an error body of any of the usual shapes; a body that is no JSON is its own message."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return Told(_plain(body))
    return read_error(value[0] if is_array(value) and value else value)


def read_error(value: Any) -> Told:
    """Read an error value: a string, an object, or an object that holds one under "error"."""
    if isinstance(value, str):
        return Told(_plain(value))
    if not is_object(value):
        return Told(_plain(json.dumps(value)))
    inner = value.get("error")
    return read_error(inner) if inner and (is_object(inner) or as_word(inner)) else _object(value)


def _object(value: Mapping[str, Any]) -> Told:
    message = value.get("message") or value.get("detail") or value.get("msg")
    if not isinstance(message, str):
        message = json.dumps(message or value, ensure_ascii=False)
    if raw := as_word(as_object(value.get("metadata")).get("raw")):  # OpenRouter's upstream
        message = f"{message}: {raw}"
    words = " ".join(str(value[key]) for key in ("type", "code", "status") if value.get(key))
    return Told(_plain(message), words, _status(value))


def _status(value: Mapping[str, Any]) -> int | None:
    for key in ("code", "status", "status_code"):
        word = value.get(key)
        if isinstance(word, int | str) and str(word).isdecimal() and 400 <= int(word) < 600:
            return int(word)
    return None


def _plain(text: str) -> str:
    if len(text) > _MOST_READ:  # a key may be cut there: what may be its beginning goes too
        text = "".join(re.split(r"(\s)", text[:_MOST_READ])[:-1])
    if re.search(r"(?i)<h[1-6]\b", text):  # such a page says its title again
        text = re.sub(r"(?is)<title\b.*?</title>", " ", text)
    text = re.sub(r"(?is)<(script|style)\b.*?</\1>|<[^>]{0,200}>", " ", text)
    return " ".join(text.split())


def refused(status: int, told: Told, place: Place, retry_after: float | None) -> ProviderError:
    """Make the error for an answer whose status is not success."""
    about = f"{told.message} {told.words}"
    whole = place.clean(told.message) or "no words of its own"
    said = whole.rstrip(". ")  # where a sentence of ours follows
    if status == 402 or (status in (400, 403, 429) and _QUOTA.search(about)):
        return Rejected(
            f"The account at {place.url} has no quota left ({status}): {said}. "
            "Add credit, or choose another provider.",
            status,
            kind="quota",
        )
    if status == 429:
        return RateLimited(f"{place.url} asks for fewer requests (429): {whole}", retry_after)
    if status in (401, 403):
        return Rejected(_key_words(status, said, place), status, kind="auth")
    if status in (400, 413, 422, 500) and _CONTEXT.search(about):
        return Rejected(
            f"The conversation is longer than the window of model {place.model!r} ({status}): "
            f"{said}. Start a new session, use a model with a larger window, or raise the "
            "server's context size.",
            status,
            kind="context",
        )
    if status in (404, 405):
        return Rejected(_lost_words(status, said, about, place), status, kind="not_found")
    if status in PASSING:
        return Rejected(
            f"The server at {place.url} cannot answer now ({status}): {whole}",
            status,
            kind="server",
            retryable=True,
            retry_after=retry_after,
        )
    return Rejected(f"{place.url} refused the request ({status}): {whole}", status)


def _key_words(status: int, said: str, place: Place) -> str:
    names = " or ".join(place.key_names)
    where = f"api_key, {names}" if names else "api_key"
    return (
        f"{place.url} did not accept the key ({status}): {said}. Check the key ({where}) and that "
        f"it may use model {place.model!r}."
    )


def _lost_words(status: int, said: str, about: str, place: Place) -> str:
    if _MODEL.search(about):
        return (
            f"{place.url} does not know model {place.model!r} ({status}): {said}. Choose one that "
            "the server lists (GET …/models)."
        )
    return (
        f"There is nothing to talk to at {place.url} ({status}): {said}. Check base_url: for most "
        "OpenAI-compatible servers it ends in /v1."
    )


def broken_off(value: Any, place: Place) -> ProviderError:
    """Make the error for an error object (or string) inside a stream that began as a success."""
    told = read_error(value)
    about = f"{told.message} {told.words}"
    status = told.status or _guessed(about)
    final = status is not None and status not in PASSING
    if status is not None and (final or _QUOTA.search(about) or _CONTEXT.search(about)):
        return refused(402 if _QUOTA.search(about) else status, told, place, None)
    said = place.clean(told.message)
    if status == 429:
        return RateLimited(f"{place.url} asks for fewer requests (in the stream): {said}")
    code = f" ({status})" if status else ""
    return StreamBroken(f"The server broke the answer off{code}: {said}", retryable=True)


def _guessed(about: str) -> int | None:
    if _CONTEXT.search(about):
        return 400
    for pattern, status in ((_QUOTA, 402), (_AUTH, 401), (_RATE, 429), (_INVALID, 400)):
        if pattern.search(about):
            return status
    return None
