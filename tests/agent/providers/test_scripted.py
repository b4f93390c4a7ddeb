import asyncio
import re
from contextlib import aclosing
from pathlib import Path

import pytest

from agent.errors import ConfigError, Rejected, ScriptError, Stalled, StreamBroken
from agent.providers.base import (
    Attachment,
    CallPiece,
    Message,
    ReasoningPiece,
    Request,
    StreamItem,
    TextPiece,
    Usage,
)
from agent.providers.open import open_provider
from agent.providers.script import Cuts, Fault, Say, Script, Think, Turn, cut
from agent.providers.script_file import read_script, script_from
from agent.providers.scripted import Scripted
from agent.providers.settings import ProviderSettings
from tests.agent.providers.told import ASK, Told, ask, history, no_sleep

README = Path(__file__).parents[3] / "agent" / "providers" / "README.md"
GO = Message("user", "go")
SAID = Message("assistant", "said")
TEXT = "Two words,  and\nlines.\n\n  End"


def told_of(provider: Scripted, *requests: Request) -> list[Told]:
    async def run() -> list[Told]:
        return [await ask(provider, request) for request in requests]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("cuts", "chunks"),
    [
        (0, [TEXT]),
        (100, [TEXT]),
        (9, ["Two words", ",  and\nli", "nes.\n\n  E", "nd"]),
        ((1, 20), ["T", "wo words,  and\nlines", ".", "\n\n  End"]),
        ("word", ["Two", " words,", "  and", "\nlines.", "\n\n  End"]),
        ("line", ["Two words,  and\n", "lines.\n", "\n", "  End"]),
    ],
)
def test_cut_keeps_the_text(cuts: Cuts, chunks: list[str]) -> None:
    assert list(cut(TEXT, cuts)) == chunks
    assert "".join(chunks) == TEXT


@pytest.mark.parametrize("cuts", [0, 1, (2, 3), "word", "line"])
def test_cut_makes_no_chunk_of_nothing(cuts: Cuts) -> None:
    assert list(cut("", cuts)) == []
    assert "".join(cut("a \n", cuts)) == "a \n"


def test_scripted_plays_turn_after_turn_and_then_says_that_it_ended() -> None:
    first, second, third = told_of(Scripted(Script.of("One", "Two", cuts=2)), ASK, ASK, ASK)

    assert [item for item in first.items if isinstance(item, TextPiece)] == [
        TextPiece("On"),
        TextPiece("e"),
    ]
    assert (first.text, first.finish) == ("One", "stop")
    assert (second.text, second.finish) == ("Two", "stop")
    assert isinstance(third.error, ScriptError)
    assert "has 2 turns and turn 3 was asked for" in str(third.error)
    assert not third.error.retryable


def test_scripted_goes_on_where_a_continued_history_ends() -> None:
    told = told_of(Scripted(Script.of("One", "Two", "Three")), history(GO, SAID, GO), ASK)

    assert [each.text for each in told] == ["Two", "Three"]


def test_scripted_pauses_by_the_clock_it_is_given() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    turn = Turn((Say("abc"),), cuts=1, pause=0.5, first_pause=2.0)
    for speed in (1.0, 4.0, 0.0):
        told_of(Scripted(Script((turn,)), speed=speed, sleep=sleep), ASK)

    assert slept == [2.0, 0.5, 0.5, 0.5, 0.125, 0.125, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("after", "text", "reasoning"),
    [(0, "", None), (2, "", "hm"), (3, "a", "hm"), (5, "abc", "hm"), (9, "abcd", "hm")],
)
def test_scripted_fault_strikes_where_it_is_written_and_once(
    after: int, text: str, reasoning: str | None
) -> None:
    turn = Turn((Think("hm"), Say("abcd")), fault=Fault("break", after=after))
    broken, whole = told_of(Scripted(Script((turn,))), ASK, ASK)

    assert (broken.text, broken.reasoning, broken.finish) == (text, reasoning, None)
    assert isinstance(broken.error, StreamBroken)
    assert broken.error.retryable
    assert (whole.text, whole.finish, whole.error) == ("abcd", "stop", None)


def test_scripted_stall_waits_out_the_limit() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    turn = Turn((Say("abcd"),), fault=Fault("stall", after=2))
    (told,) = told_of(Scripted(Script((turn,)), sleep=sleep, idle_s=60.0), ASK)

    assert told.text == "ab"
    assert isinstance(told.error, Stalled)
    assert slept[-1] == 60.0


def test_scripted_refusal_has_its_status() -> None:
    turn = Turn(fault=Fault("refused", status=401, message="bad key"))
    (told,) = told_of(Scripted(Script((turn,))), ASK)

    assert isinstance(told.error, Rejected)
    assert (told.error.status, told.error.retryable) == (401, False)
    assert "bad key" in str(told.error)


