"""The person's input: several lines, history with search, completion of commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Container,
    Dimension,
    Window,
    to_container,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.widgets import SearchToolbar

from ui.terminal.cells import width

_ASKED = CompleteEvent(completion_requested=True)
_ROWS = 10  # rows the prompt grows to before it scrolls


class Prompt:
    """The line, or lines, being written."""

    def __init__(
        self,
        history: History,
        completer: Completer,
        lead: Callable[[], str],
        *,
        hidden: Callable[[], bool],
    ) -> None:
        self._lead = lead
        self._completer = completer
        self._search = SearchToolbar(ignore_case=True)
        self.buffer = Buffer(
            completer=completer,
            complete_while_typing=Condition(lambda: self.buffer.text.startswith("/")),
            history=history,
            enable_history_search=False,
            multiline=True,
            name="prompt",
        )
        self.window = Window(
            BufferControl(
                self.buffer, search_buffer_control=self._search.control, preview_search=True
            ),
            height=Dimension(min=1, max=_ROWS),
            wrap_lines=True,
            dont_extend_height=True,
            get_line_prefix=self._prefix,
        )
        self.focused = has_focus(self.buffer)
        self._hidden = hidden

    def rows(self) -> list[Container]:
        """Give the parts of the layout, from top to bottom."""
        shown = Condition(lambda: not self._hidden())
        return [
            ConditionalContainer(self.window, shown),
            ConditionalContainer(CompletionsMenu(max_height=8), shown),
            to_container(self._search),
        ]

    def complete(self) -> None:
        """Take the next completion, without waiting for the list to be drawn."""
        if self.buffer.complete_state:
            self.buffer.complete_next()
        elif found := list(self._completer.get_completions(self.buffer.document, _ASKED)):
            self.buffer.apply_completion(found[0])

    def take(self) -> str:
        """Give what was written, remember it, and start anew."""
        text = self.buffer.text
        if text.strip():
            self.buffer.append_to_history()
        self.buffer.reset()
        return text

    def stash(self) -> str:
        """Give what was written without remembering it, and start anew."""
        text = self.buffer.text
        self.buffer.reset()
        return text

    def fill(self, text: str) -> None:
        """Put a draft back."""
        self.buffer.reset(Document(text, len(text)))

    def _prefix(self, line: int, wrapped: int) -> StyleAndTextTuples:
        lead = self._lead()
        if line == 0 and wrapped == 0:
            return [("class:mark", lead)]
        return [("", " " * width(lead))]


class Words(Completer):
    """Completes from rows of word and help while the input is that one word."""

    def __init__(self, rows: Callable[[], Iterable[tuple[str, str]]]) -> None:
        self._rows = rows

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        text = document.text
        if not text.startswith("/") or " " in text or "\n" in text:
            return
        for word, about in self._rows():
            if word.startswith(text) and word != text:
                yield Completion(word, -len(text), display_meta=about)


def open_history(path: Path | None) -> History:
    """Open the history of all sessions, which only its owner can read."""
    if path is None:
        return InMemoryHistory()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
