"""The open end of the screen: the block in progress, the prompt, the status line.

Law: finished lines are printed once, above; the rest is drawn again in place, at most twenty
times a second for what the agent does and at once for a key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VerticalAlign,
    Window,
)
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text

from ui.terminal.reflow import Reflowing
from ui.terminal.styles import Line

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.styles import BaseStyle

    from ui.terminal.prompt import Prompt

Lines = Callable[[], list[Line]]
_BEAT = 0.05  # seconds between two drawings of what the agent does


class SteadyOutput(Vt100_Output):
    """An output that sends one drawing as one write, so that nothing half drawn is seen."""

    held: bool = False

    def flush(self) -> None:
        if not self.held:
            super().flush()


def steady_output(stdout: TextIO, *, colour: bool) -> SteadyOutput:
    """Make the output for a terminal; the cursor's position is never asked for."""
    plain = Vt100_Output.from_pty(stdout)
    return SteadyOutput(
        stdout,
        plain.get_size,
        term=plain.term,
        default_color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        enable_cpr=False,
    )


class Screen:
    """Puts lines above and keeps the open end below them."""

    def __init__(
        self,
        output: SteadyOutput,
        style: BaseStyle,
        prompt: Prompt,
        keys: KeyBindings,
        parts: dict[str, Lines],
        terminal_input: Input | None = None,
    ) -> None:
        self._output = output
        self._style = style
        self._pending: list[Line] = []
        self._due: asyncio.TimerHandle | None = None
        self._ask = FormattedTextControl(_text(parts["ask"]), focusable=True, show_cursor=False)
        self._prompt = prompt
        self.app = Reflowing(
            layout=Layout(self._rows(parts), focused_element=prompt.window),
            style=style,
            key_bindings=keys,
            include_default_pygments_style=False,
            erase_when_done=True,
            input=terminal_input,
            output=output,
            before_render=self._begin_drawing,
            after_render=self._end_drawing,
        )
        self.app.ttimeoutlen = 0.1
        self.app.timeoutlen = 0.3  # Esc alone is told from Alt-Enter

    @property
    def columns(self) -> int:
        return max(20, self._output.get_size().columns)

    @property
    def rows(self) -> int:
        return max(6, self._output.get_size().rows)

    def put(self, lines: list[Line]) -> None:
        """Print lines above the open end, at the next drawing."""
        if lines:
            self._pending += lines
            self.touch()

    def touch(self) -> None:
        """Ask for a drawing within a beat; more asking until then costs nothing."""
        if self._due is None and self.app.is_running:
            self._due = asyncio.get_running_loop().call_later(_BEAT, self._draw)

    def focus_question(self) -> None:
        """Give the keys to the question; the prompt keeps what was typed."""
        self.app.layout.focus(self._ask)

    def focus_prompt(self) -> None:
        self.app.layout.focus(self._prompt.window)

    def flush_lines(self) -> None:
        """Print what is pending after the open end has gone."""
        lines, self._pending = self._pending, []
        if lines:
            self._print(lines)

    def _draw(self) -> None:
        self._due = None
        self.app.invalidate()

    def _begin_drawing(self, _: Application[int]) -> None:
        self._output.held = True
        if self._pending:
            self.app.renderer.erase(leave_alternate_screen=False)
            self.flush_lines()

    def _end_drawing(self, _: Application[int]) -> None:
        self._output.held = False
        self._output.flush()

    def _print(self, lines: list[Line]) -> None:
        fragments: StyleAndTextTuples = []
        for line in lines:
            fragments += line
            fragments.append(("", "\n"))
        print_formatted_text(self._output, fragments, self._style, color_depth=self.app.color_depth)

    def _rows(self, parts: dict[str, Lines]) -> HSplit:
        asking = Condition(lambda: bool(parts["ask"]()))
        question = Window(self._ask, dont_extend_height=True, wrap_lines=True)
        return HSplit(
            [
                _part(parts["live"]),
                _part(parts["queue"]),
                Window(height=1, dont_extend_height=True),
                ConditionalContainer(question, asking),
                *self._prompt.rows(),
                _part(parts["status"]),
            ],
            align=VerticalAlign.TOP,
        )


def _part(lines: Lines) -> ConditionalContainer:
    window = Window(
        FormattedTextControl(_text(lines)),
        height=Dimension(min=0),
        dont_extend_height=True,
        wrap_lines=False,
    )
    return ConditionalContainer(window, Condition(lambda: bool(lines())))


def _text(lines: Lines) -> Callable[[], StyleAndTextTuples]:
    def text() -> StyleAndTextTuples:
        fragments: StyleAndTextTuples = []
        for line in lines():
            if fragments:
                fragments.append(("", "\n"))
            fragments += line
        return fragments

    return text
