import asyncio
import pickle
from typing import Any

import pytest
from pydantic import BaseModel

from agent.errors import ConfigError
from agent.providers.endpoint import target, url
from agent.providers.open import open_provider
from agent.providers.registry import ROWS
from agent.providers.secret import Redactor, Secret
from agent.providers.settings import ProviderSettings
from tests.agent.providers.fake_server import FakeServer, answer
from tests.agent.providers.told import KEY, ask


def settings(**more: Any) -> ProviderSettings:
    told: dict[str, Any] = {"kind": "openai", "model": "m", "api_key": Secret(KEY), **more}
    return ProviderSettings(**told)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"kind": "opnai"}, ["no provider 'opnai'", "anthropic", "base_url"]),
        ({"model": None}, ["No model is set", "https://api.openai.com/v1/models"]),
        ({"model": "  "}, ["No model is set"]),
        ({"api_key": None}, ["No key is set", "OPENAI_API_KEY", "api_key"]),
        ({"kind": "anthropic", "api_key": None}, ["No key is set", "ANTHROPIC_API_KEY"]),
        ({"kind": "openrouter", "api_key": Secret("")}, ["OPENROUTER_API_KEY"]),
        ({"api_key": Secret("sk-two\nlines")}, ["api_key holds", "copy it once more"]),
        ({"api_key": Secret("schlüssel")}, ["api_key holds"]),
        (
            {"base_url": "localhost:8080"},
            ["'localhost:8080'", "Did you mean 'http://localhost:8080/v1'"],
        ),
        ({"extra_headers": {"X-A": "a\nb"}}, ["x-a holds"]),
        ({"base_url": "ftp://host/v1"}, ["no http or https URL", "Expected something like"]),
        ({"base_url": "http://"}, ["no http or https URL"]),
        ({"base_url": "http://host:99999/v1"}, ["is no URL"]),
        ({"base_url": "http://ho st/v1"}, ["cannot be reached"]),
        ({"base_url": "https://me:pass@host/v1"}, ["holds a name or a password", "api_key"]),
        ({"base_url": "https://host/v1?api_key=abc"}, ["'api_key' in its query"]),
    ],
)
def test_open_says_what_is_wrong_with_the_settings(wrong: dict[str, Any], says: list[str]) -> None:
    with pytest.raises(ConfigError) as raised:
        open_provider(settings(**wrong))

    assert [part for part in says if part not in str(raised.value)] == []
    assert "pass@" not in str(raised.value)
    assert "abc" not in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "base", "expected"),
    [
        ("openai", None, "https://api.openai.com/v1/chat/completions"),
        ("openai", "http://h:1", "http://h:1/v1/chat/completions"),
        ("openai", "http://h:1/", "http://h:1/v1/chat/completions"),
        ("openai", "http://h:1/v1/", "http://h:1/v1/chat/completions"),
        ("openai", "http://h/api/v3", "http://h/api/v3/chat/completions"),
        ("openai", "http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("openai", "https://h/d?api-version=1", "https://h/d/chat/completions?api-version=1"),
        ("ollama", None, "http://127.0.0.1:11434/v1/chat/completions"),
        (
            "gemini",
            None,
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        ),
    ],
)
def test_url_is_made_of_what_people_write(kind: str, base: str | None, expected: str) -> None:
    assert url(settings(base_url=base), ROWS[kind], "/chat/completions") == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (None, "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        ("http://h/anthropic", "http://h/anthropic/v1/messages"),
        ("http://h/v1/messages", "http://h/v1/messages"),
    ],
)
def test_url_of_anthropic_always_has_its_version(base: str | None, expected: str) -> None:
    row = ROWS["anthropic"]

    assert url(settings(base_url=base), row, "/messages", always_v1=True) == expected


def test_open_needs_no_key_elsewhere_nor_beside_a_header_of_its_own() -> None:
    open_provider(settings(api_key=None, base_url="http://127.0.0.1:8080"))
    open_provider(settings(api_key=None, base_url="http://box:8000/v1"))
    open_provider(settings(api_key=None, kind="llama.cpp"))
    open_provider(settings(api_key=None, extra_headers={"Api-Key": "something"}))


def test_open_passes_headers_on_and_keeps_them_secret() -> None:
    there = settings(extra_headers={"X-Api-Key": "header-secret-1", "X-Title": "tests"})
    made = target(there, ROWS["openai"], "http://h/v1/chat/completions", {"authorization": "x"})

    assert made.headers == {
        "authorization": "x",
        "x-api-key": "header-secret-1",
        "x-title": "tests",
    }
    assert made.place.clean("tests header-secret-1") == "tests ****"
    assert "header-secret-1" not in repr(there)


def test_registry_opens_each_kind() -> None:
    async def run() -> None:
        async with FakeServer([]) as server:
            for kind, row in ROWS.items():
                if row.base_url is None:
                    continue
                provider = open_provider(settings(kind=kind, base_url=server.base_url))
                assert (provider.name, provider.model) == (kind, "m")
                await provider.aclose()

    asyncio.run(run())


def test_provider_answers_again_after_it_was_closed() -> None:
    async def run() -> None:
        async with FakeServer([answer("a"), answer("b")]) as server:
            provider = open_provider(settings(base_url=server.base_url))
            assert (await ask(provider)).text == "a"
            await provider.aclose()
            assert (await ask(provider)).text == "b"
            await provider.aclose()
            await provider.aclose()

    asyncio.run(run())


def test_secret_shows_itself_to_nobody() -> None:
    secret = Secret(KEY)
    shown = [repr(secret), str(secret), f"{secret}", repr(settings()), repr(settings().api_key)]

    assert [each for each in shown if KEY in each] == []
    assert secret.reveal() == KEY
    assert secret == Secret(KEY)
    assert secret != Secret("other")
    assert (bool(secret), bool(Secret(""))) == (True, False)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)


def test_secret_is_a_field_of_a_model() -> None:
    class Model(BaseModel):
        key: Secret

    model = Model.model_validate({"key": KEY})

    assert model.key == Secret(KEY)
    assert KEY not in model.model_dump_json()
    assert KEY not in repr(model)
    with pytest.raises(ValueError, match="must be a string"):
        Model.model_validate({"key": 1})


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"sent {KEY}!", "sent ****!"),
        ("my-own-gateway-key", "****"),
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer ****"),
        ("https://user:pass@host/v1", "https://****@host/v1"),
        ("http://host/v1?key=abc&x=1", "http://host/v1?key=****&x=1"),
        ("AIzaSyA1234567890abcdefghijk", "****"),
        ("ollama and risk-free skeletons stay", "ollama and risk-free skeletons stay"),
    ],
)
def test_redactor_takes_keys_out_and_nothing_else(text: str, clean: str) -> None:
    assert Redactor([KEY, "my-own-gateway-key", "ollama", ""]).clean(text) == clean
