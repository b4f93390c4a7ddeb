from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.config import Config, load_config
from agent.config_environment import ollama_url
from agent.errors import ConfigError


class Place:
    def __init__(self, root: Path) -> None:
        self.user = root / "user.toml"
        self.project = root / "project" / ".tagline" / "config.toml"
        self.project.parent.mkdir(parents=True)
        self.user.write_text("")

    def load(
        self, flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None
    ) -> Config:
        known = {"TAGLINE_CONFIG": str(self.user)} | dict(environ or {})
        return load_config(flags, self.project.parent.parent, known)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_config_is_the_defaults_when_nothing_is_told(place: Place) -> None:
    config = place.load({"model": None})

    assert config == Config()
    assert not config.configured


def test_config_takes_the_strongest_layer(place: Place) -> None:
    layers: list[tuple[str, str]] = []
    place.user.write_text('model = "user"\ndialect = "cline"\nmax_turns = 7\n')
    layers.append(("user", place.load().model or ""))
    place.project.write_text('model = "project"\nmode = "both"\n')
    layers.append(("project", place.load().model or ""))
    environ = {"TAGLINE_MODEL": "environment", "TAGLINE_MAX_TURNS": "9"}
    layers.append(("environment", place.load(None, environ).model or ""))
    config = place.load({"model": "flag", "max_mistakes": None}, environ)
    layers.append(("flag", config.model or ""))

    assert all(layer == model for layer, model in layers)
    assert (config.mode, config.max_turns, config.limits.max_turns) == ("both", 9, 9)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"OPENAI_API_KEY": "k1"}, ("openai", "k1", None)),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
            ("openai", None, "http://127.0.0.1:9/v1"),
        ),
        ({"ANTHROPIC_API_KEY": "k2"}, ("anthropic", "k2", None)),
        ({"OLLAMA_HOST": "0.0.0.0"}, ("ollama", None, "http://127.0.0.1:11434")),
        ({"OPENAI_API_KEY": "k1", "ANTHROPIC_API_KEY": "k2"}, ("openai", "k1", None)),
        (
            {"OPENAI_API_KEY": "k1", "ANTHROPIC_API_KEY": "k2", "TAGLINE_PROVIDER": "anthropic"},
            ("anthropic", "k2", None),
        ),
        (
            {"OPENAI_API_KEY": "k1", "TAGLINE_PROVIDER": "ollama"},
            ("ollama", None, None),
        ),
        (
            {"OPENAI_API_KEY": "k1", "TAGLINE_API_KEY": "mine"},
            ("openai", "mine", None),
        ),
        ({"OPENAI_API_KEY": ""}, ("openai", None, None)),
    ],
)
def test_config_reads_the_environment_of_other_tools(
    place: Place, environ: dict[str, str], expected: tuple[str, str | None, str | None]
) -> None:
    config = place.load(None, environ)

    key = config.api_key.reveal() if config.api_key else None
    assert (config.provider, key, config.base_url) == expected


def test_config_gives_a_vendors_key_to_that_vendor_only(place: Place) -> None:
    place.user.write_text('provider = "anthropic"\n')

    config = place.load(None, {"OPENAI_API_KEY": "k1"})

    assert (config.provider, config.api_key) == ("anthropic", None)
    assert place.load({"provider": "openai"}, {"OPENAI_API_KEY": "k1"}).api_key is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('modell = "x"', "did you mean 'model'"),
        ("zzzzzz = 1", "known are: "),
        ("model = ", "cannot be read"),
        ("max_turns = 'many'", "max_turns"),
        ('mode = "fast"', "mode"),
        ('dialect = "clyne"', "no dialect is called 'clyne'; did you mean cline"),
        ('dialect = "none"', "no tool can be called"),
        ("temperature = [1]", "temperature"),
    ],
)
def test_config_says_what_is_wrong_with_a_file(place: Place, text: str, words: str) -> None:
    place.user.write_text(text)

    with pytest.raises(ConfigError, match=words):
        place.load()


@pytest.mark.parametrize(
    "text",
    [
        *('api_key = "k"', 'base_url = "http://evil"', 'allow = ["run"]', 'provider = "ollama"'),
        'foreign_calls = "accept"',
    ],
)
def test_config_lets_no_project_redirect_or_allow(place: Place, text: str) -> None:
    place.project.write_text(text)

    with pytest.raises(ConfigError, match="a project's file may not"):
        place.load()


