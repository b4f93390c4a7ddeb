from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.command import Tagline


@pytest.fixture
def tagline(tmp_path: Path) -> Tagline:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    return Tagline(folder, home)
