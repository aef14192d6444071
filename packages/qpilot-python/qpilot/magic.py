"""`%%qpilot` for notebooks: `%load_ext qpilot`."""

from __future__ import annotations

import argparse
import shlex
from typing import Any

from .answer import Answer
from .client import QPilot


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"{message}; {self.format_usage().strip()}")


_parser = _Parser("%%qpilot", add_help=False)
_parser.add_argument("--chip")
_parser.add_argument("--model")
_parser.add_argument("--new", action="store_true", help="begin a new conversation")
_parser.add_argument("--resume", action="store_true", help="show the last answer instead")


def load(shell: Any) -> None:
    """Makes the magics. They use the `qp` of the notebook where it has one, and set `answer`."""

    def ask(line: str, question: str) -> None:
        options = _parser.parse_args(shlex.split(line))
        qp = shell.user_ns.get("qp")
        if not isinstance(qp, QPilot):
            qp = shell.user_ns["qp"] = QPilot()
        try:
            if options.resume:
                qp.resume()
            else:
                qp.ask(question.strip(), chip=options.chip, model=options.model, new=options.new)
        finally:
            answer: Answer | None = qp.last
            shell.user_ns["answer"] = answer

    def cell(line: str, cell: str | None = None) -> None:
        if cell is None:
            ask("--resume" if line.strip() == "--resume" else "", line)
        else:
            ask(line, cell)

    shell.register_magic_function(cell, "line_cell", "qpilot")
