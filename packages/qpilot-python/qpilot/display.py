"""How an answer is shown while it arrives: in the cell of a notebook, or as text."""

from __future__ import annotations

import re
import sys
import time
from typing import Any, Protocol

from .frames import module

UPDATE_S = 0.1


class Display(Protocol):
    def step(self, line: str) -> None:
        """A line about what the copilot does."""

    def words(self, text: str) -> None:
        """All words of the answer until now."""

    def item(self, item: Any) -> None:
        """A figure or a table."""

    def end(self, line: str) -> None:
        """The last line."""


class TextDisplay:
    """Words as they arrive, for a terminal or a script."""

    def __init__(self) -> None:
        self._shown = ""

    def step(self, line: str) -> None:
        self._line(line)

    def words(self, text: str) -> None:
        if text.startswith(self._shown):
            sys.stdout.write(text[len(self._shown) :])
        else:
            sys.stdout.write(f"\n{text}")  # a part was taken back
        self._shown = text
        sys.stdout.flush()

    def item(self, item: Any) -> None:
        if type(item).__name__ != "Figure":
            self._line(str(item))

    def end(self, line: str) -> None:
        self._line(line)

    def _line(self, line: str) -> None:
        is_below_words = self._shown != "" and not self._shown.endswith("\n")
        sys.stdout.write(f"\n{line}\n" if is_below_words else f"{line}\n")


class CellDisplay:
    """Outputs of one cell that are updated in place: the steps, then the words, then figures and tables."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._lines: list[str] = []
        self._steps: Any = None
        self._words: Any = None
        self._updated_at = 0.0
        self._text = ""

    def step(self, line: str) -> None:
        self._lines.append(line)
        data = {"text/plain": "\n".join(self._lines)}
        self._steps = self._show(self._steps, data)

    def words(self, text: str) -> None:
        self._text = text
        if time.monotonic() - self._updated_at >= UPDATE_S:
            self._flush()

    def item(self, item: Any) -> None:
        self._flush()
        self._display(item)

    def end(self, line: str) -> None:
        self._flush()
        self._display({"text/plain": line}, raw=True)

    def _flush(self) -> None:
        if self._text:
            data = {"text/markdown": harmless(self._text), "text/plain": self._text}
            self._words = self._show(self._words, data)
        self._updated_at = time.monotonic()

    def _show(self, handle: Any, data: dict[str, str]) -> Any:
        if handle is None:
            return self._display(data, raw=True, display_id=True)
        handle.update(data, raw=True)
        return handle


def harmless(text: str) -> str:
    """Markdown by a model, without HTML and without pictures: an address of a picture could carry data away."""
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", text).replace("![", "! [")


def display_here() -> Display:
    """For the cell that runs, else as text."""
    ipython = module("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or getattr(shell, "kernel", None) is None:
        return TextDisplay()
    return CellDisplay(module("IPython.display").display)