def test_scripted_says_which_message_it_expected() -> None:
    turns = (Turn((Say("One"),), expect="^go"), Turn((Say("Two"),), expect="exit code: 0"))
    first, second = told_of(
        Scripted(Script(turns)), ASK, history(GO, SAID, Message("user", "exit code: 1"))
    )

    assert first.text == "One"
    assert isinstance(second.error, ScriptError)
    assert "Turn 2" in str(second.error)
    assert "'exit code: 0'" in str(second.error)
    assert "'exit code: 1'" in str(second.error)


def test_script_of_the_readme_plays_as_it_is_explained(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert found is not None
    path = tmp_path / "script.toml"
    path.write_text(found[1], "utf-8")
    provider = Scripted(read_script(path), sleep=no_sleep)
    answered = history(GO, SAID, Message("user", "def add(a, b):\n    return a + b\n"))
    first, cut_off, second, third = told_of(provider, ASK, answered, answered, ASK)

    assert provider.model == "rehearsal"
    assert first.reasoning == "The test says 4, the code says 5."
    assert first.text.startswith("I look first.\n\n<read_file>")
    assert first.usage == Usage(prompt=900, completion=40)
    assert cut_off.text == "<attempt_"
    assert isinstance(cut_off.error, StreamBroken)
    assert second.text == "<attempt_completion>\n<result>done</result>\n</attempt_completion>"
    assert third.items[:3] == [
        ReasoningPiece("Step"),
        ReasoningPiece(" by"),
        ReasoningPiece(" step."),
    ]
    assert third.text == "Now this."
    assert third.finish == "length"
    assert CallPiece(0, "c1", "run", '{"command": "ls"}') in third.items
    block = {"type": "redacted_thinking", "data": "x"}
    assert Attachment({"provider": "anthropic", "block": block}) in third.items


def test_script_in_lines_is_the_same_as_in_toml() -> None:
    head = '{"script": {"cuts": 2, "model": "m"}}\n\n'
    lines = head + '{"text": "One"}\n{"reasoning": "", "text": "Two"}\n'
    toml = 'cuts = 2\nmodel = "m"\n[[turn]]\ntext = "One"\n[[turn]]\nreasoning = ""\ntext = "Two"\n'

    assert script_from(lines, "s", jsonl=True) == script_from(toml, "s")
    assert script_from(lines, "s", jsonl=True).turns[1].parts == (Think(""), Say("Two"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "turn: Field required"),
        ("turn = 1", "turn"),
        ("[[turn]]\ntxet = 'a'", "turn.0.txet: Extra inputs are not permitted"),
        ("[[turn]]\ntext = 1", "turn.0.text: Input should be a valid string"),
        ("[[turn]]\nfault = { kind = 'oops' }", "turn.0.fault.kind"),
        ("[[turn]]\ncuts = -1", "0 (all at once) or more"),
        ("[[turn]]\ncuts = []", "from 1 on"),
        ("[[turn]]\nexpect = '('", "no regular expression"),
        ("[[turn]\n", "line 1"),
    ],
)
def test_script_with_a_mistake_says_where(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=r"^Script play\.toml: ") as raised:
        script_from(text, "play.toml")

    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("line", "says"), [("{", "line 2 is no JSON"), ("[]", "line 2 is no JSON object")]
)
def test_script_line_with_a_mistake_is_numbered(line: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        script_from('{"text": "a"}\n' + line, "play.jsonl", jsonl=True)


def test_scripted_opens_from_settings(tmp_path: Path) -> None:
    path = tmp_path / "play.jsonl"
    path.write_text('{"text": "Hello"}\n', "utf-8")
    provider = open_provider(ProviderSettings("scripted", script=path))

    assert asyncio.run(ask(provider)).text == "Hello"
    with pytest.raises(ConfigError, match="Set script to"):
        open_provider(ProviderSettings("scripted"))
    with pytest.raises(ConfigError, match="Cannot read the script"):
        open_provider(ProviderSettings("scripted", script=tmp_path / "none.toml"))


def test_scripted_is_done_with_a_turn_that_was_left_once_it_told_something() -> None:
    async def run() -> tuple[list[StreamItem], Told]:
        provider = Scripted(Script.of("One", "Two", cuts=1))
        async with aclosing(provider.stream(ASK)) as items:
            first = [await anext(items)]
        return first, await ask(provider, ASK)

    first, second = asyncio.run(run())

    assert first == [TextPiece("O")]
    assert second.text == "Two"


def test_scripted_plays_a_turn_again_that_was_left_before_it_began() -> None:
    async def run() -> Told:
        waits = asyncio.Event()

        async def sleep(_: float) -> None:
            await waits.wait()

        turns = (Turn((Say("One"),), first_pause=1.0), Turn((Say("Two"),)))
        provider = Scripted(Script(turns), sleep=sleep)
        task = asyncio.create_task(ask(provider, ASK))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        waits.set()
        return await ask(provider, ASK)

    assert asyncio.run(run()).text == "One"
