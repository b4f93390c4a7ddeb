from agent.events import (
    BlockClosed,
    CallFinished,
    CallOutput,
    CallSkipped,
    CallStarted,
    Diverged,
    End,
    Event,
    Noticed,
    ReasoningGrew,
    Retried,
    TaskFinished,
    TextGrew,
    TurnFinished,
    TurnStarted,
    UseGrew,
)
from parsing import ToolUse
from parsing.blocks import Value
from tools import Outcome, OutcomeKind
from ui.terminal.styles import ASCII, text_of
from ui.terminal.transcript import Transcript

EVIL = "\x1b]52;c;ZXZpbA==\x07name\x1b[2J\r\x9b31m\u202e"
DIFF = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n"


def use(name: str, **values: str) -> ToolUse:
    return ToolUse(name, tuple(Value(key, text) for key, text in values.items()))


def page(*events: Event) -> Transcript:
    transcript = Transcript(ASCII, lambda: 0.0, lambda: 60)
    for event in events:
        transcript.hear(event)
    return transcript


def printed(*events: Event) -> str:
    return text_of(page(*events).take())


def test_page_shows_reasoning_then_text_then_a_call() -> None:
    call = use("replace_in_file", path="a.py", diff="...")
    assert printed(
        TurnStarted(1),
        ReasoningGrew(-1, "I thi"),
        ReasoningGrew(-1, "nk.\n"),
        TextGrew(0, "Now the "),
        TextGrew(0, "edit."),
        UseGrew(1, "c1", call),
        BlockClosed(1, call, "c1"),
        CallStarted("c1", call),
        CallFinished("c1", call, Outcome("ok", diff=DIFF)),
        TurnFinished(1, "stop"),
    ) == ("  I think.\n\nNow the edit.\n\n+ Edit a.py  - +1 -1\n      1 - old\n      1 + new\n")


def test_page_shows_calls_without_output_close_together() -> None:
    one, two = use("read_file", path="a.py"), use("list_files", path=".")
    done = printed(
        TextGrew(0, "Looking.\n"),
        CallFinished("1", one, Outcome("x")),
        CallFinished("2", two, Outcome("x")),
        TextGrew(1, "Good.\n"),
    )
    assert done == "Looking.\n\n+ Read a.py\n+ List .\n\nGood.\n"


def test_page_shows_the_tail_of_a_command_and_how_it_ended() -> None:
    run = use("execute_command", command="make\nmake test")
    lines = "".join(f"line {number}\n" for number in range(10))
    done = printed(
        CallStarted("c", run),
        CallOutput("c", lines + "10%\r50%\r99%"),
        CallFinished("c", run, Outcome("x", exit_code=2)),
    )
    assert done.split("\n") == [
        "x Run make make test  - exit 2",
        "  | ... 6 lines before",
        "  | line 6",
        "  | line 7",
        "  | line 8",
        "  | line 9",
        "  | 99%",
        "",
    ]


def test_page_shows_why_a_call_failed_or_was_skipped_or_refused() -> None:
    call = use("read_file", path="gone.py")
    failed = Outcome("m", "no such file: gone.py", failed=True, kind=OutcomeKind.FAILED)
    refused = Outcome("m", "refused", failed=True, kind=OutcomeKind.REFUSED)
    done = printed(
        CallFinished("1", call, failed),
        CallFinished("2", call, refused),
        CallSkipped("3", call, "an earlier call was refused"),
    )
    assert "x Read gone.py\n  | no such file: gone.py\n" in done
    assert "- Read gone.py  - refused\n" in done
    assert "- Read gone.py  - skipped: an earlier call was refused\n" in done


def test_page_shows_notices_and_the_end() -> None:
    done = printed(
        Retried(2, 4.0, "503 from the server"),
        Noticed("window", "the window is small"),
        Diverged("long report", None),
        TaskFinished(End("failed", "401: the key was refused", 1)),
    )
    assert "~ trying again in 4.0 s (attempt 2): 503 from the server\n" in done
    assert "! the window is small\n" in done
    assert "read this message differently\n" in done
    assert "x 401: the key was refused\n" in done


def test_page_lets_the_last_word_say_that_a_task_is_completed() -> None:
    finish = use("attempt_completion", result="All done.")
    done = printed(
        CallFinished("1", finish, Outcome("m", "All **done**.", kind=OutcomeKind.COMPLETED)),
        TaskFinished(End("completed", "All **done**.", 0)),
    )
    assert done == "+ Done\nAll **done**.\n"


def test_page_lets_nothing_act_on_the_terminal() -> None:
    call = use(EVIL, path=EVIL)
    transcript = page(
        TextGrew(0, EVIL),
        ReasoningGrew(-1, EVIL),
        UseGrew(1, "c", call),
        CallStarted("c", call),
        CallOutput("c", EVIL),
        Noticed("x", EVIL),
        Retried(1, 1.0, EVIL),
    )
    seen = text_of(transcript.live(20))
    transcript.hear(CallFinished("c", call, Outcome(EVIL, EVIL, failed=True)))
    transcript.hear(CallFinished("d", call, Outcome(EVIL, diff=DIFF.replace("new", EVIL))))
    transcript.hear(CallFinished("e", call, Outcome("", EVIL, kind=OutcomeKind.COMPLETED)))
    transcript.hear(TaskFinished(End("failed", EVIL, 1)))
    seen += text_of(transcript.take())
    assert not set(seen) & set("\x1b\x07\r\x9b\u202e")
    assert seen.count("name") >= 8


def test_page_shows_the_open_end_of_everything_within_its_rows() -> None:
    run = use("execute_command", command="make")
    transcript = page(TextGrew(0, "half a li"))
    assert text_of(transcript.live(5)) == "half a li\n"
    transcript.hear(CallStarted("c", run))
    transcript.hear(CallOutput("c", "".join(f"{number}\n" for number in range(50))))
    live = transcript.live(4)
    assert len(live) == 4
    assert text_of(live).endswith("  | 49\n")
    assert text_of(transcript.take()) == "half a li\n"
