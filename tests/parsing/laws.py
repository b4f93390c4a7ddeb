"""The laws of `cline` that one message can show, as checks that raise AssertionError.

Numbers are those of `parsing/README.md`; law 6 is a benchmark, law 8 starts from a call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from parsing import (
    Block,
    Finish,
    Mode,
    Options,
    ReasoningBlock,
    TextBlock,
    ToolSpec,
    ToolUse,
    reader,
)
from parsing.dialects.cline import REASONING
from parsing.options import AGENT
from tests.parsing.slow import slow

_MARK = re.compile(rf"</?(?:{'|'.join(REASONING)})[ \t]{{0,8}}>")
_HELD = re.compile(
    r"<(?:/?[\w-]*[ \t]{0,8}|/?[\w-]+[ \t]{0,8}>(?:`|\s*(?:<(?:/?[\w-]*[ \t]{0,8})?)?))"
)


def check(
    text: str,
    tools: Sequence[ToolSpec],
    finish: Finish,
    chunks: Sequence[str],
    *,
    options: Options = AGENT,
) -> None:
    """Check laws 1 to 5 and 7 while the chunks are read, and the definition at both ends."""
    message = reader("cline", tools, "both", options=options)
    before: tuple[Block, ...] = ()
    for chunk in chunks:
        change = message.feed(chunk)
        first = change.first
        blocks = message.blocks
        grown(before, blocks)
        assert before[:first] == blocks[:first], "a block below `first` changed"
        short_leash(blocks, message.text)
        before = blocks
    opened = slow(text, tools, None, options)
    agree(before, opened, text)
    message.close(finish)
    grown(before, message.blocks)
    tiled(message.blocks, text)
    agree(message.blocks, slow(text, tools, finish, options), text)


def agree(blocks: Sequence[Block], definition: Sequence[Block], text: str) -> None:
    """Law 1, with the definition as the third reading."""
    found, wanted = [*map(wordless, blocks)], [*map(wordless, definition)]
    assert found == wanted, f"not the definition's reading: {text!r}: {found} != {wanted}"


def wordless(block: Block) -> Block:
    """Leave out words for people: they are not defined."""
    if not isinstance(block, ToolUse):
        return block
    fault = None if block.fault is None else "some"
    return replace(block, fault=fault, repaired=("some",) * len(block.repaired))


def same_for_any_cut(
    text: str, tools: Sequence[ToolSpec], finish: Finish, cuts: Sequence[Sequence[str]], mode: Mode
) -> None:
    """Law 2."""
    found = set[tuple[Block, ...]]()
    for chunks in cuts:
        message = reader("cline", tools, mode)
        for chunk in chunks:
            message.feed(chunk)
        message.close(finish)
        found.add(message.blocks)
    assert len(found) == 1, f"cuts matter: {text!r}"


def grown(before: Sequence[Block], after: Sequence[Block]) -> None:
    """Law 3: nothing vanishes, changes its kind or name, or is taken back."""
    assert len(before) <= len(after), "a block vanished"
    for old, new in zip(before, after, strict=False):
        assert old.start == new.start
        if not old.partial:
            assert old == new, "a closed block changed"
            continue
        match old, new:
            case TextBlock(), TextBlock():
                assert new.content.startswith(old.content)
            case ReasoningBlock(), ReasoningBlock():
                assert new.reasoning.startswith(old.reasoning)
            case ToolUse(), ToolUse():
                _call_grown(old, new)
            case _:
                raise AssertionError(f"{old} became {new}")


def _call_grown(old: ToolUse, new: ToolUse) -> None:
    assert old.name == new.name
    assert new.repaired[: len(old.repaired)] == old.repaired
    assert new.arguments.startswith(old.arguments), (old.arguments, new.arguments)
    for one, two in zip(old.values, new.values, strict=False):
        assert one.key == two.key
        assert two.text.startswith(one.text)
        assert not one.closed or one == two
    last = {value.key: value for value in old.values}
    later = {value.key for value in new.values[len(old.values) :]}
    settled = [key for key, value in last.items() if value.closed and key not in later]
    assert all(old.params[key] == new.params[key] for key in settled)


def tiled(blocks: Sequence[Block], text: str) -> None:
    """Law 4: blocks, the marks between them and white space are the whole text."""
    spans = [(block.start or 0, len(text) if block.end is None else block.end) for block in blocks]
    if len(spans) > 1 and spans[-1][0] < spans[-2][1] and isinstance(blocks[-1], ToolUse):
        spans.pop()  # recovered from the reasoning in which it lies
    for (_, end), (start, _) in pairwise([(0, 0), *spans, (len(text), len(text))]):
        assert start >= end, "blocks overlap"
        assert not _MARK.sub("", text[end:start]).strip(), f"lost: {text[end:start]!r}"
    for block in blocks:
        match block:
            case TextBlock():
                assert block.content == text[block.start : block.end].strip()
            case ReasoningBlock():
                assert block.reasoning == text[block.start : block.end].strip()
            case ToolUse():
                _call_tiled(block, text[block.start : block.end])


def _call_tiled(call: ToolUse, text: str) -> None:
    at = _passed(call.name, text, 0)
    between: list[str] = []
    for value in call.values:
        opener = at + _until(value.key, text[at:])
        between.append(text[at:opener])
        at = _passed(value.key, text, opener)
        lead = len(text[at:]) - len(text[at:].lstrip())
        body = value.text.lstrip()
        assert text.startswith(body, at + lead if body else at), f"not in the text: {value}"
        at += lead + len(body) if body else 0
        if value.closed and (closer := re.compile(rf"\s*</{_loose(value.key)}").match(text, at)):
            at = closer.end()
        else:
            assert call.partial or call.fault
    junk = sum(bool(gap.strip()) for gap in between)
    assert junk <= sum(note.startswith("ignored: ") for note in call.repaired)


def _loose(name: str) -> str:
    return re.sub("[-_]", "[-_]", name) + r"[ \t]{0,8}>"


def _until(name: str, text: str) -> int:
    found = re.search(f"<{_loose(name)}", text)
    assert found is not None
    return found.start()


def _passed(name: str, text: str, at: int) -> int:
    found = re.compile(f"<{_loose(name)}").match(text, at)
    assert found is not None
    return found.end()


def short_leash(blocks: Sequence[Block], text: str) -> None:
    """Law 5: what is held back is part of a tag, or a tag with what decides on it."""
    match blocks[-1:]:
        case [TextBlock(partial=True, start=int(start)) as block]:
            shown, places = block.content, [start]
        case [ReasoningBlock(partial=True, start=int(start)) as reasoning]:
            shown, places = reasoning.reasoning, [start]
        case [ToolUse(partial=True, start=int(start)) as call] if call.values:
            value = call.values[-1]
            opener = re.compile(f"<{_loose(value.key)}")
            shown = value.text
            places = [] if value.closed else [one.end() for one in opener.finditer(text, start)]
        case _:
            return
    held = [text[place:].lstrip().removeprefix(shown.lstrip()).lstrip() for place in places]
    assert not held or any(not one or _HELD.fullmatch(one) for one in held), f"held: {held}"
