"""The kinds of providers there are: one row each, opened by one small file.

A new provider is a file with `opened(settings, row) -> Provider`, and a row here.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """How a kind is opened, and what is usual for it."""

    kind: str
    module: str
    base_url: str | None = None
    keys: tuple[str, ...] = ()  # the environment's names for the key, the first one first
    urls: tuple[str, ...] = ()  # … and for the base URL
    needs_key: bool = False  # … at its own base_url; elsewhere the server will say
    grammar: bool = False  # its server takes a GBNF grammar


_OPENAI = "agent.providers.openai_compatible"
_ROWS = (
    Row(
        "openai",
        _OPENAI,
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        needs_key=True,
    ),
    Row(
        "anthropic",
        "agent.providers.anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        ("ANTHROPIC_BASE_URL",),
        needs_key=True,
    ),
    Row(
        "gemini",
        _OPENAI,
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        needs_key=True,
    ),
    Row(
        "openrouter",
        _OPENAI,
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        needs_key=True,
    ),
    Row("deepseek", _OPENAI, "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",), needs_key=True),
    Row("mistral", _OPENAI, "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), needs_key=True),
    Row("groq", _OPENAI, "https://api.groq.com/openai/v1", ("GROQ_API_KEY",), needs_key=True),
    Row("llama.cpp", _OPENAI, "http://127.0.0.1:8080/v1", ("LLAMA_API_KEY",), grammar=True),
    Row("ollama", _OPENAI, "http://127.0.0.1:11434/v1", (), ("OLLAMA_HOST",)),
    Row("lmstudio", _OPENAI, "http://127.0.0.1:1234/v1"),
    Row("vllm", _OPENAI, "http://127.0.0.1:8000/v1", ("VLLM_API_KEY",)),
    Row("lmdeploy", _OPENAI, "http://127.0.0.1:23333/v1"),
    Row("local", "agent.providers.local", grammar=True),
    Row("scripted", "agent.providers.scripted"),
)

ROWS: Mapping[str, Row] = {row.kind: row for row in _ROWS}
