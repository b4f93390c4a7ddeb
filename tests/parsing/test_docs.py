from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from parsing import dialect_names
from tests.parsing.docs import FRONT, differences, drawn, generated, readings, rows
from tests.parsing.docs_dialects import diagram


def by_what(row: Mapping[str, Any]) -> str:
    return str(row["what"])


def test_documents_are_current() -> None:
    for path, parts in generated().items():
        assert drawn(path, parts) == path.read_text("utf-8"), path.name


@pytest.mark.parametrize("row", rows(), ids=by_what)
def test_differences_show_in_their_messages(row: Mapping[str, Any]) -> None:
    one, two = readings(row)

    assert (one == two) is row.get("same", False)


def test_differences_have_a_row_of_the_table_each() -> None:
    assert len(differences().splitlines()) == len(rows()) + 2


def test_diagram_names_every_act_of_the_table() -> None:
    text = diagram("cline")

    for act in ("open call", "close value", "cut call", "leave call", "nest", "drop"):
        assert f", {act}" in text


def test_document_names_every_dialect() -> None:
    text = FRONT.read_text("utf-8")

    assert [name for name in dialect_names() if f"`{name}`" not in text] == []
