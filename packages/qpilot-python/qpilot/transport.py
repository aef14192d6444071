"""GraphQL over HTTP, and its subscriptions as server-sent events, by the standard library."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any

from .errors import QPilotError, operation_error

REQUEST_TIMEOUT_S = 60
# A server sends something at least every 12 s. Without that the connection is dead, though nobody has closed it.
SILENCE_S = 40


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key along to another server."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


_open = urllib.request.build_opener(_NoRedirects).open


@dataclass(frozen=True)
class Server:
    """A server, and who asks it."""

    url: str
    key: str | None = field(repr=False)
    project: str | None
    # How long a server may be away before calls that can wait for it give up.
    patience_s: float = 60
    pause_s: float = 0.5

    def execute(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Sends one query or mutation; raises `QPilotError` unless it succeeds as a whole."""
        try:
            with self._post(query, variables or {}, "application/json", REQUEST_TIMEOUT_S) as response:
                return self._data(response.read())
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error

    def execute_patiently(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Like `execute`, and again while the server is away; for what has the same effect once and twice."""
        give_up_at = time.monotonic() + self.patience_s
        while True:
            try:
                return self.execute(query, variables)
            except QPilotError as error:
                if not _is_away(error) or time.monotonic() > give_up_at:
                    raise
            time.sleep(self.pause_s)

    def follow(self, query: str, variables: Mapping[str, Any], after_seq: int) -> Generator[dict[str, Any], None, None]:
        """Events of `copilotEvents` after a cursor, each once, over as many connections as it takes."""
        give_up_at: float | None = None
        while True:
            try:
                for event in self._events(query, {**variables, "afterSeq": after_seq}):
                    if event["seq"] <= after_seq:
                        continue
                    after_seq = event["seq"]
                    give_up_at = None
                    yield event
            except QPilotError as error:
                if not _is_away(error):
                    raise
                if give_up_at is not None and time.monotonic() > give_up_at:
                    raise
                give_up_at = give_up_at or time.monotonic() + self.patience_s
            time.sleep(self.pause_s)

    def _events(self, query: str, variables: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Events of one connection; ends when the server ends it."""
        try:
            with self._post(query, variables, "text/event-stream", SILENCE_S) as response:
                if not (response.headers["content-type"] or "").startswith("text/event-stream"):
                    self._data(response.read())  # raises: a subscription that is refused is answered as JSON
                    raise self._not_qpilot(response.status)
                for line in response:
                    if not line.endswith(b"\n"):
                        return  # the connection broke within it
                    if line.startswith(b"event: complete"):
                        return
                    if line.startswith(b"data: {"):
                        yield self._data(line[len(b"data: ") :])["copilotEvents"]
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error

    def projects(self) -> list[dict[str, Any]]:
        """The projects of whoever has the key, whatever project is named."""
        headers = {"accept": "application/json"}
        if self.key is not None:
            headers["authorization"] = f"Bearer {self.key}"
        try:
            request = urllib.request.Request(f"{self.url}/auth/me", headers=headers)
            with _open(request, timeout=REQUEST_TIMEOUT_S) as response:
                me = json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._not_qpilot(error.code) from error
        except ValueError:
            raise self._not_qpilot(200) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error
        if not isinstance(me, dict) or not isinstance(me.get("projects"), list):
            raise self._not_qpilot(200)
        if me.get("mode") != "none" and me.get("person") is None:
            message = f"{self.url} does not know who asks; give an API key, or set QPILOT_KEY"
            raise QPilotError("UNAUTHENTICATED", message)
        projects: list[dict[str, Any]] = me["projects"]
        return projects

    def _post(self, query: str, variables: Mapping[str, Any], accept: str, timeout_s: float) -> HTTPResponse:
        headers = {"content-type": "application/json", "accept": accept}
        if self.key is not None:
            headers["authorization"] = f"Bearer {self.key}"
        if self.project is not None:
            headers["x-project-id"] = self.project
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", body, headers)
        try:
            response: HTTPResponse = _open(request, timeout=timeout_s)
            return response
        except urllib.error.HTTPError as error:
            with error:
                self._data(error.read(), error.code)
            raise self._not_qpilot(error.code) from error

    def _data(self, body: bytes, status: int = 200) -> dict[str, Any]:
        try:
            answer = json.loads(body)
        except ValueError:
            raise self._not_qpilot(status) from None
        if isinstance(answer, dict) and answer.get("errors"):
            raise operation_error(answer["errors"])
        if not isinstance(answer, dict) or not isinstance(answer.get("data"), dict):
            raise self._not_qpilot(status)
        data: dict[str, Any] = answer["data"]
        return data

    def _not_qpilot(self, status: int) -> QPilotError:
        # A proxy before a server that restarts answers so.
        is_away = status in (502, 503, 504)
        message = f"what answers at {self.url} (status {status}) is not QPilot"
        return QPilotError("UNREACHABLE" if is_away else "NOT_QPILOT", message, retryable=is_away)

    def _unreachable(self, error: Exception) -> QPilotError:
        reason = getattr(error, "reason", error)
        message = f"no QPilot answers at {self.url} ({reason}); start one with npm start, or set QPILOT_URL"
        return QPilotError("UNREACHABLE", message, retryable=True)


def _is_away(error: QPilotError) -> bool:
    return error.code in ("UNREACHABLE", "SERVICE_BUSY", "STORE_AWAY")
