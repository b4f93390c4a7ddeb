"""The environment that commands started for the model get: the person's own, without Tagline's.

The law: what started Tagline (its virtual environment, its paths, the keys of its providers) is
not handed to what the model starts, and a program that would ask a person finds nobody to ask.
"""

import os
import re
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

QUIET: Mapping[str, str] = {
    "TERM": "dumb",
    "CI": "1",
    "NO_TTY": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
}
TREE_MARK = "COMMAND_TREE"
"""Holds the mark by which every process of one command is found again, whoever adopted it."""

_OURS = frozenset(
    {"PYTHONPATH", "PYTHONHOME", "PYTHONEXECUTABLE", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT"}
    | {"__PYVENV_LAUNCHER__"}
)
_PROVIDERS = (
    "AI21 AI_GATEWAY ANTHROPIC ANYSCALE ARK AZURE_AI AZURE_OPENAI BASETEN CEREBRAS CHUTES CLAUDE "
    "CLAUDE_CODE CO CODESTRAL COHERE DASHSCOPE DATABRICKS DEEPINFRA DEEPSEEK FIREWORKS GEMINI "
    "GIGACHAT GOOGLE_AI GOOGLE_GENAI GROK GROQ HF HUGGINGFACE HUGGINGFACEHUB HUGGING_FACE "
    "HYPERBOLIC LAMBDA LITELLM LLAMA LLM LMSTUDIO MINIMAX MISTRAL MOONSHOT KIMI NEBIUS NOVITA "
    "NVIDIA NIM OLLAMA OPENAI OPENROUTER PERPLEXITY PPLX QWEN REPLICATE SAMBANOVA SILICONFLOW "
    "STEPFUN TOGETHER TOGETHERAI UPSTAGE VERTEX VERTEXAI VLLM VOYAGE WATSONX XAI ZAI ZHIPU "
    "ZHIPUAI BIGMODEL"
)
_ENTRY = re.compile(rb"([^=\0]+)=([^\0]+)")
_SECRET_NAME = re.compile(
    r"TAGLINE_.*|.*API_?KEYS?(?:_\w+)?"
    rf"|(?:{'|'.join(_PROVIDERS.split())})_(?:\w*_)?(?:KEY|TOKEN|SECRET)S?(?:_\d+)?",
    re.IGNORECASE,
)


def command_environment(
    base: Mapping[str, str], *, secrets: Collection[str] = ()
) -> dict[str, str]:
    """Make the environment of a command out of ours.

    `secrets` are values (a key read from the config): a variable that holds one goes, whatever
    its name.
    """
    kept = {
        name: value
        for name, value in base.items()
        if name not in _OURS and not _secret(name, value, secrets)
    }
    if "PATH" in kept:
        kept["PATH"] = _path_without_ours(kept["PATH"])
    return {**kept, **QUIET}


def blank_start_environment(secrets: Collection[str] = ()) -> None:
    """Take our keys out of the environment that the system shows of us.

    /proc/PID/environ shows the block of memory that a program was started with to every process
    of the same user (report: subzeroclaw#13).  Ours is blanked there; `os.environ` keeps its
    values.  Does nothing without /proc.
    """
    import ctypes  # here: only who runs a command pays for it

    with suppress(OSError, IndexError, ValueError):
        stat = Path("/proc/self/stat").read_bytes()
        fields = stat[stat.rfind(b")") + 2 :].split()
        start, end = int(fields[47]), int(fields[48])  # env_start, env_end: proc_pid_stat(5)
        block = Path("/proc/self/environ").read_bytes()
        if not 0 < len(block) <= end - start:
            return
        for entry in _ENTRY.finditer(block):
            if _secret(os.fsdecode(entry[1]), os.fsdecode(entry[2]), secrets):
                ctypes.memset(start + entry.start(2), 0, len(entry[2]))


def marked(environment: Mapping[str, str], mark: str) -> dict[str, str]:
    """Add a command's mark, behind that of a command which we ourselves run in."""
    outer = os.environ.get(TREE_MARK)
    return {**environment, TREE_MARK: f"{outer}:{mark}" if outer else mark}


def _secret(name: str, value: str, secrets: Collection[str]) -> bool:
    """Say whether a variable is the agent's own, its keys above all."""
    if _SECRET_NAME.fullmatch(name):
        return True
    return any(secret and secret in value for secret in secrets)


def _path_without_ours(path: str) -> str:
    if sys.prefix == sys.base_prefix:
        return path
    ours = os.path.realpath(f"{sys.prefix}/bin")
    parts = path.split(os.pathsep)
    return os.pathsep.join(part for part in parts if not part or os.path.realpath(part) != ours)