def test_config_never_shows_a_key(place: Place) -> None:
    place.user.write_text('api_key = "sk-very-secret"\nmodel = "m"\n')
    config = place.load()

    assert "sk-very-secret" not in repr(config)
    assert "sk-very-secret" not in repr(config.settings)
    place.user.write_text('api_key = ["sk-very-secret"]\n')
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert "sk-very-secret" not in str(caught.value)


def test_config_refuses_unknown_flags_and_misspelt_variables(place: Place) -> None:
    with pytest.raises(ConfigError, match="the flags"):
        place.load({"modell": "x"})
    with pytest.raises(ConfigError, match="TAGLINE_MODEL"):
        place.load(None, {"TAGLINE_MODELL": "x"})
    assert place.load(None, {"TAGLINE_SOMETHING_ELSE": "x"}) == Config()


def test_config_says_when_the_named_file_is_not_there(place: Place) -> None:
    place.user.unlink()

    with pytest.raises(ConfigError, match="does not exist"):
        place.load()


def test_config_takes_a_small_window_for_the_compact_prompt(place: Place) -> None:
    assert place.load({"context_window": 8192}).limits.compact_prompt
    assert not place.load({"context_window": 8192, "prompt": "full"}).limits.compact_prompt
    assert not place.load().limits.compact_prompt


def test_config_knows_the_window_of_the_local_model(place: Place) -> None:
    limits = place.load({"provider": "local"}).limits

    assert (limits.context_window, limits.compact_prompt) == (8192, True)
    assert place.load({"provider": "local", "context_window": 4096}).limits.context_window == 4096
    assert not place.load({"provider": "local", "prompt": "full"}).limits.compact_prompt


@pytest.mark.parametrize(
    ("value", "allowed"),
    [
        ("edit", ("read", "edit")),
        ("edits", ("read", "edit")),
        ("read, edit", ("read", "edit")),
        ("run edit", ("read", "edit", "run")),
        ("read", ("read",)),
    ],
)
def test_config_allows_effects_beside_reading(
    place: Place, value: str, allowed: tuple[str, ...]
) -> None:
    assert place.load(None, {"TAGLINE_ALLOW": value}).allow == allowed
    place.user.write_text(f'allow = "{value}"\n')
    assert place.load().allow == allowed
    place.user.write_text(f"allow = {value.replace(',', ' ').split()}\n")
    assert place.load().allow == allowed


@pytest.mark.parametrize("text", ['allow = "write"', "allow = 1", 'allow = ["edit", "all"]'])
def test_config_names_the_effects_at_an_unknown_one(place: Place, text: str) -> None:
    place.user.write_text(text)

    with pytest.raises(ConfigError, match=r"allow in .*config.*expected any of read, edit and run"):
        place.load()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("context_window = -1", "context_window in {}: found -1, expected a whole number from 1"),
        ("idle_timeout = 0", "idle_timeout in {}: found 0.0, expected seconds, more than 0"),
        ("max_turns = 'many'", "max_turns in {}: found 'many', expected a whole number."),
        ("mode = 'fast'", "mode in {}: found 'fast', expected one of reparse, incremental, both."),
        ("model = 3", "model in {}: found 3, expected a text in quotes."),
        ("api_key = 3", "api_key in {}: found a value of another kind, expected a text in quotes."),
    ],
)
def test_config_names_file_key_and_what_was_expected(place: Place, text: str, words: str) -> None:
    place.user.write_text(text)

    with pytest.raises(ConfigError) as caught:
        place.load()

    assert str(caught.value).startswith(words.format(place.user))


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("https://models.example:443/", "https://models.example:443"),
        (":7000", "http://127.0.0.1:7000"),
    ],
)
def test_ollama_url_reads_what_ollama_takes(host: str, url: str) -> None:
    assert ollama_url(host) == url


def test_config_reads_the_process_environment_by_default(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [n for n in os.environ if n.startswith(("TAGLINE_", "OPENAI_", "ANTHROPIC_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TAGLINE_CONFIG", str(place.user))
    monkeypatch.setenv("TAGLINE_MODEL", "m")

    assert load_config(cwd=place.project.parent.parent).model == "m"


@pytest.mark.parametrize(
    ("dialect", "model", "settled"),
    [
        ("Cline_V2", None, "cline-v2"),
        ("auto", None, "auto"),
        ("auto", "nobody/knows-1b", "cline"),
        ("auto", "Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3_coder"),
        ("AUTO", "gpt-oss:20b", "harmony"),
        ("qwen25", "gpt-oss:20b", "hermes"),
    ],
)
def test_config_holds_the_dialects_own_name(
    place: Place, dialect: str, model: str | None, settled: str
) -> None:
    assert place.load({"dialect": dialect, "model": model}).dialect == settled
