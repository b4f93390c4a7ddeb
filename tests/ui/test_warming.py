from __future__ import annotations

import gc

import pytest

from agent.events import Event, Retried, TaskStarted, TextGrew, TurnStarted
from ui.headless.warming import Warming


@pytest.mark.parametrize(
    ("event", "collects"),
    [
        (TaskStarted("s", "t", "m", "cline", "reparse"), False),
        (TurnStarted(1), False),
        (TextGrew(0, "a"), True),
        (Retried(1, 0.0, "busy"), True),
    ],
)
def test_warming_lets_the_collector_rest_until_the_model_is_heard_of(
    event: Event,
    collects: bool,
) -> None:
    try:
        Warming().hear(event)
        assert gc.isenabled() is collects
    finally:
        gc.enable()
        gc.unfreeze()
