"""Dialects by name, and readers for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from importlib import import_module
from typing import Literal, assert_never

from parsing import plugins
from parsing.aliases import aliases, dialect_called, name_for_model, near_names
from parsing.blocks import Block, Finish
from parsing.crosscheck import Both
from parsing.grammar import Grammar
from parsing.incremental import Incremental
from parsing.options import AGENT, Options
from parsing.reader import Reader
from parsing.reparse import Reparse
from parsing.spec import ToolSpec
from parsing.table import Dialect

Mode = Literal["reparse", "incremental", "both"]
MODES: tuple[Mode, ...] = ("reparse", "incremental", "both")

_DIALECTS: dict[str, tuple[str, str]] = {
    "cline": ("parsing.dialects.cline", "CLINE"),
    "cline-v2": ("parsing.dialects.cline_v2", "CLINE_V2"),
    "hermes": ("parsing.dialects.hermes", "HERMES"),
    "qwen3": ("parsing.dialects.hermes", "QWEN3"),
    "qwen3_coder": ("parsing.dialects.qwen_coder", "QWEN3_CODER"),
    "glm45": ("parsing.dialects.glm", "GLM45"),
    "glm47": ("parsing.dialects.glm", "GLM47"),
    "deepseek_v3": ("parsing.dialects.sections", "DEEPSEEK_V3"),
    "deepseek_v31": ("parsing.dialects.sections", "DEEPSEEK_V31"),
    "kimi_k2": ("parsing.dialects.sections", "KIMI_K2"),
    "deepseek_r1": ("parsing.dialects.sections", "DEEPSEEK_R1"),
    "longcat": ("parsing.dialects.hermes", "LONGCAT"),
    "seed_oss": ("parsing.dialects.qwen_coder", "SEED_OSS"),
    "mimo": ("parsing.dialects.qwen_coder", "MIMO"),
    "claude_xml": ("parsing.dialects.invoke", "CLAUDE_XML"),
    "minimax_m2": ("parsing.dialects.invoke", "MINIMAX_M2"),
    "dsml": ("parsing.dialects.invoke", "DSML"),
    "deepseek_v32": ("parsing.dialects.invoke", "DEEPSEEK_V32"),
    "deepseek_v4": ("parsing.dialects.invoke", "DEEPSEEK_V4"),
    "deepseek_v41": ("parsing.dialects.invoke", "DEEPSEEK_V41"),
    "llama3_json": ("parsing.dialects.objects", "LLAMA3_JSON"),
    "llama3": ("parsing.dialects.objects", "LLAMA3"),
    "pythonic": ("parsing.dialects.pythonic", "PYTHONIC"),
    "mistral": ("parsing.dialects.mistral", "MISTRAL"),
    "mistral_v11": ("parsing.dialects.mistral", "MISTRAL_V11"),
    "gemma4": ("parsing.dialects.gemma", "GEMMA4"),
    "internlm": ("parsing.dialects.objects", "INTERNLM"),
    "fenced_json": ("parsing.dialects.objects", "FENCED_JSON"),
    "harmony": ("parsing.dialects.harmony", "HARMONY"),
    "olmo3": ("parsing.dialects.pythonic", "OLMO3"),
    "lfm2": ("parsing.dialects.pythonic", "LFM2"),
    "functiongemma": ("parsing.dialects.gemma", "FUNCTIONGEMMA"),
    "granite": ("parsing.dialects.arrays", "GRANITE"),
    "cohere": ("parsing.dialects.arrays", "COHERE"),
    "phi4_mini": ("parsing.dialects.arrays", "PHI4_MINI"),
    "firefunction": ("parsing.dialects.arrays", "FIREFUNCTION"),
    "hunyuan_a13b": ("parsing.dialects.arrays", "HUNYUAN_A13B"),
    "jamba": ("parsing.dialects.arrays", "JAMBA"),
    "nemotron_deci": ("parsing.dialects.arrays", "NEMOTRON_DECI"),
    "xlam": ("parsing.dialects.arrays", "XLAM"),
    "apertus": ("parsing.dialects.arrays", "APERTUS"),
    "granite_20b_fc": ("parsing.dialects.objects", "GRANITE_20B_FC"),
    "gigachat3": ("parsing.dialects.objects", "GIGACHAT3"),
    "gemma": ("parsing.dialects.objects", "GEMMA"),
    "plamo3": ("parsing.dialects.sections", "PLAMO3"),
    "inkling": ("parsing.dialects.inkling", "INKLING"),
    "functionary_v31": ("parsing.dialects.functionary", "FUNCTIONARY_V31"),
    "functionary_v32": ("parsing.dialects.functionary", "FUNCTIONARY_V32"),
    "kimi_k3": ("parsing.dialects.kimi_k3", "KIMI_K3"),
    "poolside_v1": ("parsing.dialects.glm", "POOLSIDE_V1"),
    "spark25": ("parsing.dialects.glm", "SPARK25"),
    "iquest_q1": ("parsing.dialects.glm", "IQUEST_Q1"),
    "hy_v3": ("parsing.dialects.glm", "HY_V3"),
    "k2_horizon": ("parsing.dialects.glm", "K2_HORIZON"),
    "step3": ("parsing.dialects.elements", "STEP3"),
    "dots": ("parsing.dialects.elements", "DOTS"),
    "gigachat35": ("parsing.dialects.elements", "GIGACHAT35"),
    "minicpm5": ("parsing.dialects.elements", "MINICPM5"),
    "muse": ("parsing.dialects.elements", "MUSE"),
    "minimax_m3": ("parsing.dialects.minimax_m3", "MINIMAX_M3"),
    "none": ("parsing.dialects.none", "NONE"),
}
AUTO = "auto"  # no dialect: what is to be found out
NO_CALLS = "none"


class UnknownDialect(LookupError):
    """No dialect of that name; the caller's fault."""


