"""The marks of a dialect that a tokenizer may have as special tokens.

Servers leave special tokens out of the text unless they are told not to, and without them no call
of Kimi's, Llama's or Harmony's arrives.  Which marks are special in a model's vocabulary is not
known here: those that have the form of a token are taken for such.
"""

from __future__ import annotations

import re
from functools import lru_cache

from parsing import Dialect, Options, dialect
from parsing.marks import parts_of

_TOKEN = re.compile(
    r"<[|｜][^<>|｜]{1,60}[|｜]>|<[|｜]?[\w:/▁|-]{2,60}[|｜]?>|\]<\]\w+\[>\[|｜[^<>|｜\s]{1,60}｜|\[/?[A-Z_]{3,40}\]"
)
_EVERYWHERE = frozenset(
    f"<{end}{word}>" for end in ("", "/") for word in ("think", "thinking", "thought")
)


@lru_cache(256)
def special_tokens(name: str) -> tuple[str, ...]:
    """Give the marks of the dialect of this name, those of reasoning among them.

    A dialect whose tags are the tools' own names, or that has no calls, has none.
    """
    found = dialect(name)
    if found.tags_only or not found.shape.call:
        return ()
    shape = found.shape
    spelled = (shape.before, shape.after, *shape.call, *shape.param, *shape.result)
    words = [*(part for part in spelled if isinstance(part, str)), *_table_words(found)]
    tokens = dict.fromkeys(token for word in words for token in _TOKEN.findall(word))
    return tuple(tokens) if tokens.keys() - _EVERYWHERE else ()


def _table_words(found: Dialect) -> list[str]:
    table = found.table((), Options(profile="serving"))
    marks = dict.fromkeys(mark for mode in table.modes.values() for mark in mode.edges)
    return [part for mark in marks for part in parts_of(mark) if isinstance(part, str)]
