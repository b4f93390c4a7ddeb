from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from canitoolcall.probe import BUILTIN_SCENARIOS, Scenario, probe

from parsing import dialect
from tests.ui.gateway.dialogue import FIRST
from tests.ui.gateway.gateway_process import gateway
from tests.ui.gateway.scripted_model import Model, Turn, grammar_of
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

EVENT = {
    "title": "Design review",
    "start": "2026-10-01T15:00:00Z",
    "attendees": [
        {"name": "Ana", "email": "ana@example.com"},
        {"name": "Bo", "email": "bo@example.com"},
    ],
    "location": {"city": "Berlin", "room": "4.12"},
}
NOTE = {"title": "Grüße aus Zürich", "body": "Café ☕ in 東京 — naïve résumé 🚀"}
PARIS = ("get_weather", {"city": "Paris"})
TURNS = {
    "single-call": Turn("Let me look.", [PARIS]),
    "parallel-calls": Turn("", [PARIS, ("get_weather", {"city": "Tokyo", "unit": "c"})]),
    "no-call": Turn("42"),
    "nested-args": Turn("", [("create_event", EVENT)]),
    "unicode-args": Turn("Gern: 東京 🚀", [("save_note", NOTE)]),
    "empty-args": Turn("", [("get_server_time", {})]),
    "forced-tool-choice": Turn("", [("get_weather", {"city": "Lisbon"})]),
    "tool-result-followup": Turn("It is 18 °C and clear in Paris."),
    "reasoning-then-call": Turn(
        "So:", [("record_answer", {"answer": "9.9"})], "9.11 is 9 + 0.11, and <9.9> is more."
    ),
}
RESULT = '{"temp_c": 18, "sky": "clear"}'


def words_of(scenario: Scenario) -> str:
    return str(scenario.messages[0]["content"])


@dataclass
class Probed(Model):
    """Answers the probe, and complains when a scenario did not arrive as its dialect spells it."""

    def missing(self, body: Any, heard: str) -> list[str]:
        complaints = super().missing(body, heard)
        scenario = next(one for one in BUILTIN_SCENARIOS if words_of(one) in heard)
        forced = not isinstance(scenario.tool_choice, str)
        names = {tool["function"]["name"] for tool in scenario.tools}
        if forced:
            names = {"get_weather"}
            held = grammar_of(body)
            if "get_weather" not in held or "save_note" in held:
                complaints.append(f"the named choice came without its grammar: {held!r}")
        complaints += [f"tool {name} is not in the prompt" for name in names if name not in heard]
        if scenario.id == "tool-result-followup":
            shape = dialect(self.name).shape
            spelled = (
                shape.spell(*PARIS).strip(),
                shape.spell_result("get_weather", RESULT).strip(),
            )
            complaints += [f"the prompt has no {text!r}" for text in spelled if text not in heard]
        return complaints


@pytest.mark.parametrize("name", FIRST)
def test_probe_passes_every_scenario(name: str) -> None:
    assert set(TURNS) == {scenario.id for scenario in BUILTIN_SCENARIOS}
    turns = {words_of(scenario): TURNS[scenario.id] for scenario in BUILTIN_SCENARIOS}
    with (
        ScriptedUpstream(Probed(name, turns), "vllm") as upstream,
        gateway(upstream.url, dialect=name) as running,
    ):
        report = probe(running.api, "scripted", timeout_s=20)

    wrong = [outcome for outcome in report.outcomes if outcome.status != "pass"]
    assert not wrong, report.render_text()
    assert not [one for one in report.outcomes if one.warnings], report.render_text()