def dialect_names() -> tuple[str, ...]:
    """Give the names of all dialects: ours, then those that packages bring."""
    return (*_DIALECTS, *plugins.plugin_names(_own()))


def canonical_name(name: str) -> str:
    """Give the name that a dialect goes by here, of that name or an alias; imports no dialect.

    Raises UnknownDialect.  Packages are looked through only for a name that is not ours.
    """
    found = own_dialect(name) or dialect_called(name, dialect_names())
    if found is None:
        raise UnknownDialect(_unknown(name))
    return found


def dialect(name: str) -> Dialect:
    """Give a dialect by its name or an alias.

    Raises UnknownDialect, and GrammarError when the package that brings it is broken.
    """
    called = canonical_name(name)
    if called not in _DIALECTS:
        return plugins.plugin(called)
    module, attribute = _DIALECTS[called]
    found: Dialect = getattr(import_module(module), attribute)
    return found


def dialect_for_model(model: str) -> str | None:
    """Give the name of the dialect that models of this name write; None where that is not known."""
    name = name_for_model(model)
    return own_dialect(name) if name else None


def own_dialect(name: str) -> str | None:
    """Give the name of the dialect of ours that goes by this name or alias, if there is one."""
    return dialect_called(name, _DIALECTS)


def dialect_aliases() -> dict[str, tuple[str, ...]]:
    """Give our dialects' other names, those of model servers' parsers."""
    return aliases(_DIALECTS)


def unused_plugins(name: str | None = None) -> tuple[str, ...]:
    """Say which packages' dialects (of this name) are not used because the name is taken."""
    return plugins.refused(_own(), name)


def _own() -> list[str]:
    return [AUTO, *_DIALECTS, *(name for names in dialect_aliases().values() for name in names)]


def _unknown(name: str) -> str:
    if unused := unused_plugins(name):
        return "; ".join(unused)
    known = dialect_names()
    near = near_names(name, known)
    meant = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"
    return f"no dialect is called {name!r}; {meant}"


def reader(
    protocol: str | Dialect,
    tools: Sequence[ToolSpec] = (),
    mode: Mode = "reparse",
    *,
    options: Options = AGENT,
) -> Reader:
    """Make a reader for one message.

    Raises UnknownDialect, and GrammarError for tools that the dialect cannot tell apart.
    """
    found = dialect(protocol) if isinstance(protocol, str) else protocol
    if found.readers is not None:
        reparse, incremental = found.readers(tools)
    else:
        grammar = compiled(found, tools, options)
        reparse, incremental = Reparse(grammar), Incremental(grammar)
    match mode:
        case "reparse":
            return reparse
        case "incremental":
            return incremental
        case "both":
            return Both(reparse, incremental)
        case _:
            assert_never(mode)


_COMPILED: OrderedDict[tuple[object, ...], Grammar] = OrderedDict()


def compiled(protocol: Dialect, tools: Sequence[ToolSpec], options: Options = AGENT) -> Grammar:
    """Compile a dialect for these tools, or give the grammar compiled before."""
    key = (protocol, *map(id, tools), options)
    found = _COMPILED.get(key)
    if found is None or any(one is not two for one, two in zip(found.tools, tools, strict=True)):
        found = _COMPILED[key] = Grammar(protocol, tools, options)
        if len(_COMPILED) > 32:
            _COMPILED.popitem(last=False)
    return found


def parse(
    text: str,
    protocol: str | Dialect = "cline",
    tools: Sequence[ToolSpec] = (),
    *,
    finish: Finish | None = Finish.STOP,
    options: Options = AGENT,
) -> tuple[Block, ...]:
    """Read a whole message; with no finish it is a message that has not ended yet."""
    message = reader(protocol, tools, options=options)
    message.feed(text)
    if finish is not None:
        message.close(finish)
    return message.blocks
