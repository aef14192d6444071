"""What can go wrong between a notebook and a QPilot server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class QPilotError(Exception):
    """An error of the server, or on the way to it.

    `code` is stable (`NOT_FOUND`, `RATE_LIMITED`, ...; of this package `UNREACHABLE`, `NOT_QPILOT`, `NOTHING_TO_RESUME`).
    Where `retryable` is true, the same call may succeed later, after `retry_after_s` seconds if that is known.
    """

    def __init__(
        self, code: str, message: str, *, retryable: bool = False, retry_after_s: float | None = None
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        if not self.retryable:
            return f"{self.code}: {self.message}"
        later = "later" if self.retry_after_s is None else f"in {self.retry_after_s:g} s"
        return f"{self.code}: {self.message} (the same call may succeed {later})"


def operation_error(errors: Sequence[Mapping[str, Any]]) -> QPilotError:
    """The errors of one GraphQL operation as one exception; the code is that of the first."""
    extensions: Mapping[str, Any] = errors[0].get("extensions") or {}
    message = "; ".join(_for_callers(str(error["message"])) for error in errors)
    return _error(str(extensions.get("code", "UNKNOWN")), message, extensions.get("retryAfterMs"))


def refused(result: Mapping[str, Any]) -> QPilotError:
    """A result of a mutation that implements `UserError`."""
    issues = [f"{'.'.join(issue['path'])}: {issue['message']}" for issue in result.get("issues", [])]
    message = "; ".join([str(result["message"]), *issues])
    error = _error(str(result["code"]), message, result.get("retryAfterMs"))
    # The conversation answers another question; once that is answered, it takes this one.
    error.retryable = error.retryable or result["__typename"] == "SessionBusyError"
    return error


def _for_callers(message: str) -> str:
    """The header is ours: who calls names the project by an argument."""
    several = message.removeprefix("x-project-id: ")
    if several == message:
        return message
    return f"{several}: QPilot(project=...), or set QPILOT_PROJECT; projects() lists them"


def _error(code: str, message: str, retry_after_ms: int | None) -> QPilotError:
    if retry_after_ms is None:
        return QPilotError(code, message)
    return QPilotError(code, message, retryable=True, retry_after_s=retry_after_ms / 1000)
