from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parsing import Block, Mode, fuzz
from parsing.fuzz import cuts_of
from tests.parsing.cases import CORPUS, Case, differences, jsonl_cases, toml_cases
from tests.parsing.laws import check
from tests.parsing.slow_reading import definition
from tests.parsing.ways import WAYS, Cuts, each_character, read

ROWS = [
    case
    for path in (CORPUS / "cline.toml", *sorted((CORPUS / "found").glob("*.toml")))
    for case in toml_cases(path)
]
ENDED = [case for case in ROWS if case.finish]
V2 = [*jsonl_cases(CORPUS / "cline_v2_messages.jsonl")]
V2_PREFIXES = [*jsonl_cases(CORPUS / "cline_v2_prefixes.jsonl")]
ways = pytest.mark.parametrize("cut", WAYS.values(), ids=list(WAYS))


def by_id(case: Case) -> str:
    return case.id


def read_row(case: Case, chunks: Cuts, mode: Mode) -> tuple[Block, ...]:
    return read(chunks, mode, case.tools, case.finish, protocol=case.dialect, options=case.options)


@ways
@pytest.mark.parametrize("case", ROWS, ids=by_id)
def test_modes_read_a_row(case: Case, cut: Callable[[str], Iterator[Cuts]]) -> None:
    cuts = [*cut(case.text), *([case.chunks] if case.chunks else [])]
    for chunks in cuts:
        blocks = read_row(case, chunks, "both")
        assert not differences(blocks, case.blocks), chunks


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
@pytest.mark.parametrize("case", ROWS, ids=by_id)
def test_one_mode_reads_a_row(case: Case, mode: Mode) -> None:
    for chunks in ((case.text,), tuple(case.text)):
        blocks = read_row(case, chunks, mode)
        assert not differences(blocks, case.blocks)


@pytest.mark.parametrize("case", ROWS, ids=by_id)
def test_definition_reads_a_row(case: Case) -> None:
    blocks = definition(case.dialect, case.text, case.tools, case.options, case.finish)
    assert not differences(blocks, case.blocks)


@pytest.mark.parametrize("case", ENDED, ids=by_id)
def test_laws_hold_in_a_row(case: Case) -> None:
    assert case.finish is not None
    for chunks in ((case.text,), tuple(case.text), case.chunks or (case.text,)):
        cuts = cuts_of(chunks)
        fuzz.check(
            fuzz.Message(case.dialect, case.text, cuts, case.tools, case.options, case.finish)
        )


@pytest.mark.parametrize("case", [case for case in ENDED if case.dialect == "cline"], ids=by_id)
def test_cline_keeps_the_laws_in_a_row(case: Case) -> None:
    assert case.finish is not None
    for chunks in each_character(case.text):
        check(case.text, case.tools, case.finish, chunks, options=case.options)


@ways
@pytest.mark.parametrize("case", V2, ids=by_id)
def test_cline_v2_reads_a_row(case: Case, cut: Callable[[str], Iterator[Cuts]]) -> None:
    for chunks in cut(case.text):
        assert v2(chunks, case) == list(case.blocks)


@pytest.mark.parametrize("case", V2_PREFIXES, ids=by_id)
def test_cline_v2_reads_every_prefix_of_a_message(case: Case) -> None:
    for chunks in ((case.text,), tuple(case.text)):
        assert v2(chunks, case) == list(case.blocks)


def v2(chunks: Cuts, case: Case) -> list[dict[str, Any]]:
    blocks = read(chunks, "both", (), None, protocol="cline-v2")
    return [
        {key: value for key, value in block.as_json().items() if key in row}
        for block, row in zip(blocks, case.blocks, strict=True)
    ]


def test_ids_of_rows_are_unique() -> None:
    ids = [case.id for case in (*ROWS, *V2, *V2_PREFIXES)]
    assert len(ids) == len(set(ids))
