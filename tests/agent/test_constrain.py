from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent import Config
from agent.limits import Constrain
from parsing.constraint import Bounds, gbnf
from tests.agent.play import DONE, QUICK, Play, Say, Think, Turn, read
from tools import default_tools

GRAMMAR = gbnf("cline", default_tools().specs, Bounds(reasoning=True))


@pytest.mark.parametrize(
    ("provider", "told", "found"),
    [
        ("llama.cpp", "auto", "auto"),
        ("local", "auto", "auto"),
        ("openai", "auto", "off"),
        ("vllm", "auto", "off"),
        ("vllm", "on", "on"),
        ("llama.cpp", "off", "off"),
    ],
)
def test_constrain_is_automatic_where_the_server_takes_a_grammar(
    provider: str, told: Constrain, found: Constrain
) -> None:
    assert Config(provider=provider, constrain=told).limits.constrain == found


@pytest.mark.parametrize(
    ("constrain", "sent"),
    [
        ("off", [None, None]),
        ("auto", [GRAMMAR, None]),
        ("on", [GRAMMAR, GRAMMAR]),
    ],
)
def test_agent_sends_a_grammar_until_the_model_reasons_in_a_channel(
    tmp_path: Path, constrain: Constrain, sent: list[str | None]
) -> None:
    turns: list[str | Turn] = [Turn((Think("Hm."), Say(read("a.txt")))), DONE]
    play = Play(tmp_path, turns, limits=replace(QUICK, constrain=constrain))

    end = play.run("Read a.txt.")

    assert end.status == "completed"
    assert [request.grammar for request in play.provider.requests] == sent


def test_agent_sends_no_grammar_in_a_dialect_that_has_none(tmp_path: Path) -> None:
    play = Play(
        tmp_path, ["Done."], limits=replace(QUICK, constrain="on", nudges=0), dialect="none"
    )

    play.run("Say something.")

    assert [request.grammar for request in play.provider.requests] == [None]
