"""QPilot in Python and Jupyter: chip data as tables, questions with sourced answers."""

from typing import Any

from .answer import Answer, AnswerFailed
from .chip import Chip, Health
from .client import QPilot
from .errors import QPilotError
from .jobs import Job, Report

__all__ = ["Answer", "AnswerFailed", "Chip", "Health", "Job", "QPilot", "QPilotError", "Report"]


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext qpilot`."""
    from .magic import load

    load(shell)
