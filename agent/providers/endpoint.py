"""Settings checked before anything goes out: what was found, what was expected, what to do."""

from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit

from agent.errors import ConfigError
from agent.providers.refusals import Place
from agent.providers.registry import Row
from agent.providers.secret import Redactor, telling
from agent.providers.settings import ProviderSettings, on_loopback
from agent.providers.wire import Target


def url(settings: ProviderSettings, row: Row, path: str, *, always_v1: bool = False) -> str:
    """Make the URL of `path`; /v1 comes before it where the base URL has no path of its own."""
    parts = _split((settings.base_url or row.base_url or "").strip())
    folder = parts.path.rstrip("/").removesuffix(path)
    if not folder or (always_v1 and not folder.endswith("/v1")):
        folder += "/v1"
    return parts._replace(path=folder + path, fragment="").geturl()


def _split(base: str) -> SplitResult:
    try:
        parts = urlsplit(base)
        port = parts.port
    except ValueError as fault:
        raise ConfigError(f"base_url {base!r} is no URL: {fault}. {_EXPECTED}") from None
    if parts.username or parts.password:
        raise ConfigError(
            f"base_url for {parts.hostname} holds a name or a password; expected none there. Put "
            "the key into api_key."
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        meant = f"http://{base}" if "/" in base else f"http://{base}/v1"
        hint = f" Did you mean {meant!r}?" if "://" not in base and base else ""
        raise ConfigError(f"base_url {base!r} is no http or https URL. {_EXPECTED}{hint}")
    if port == 0 or any(character.isspace() for character in base):
        raise ConfigError(f"base_url {base!r} cannot be reached. {_EXPECTED}")
    if telltale := [name for name, _ in parse_qsl(parts.query) if telling(name)]:
        raise ConfigError(
            f"base_url holds {telltale[0]!r} in its query; expected no key there. Put the key into "
            "api_key."
        )
    return parts


def target(settings: ProviderSettings, row: Row, where: str, headers: Mapping[str, str]) -> Target:
    """Check model and key, and say where requests go; raises ConfigError."""
    model = (settings.model or "").strip()
    if not model:
        raise ConfigError(
            f"No model is set for provider {row.kind!r}. Name one that the server knows by --model "
            f"or TAGLINE_MODEL{_listed(where)}."
        )
    given = {name.lower(): value for name, value in settings.extra_headers.items()}
    key = settings.api_key.reveal() if settings.api_key else ""
    _check_key(row, where, key, given)
    secrets = [key, *(value for name, value in given.items() if telling(name))]
    place = Place(where, model, row.keys, Redactor(secrets))
    limits = settings.timeouts.at(loopback=on_loopback(where))
    return Target(place, {**headers, **given}, limits)


def _check_key(row: Row, where: str, key: str, headers: Mapping[str, str]) -> None:
    at_home = row.needs_key and urlsplit(where).hostname == urlsplit(row.base_url or "").hostname
    if not key and at_home and not any(telling(name) for name in headers):
        raise ConfigError(
            f"No key is set for provider {row.kind!r}. Set {' or '.join(row.keys)} in the "
            "environment, or api_key in the configuration."
        )
    for name, value in {"api_key": key, **headers}.items():
        if not (value.isascii() and value.isprintable()) or value != value.strip():
            raise ConfigError(
                f"{name} holds blanks around it, a line break or a character that cannot stand in "
                "a header. Expected the bare value: copy it once more."
            )


def _listed(where: str) -> str:
    return f" ({where.rsplit('/chat/', 1)[0]}/models lists them)" if "/chat/" in where else ""


_EXPECTED = "Expected something like 'http://127.0.0.1:8080/v1' or 'https://api.openai.com/v1'."
