from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.plain import Escapes, Frames, plain

PIECES = st.lists(
    st.sampled_from(
        [
            *("a", "bc", "漢", " ", "\n", "\r", "\r\n", "\b", "\t", "\x00", "\x07", "\x85"),
            *("\x1b", "\x1b[31m", "\x1b[0K", "\x1b[2K", "\x1b[1G", "\x1b]0;t\x07", "\x1b("),
            *("\x1b]8;;u\x1b\\", "x" * 4000, "\x1b[", "]", ";", "m", "\x1b]"),
        ]
    ),
    max_size=30,
)


def in_pieces(pieces: list[str]) -> str:
    escapes, frames = Escapes(), Frames()
    shown = [frames.feed(escapes.feed(piece)) for piece in pieces]
    return "".join((*shown, frames.feed(escapes.close()), frames.close()))


@settings(max_examples=300, deadline=None)
@given(PIECES, st.data())
def test_plain_is_the_same_for_any_cutting(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    cut = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    whole = plain(text)

    assert in_pieces(cut) == whole
    assert in_pieces(list(text[:400])) == plain(text[:400])
    assert not set(whole) & {"\r", "\b", "\x1b", "\x00", "\x07", "\x85"}


def test_plain_leaves_plain_text_as_it_is() -> None:
    text = "one\n\ttwo  \n\n漢 é \N{GRINNING FACE}\nno newline"

    assert plain(text) == text


def test_plain_keeps_a_line_too_long_for_a_frame() -> None:
    long = "x" * 5000

    assert plain(f"{long}\rshort\rlast\n") == f"{long}\nlast\n"


def test_plain_drops_a_sequence_that_never_ends() -> None:
    assert plain("text\x1b[31") == "text"
    assert plain("text\x1b]0;title") == "text"
    assert plain("text\x1b]0;" + "y" * 9000).startswith("text")


def test_escapes_holds_back_little() -> None:
    escapes = Escapes()

    given_back = "".join(escapes.feed("z" * 100) for _ in range(200))

    assert escapes.feed("\x1b]" + "y" * 9000) != ""
    assert len(given_back) == 20_000
