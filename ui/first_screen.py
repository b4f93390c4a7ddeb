"""What a person reads who has set nothing yet: what to set, what is there, and the demo.

Law: four lines say what to set; nothing is asked of any machine but this one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ui.sanitise import one_line, visible

if TYPE_CHECKING:
    from agent.providers.discover import Found

_NAMES = {"ollama": "Ollama", "lmstudio": "LM Studio", "vllm": "vLLM", "lmdeploy": "LMDeploy"}


def first_screen() -> list[str]:
    """Look for local servers (a quarter of a second) and give the lines."""
    import asyncio

    from agent.providers.discover import discover

    return lines(asyncio.run(discover()))


def lines(found: tuple[Found, ...]) -> list[str]:
    """Give the lines for the servers that were found."""
    from agent.config import user_file

    place = visible(str(user_file(os.environ)))
    return [
        f"No model is set. Name one by a flag, in the environment, or in {place}:",
        "  a server of yours    tagline --base-url http://localhost:8080/v1 --model NAME",
        "  OpenAI-compatible    export OPENAI_API_KEY=... (OPENAI_BASE_URL=... for other hosts)",
        "  Anthropic            export ANTHROPIC_API_KEY=...",
        *(_found(server) for server in found),
        "To see Tagline work first, with nothing to set up: tagline demo",
    ]


def _found(server: Found) -> str:
    name = _NAMES.get(server.kind, server.kind)
    model = one_line(server.model or "", 60)
    flags = f"--base-url {server.base_url}" + (f" --model {model}" if model else "")
    return f"  found listening: {name}    tagline {flags}"
