"""How long a server asks us to wait, from the headers of its answer."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_EPOCH_MS = 1e11
_EPOCH_S = 1e8
_SPAN = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Read the wait in seconds, None when the server named none; `now` is seconds since 1970.

    Known: retry-after-ms, retry-after (seconds or an HTTP date: RFC 9110 §10.2.3), and
    x-ratelimit-reset (seconds, a span such as 1m30s, or a moment in s or ms since 1970).
    """
    for name, read in (
        ("retry-after-ms", _milliseconds),
        ("retry-after", _seconds_or_date),
        ("x-ratelimit-reset", _moment),
    ):
        if (value := headers.get(name)) is None:
            continue
        if (wait := read(value.strip(), now)) is not None:
            return max(0.0, wait)
    return None


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None


def _milliseconds(value: str, now: float) -> float | None:
    number = _number(value)
    return None if number is None else number / 1000


def _seconds_or_date(value: str, now: float) -> float | None:
    if (number := _number(value)) is not None:
        return number
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() - now


def _moment(value: str, now: float) -> float | None:
    match _number(value):
        case None:
            return _span(value) if _SPAN.match(value) and value else _iso(value, now)
        case number if number > _EPOCH_MS:
            return number / 1000 - now
        case number if number > _EPOCH_S:
            return number - now
        case number:
            return number


def _span(value: str) -> float | None:
    found = _SPAN.match(value)
    if found is None:
        return None
    hours, minutes, seconds, ms = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds + ms / 1000


def _iso(value: str, now: float) -> float | None:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() - now
