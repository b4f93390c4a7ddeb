from __future__ import annotations

from tests.ui.command import Tagline
from tests.ui.test_headless import DONE, RUN, play


def test_a_command_never_sees_the_providers_key_whatever_its_variable(tagline: Tagline) -> None:
    variables = {"TAGLINE_API_KEY": "sk-test-123", "MY_COPY": "sk-test-123", "PLAIN": "kept"}
    keyed = Tagline(tagline.folder, tagline.home, variables)

    ran = play(keyed, {"text": RUN.format("env > seen")}, {"text": DONE}, options=("-y",))

    seen = (tagline.folder / "seen").read_text()
    assert ran.code == 0
    assert "PLAIN=kept" in seen
    assert "sk-test-123" not in seen
