"""The way in: one server, one project."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from typing import Any

from .answer import EVENTS, Answer
from .chip import Chip
from .display import Display, display_here
from .errors import QPilotError, refused
from .frames import table
from .jobs import Job, read_job, read_jobs
from .state import State
from .transport import Server

_SEND = """mutation($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id afterSeq } }
  ... on UserError { code message }
  ... on RateLimitedError { retryAfterMs }
  ... on InvalidInputError { issues { path message } } } }"""
_CANCEL = """mutation($id: ID!) { cancelTurn(input: { turnId: $id }) { __typename
  ... on UserError { code message } } }"""
_CHIPS = "{ chips { chipId size installedAt } }"


class QPilot:
    """A QPilot server. Without arguments: `QPILOT_URL`, `QPILOT_KEY` and `QPILOT_PROJECT` of the environment."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        project: str | None = None,
        *,
        patience_s: float = 60,
        display: Callable[[], Display] = display_here,
    ) -> None:
        address = url or os.environ.get("QPILOT_URL") or "http://127.0.0.1:4000"
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"{address!r} is no address of a server; http://127.0.0.1:4000 is")
        self.server = Server(
            address.rstrip("/"),
            key or os.environ.get("QPILOT_KEY") or None,
            project or os.environ.get("QPILOT_PROJECT") or None,
            patience_s=patience_s,
        )
        self.last: Answer | None = None
        self._display = display
        self._state = State(self.server)

    def __repr__(self) -> str:
        return f"QPilot({self.server.url!r}, project={self.server.project!r})"

    def projects(self) -> Any:
        """Projects of whoever asks, also before one is named: `QPilot(project=...)` takes a `project_id`."""
        rows = [(p["projectId"], p["name"], p["role"]) for p in self.server.projects()]
        return table(["project_id", "name", "role"], rows)

    def chips(self) -> Any:
        """Chips of the project."""
        rows = [(c["chipId"], c["size"], c["installedAt"]) for c in self.server.execute(_CHIPS)["chips"]]
        return table(["chip_id", "size", "installed_at"], rows, times=["installed_at"])

    def chip(self, chip_id: str) -> Chip:
        """A chip by name; a call on it raises `QPilotError` NOT_FOUND if there is none."""
        return Chip(self.server, chip_id)

    def jobs(self, first: int = 20) -> Any:
        """The newest jobs of the viewer."""
        return read_jobs(self.server, first)

    def job(self, job_id: str) -> Job:
        """A job by its id."""
        return read_job(self.server, job_id)

    def ask(
        self, question: str, *, chip: str | None = None, model: str | None = None, new: bool = False
    ) -> Answer:
        """Asks in the conversation of the last question, or in a `new` one, and shows the answer as it arrives.

        A conversation stays with its chip: another `chip` begins a new one. An interrupt cancels the turn, keeps what
        there is of the answer in `last`, and is raised again.
        """
        before = None if new else self._state.read()
        goes_on = before is not None and (chip is None or chip == before["chip"])
        session = before["sessionId"] if before is not None and goes_on else None
        message = {"content": question, "clientMessageId": str(uuid.uuid4()), "model": model}
        place = {"chipId": chip} if session is None else {"sessionId": session}
        asked_chip = before["chip"] if before is not None and goes_on else chip
        state = {"input": {**message, **place}, "chip": asked_chip, "sessionId": session}
        return self._answer(state, is_new=True, before=before)

    def resume(self) -> Answer:
        """Shows the last answer from its beginning, also after a restart of the kernel: it went on meanwhile."""
        state = self._state.read()
        if state is None:
            raise QPilotError("NOTHING_TO_RESUME", f"nothing was asked at {self.server.url} from here; use ask()")
        return self._answer(state, is_new=False, before=None)

    def _answer(self, state: dict[str, Any], *, is_new: bool, before: dict[str, Any] | None) -> Answer:
        if is_new:
            self._state.write(state)  # first, so that a kernel that dies meanwhile finds its question
        # Sent once more, a message has the same turn: its clientMessageId is the same.
        try:
            sent = self.server.execute_patiently(_SEND, {"input": state["input"]})["sendMessage"]
            if sent["__typename"] != "SendMessagePayload":
                raise refused(sent)
        except QPilotError as error:
            # What was refused is nothing to resume; whether a lost message arrived is unknown, and it stays.
            if before is not None and error.code not in ("UNREACHABLE", "STORE_AWAY"):
                self._state.write(before)
            raise
        session, turn = sent["session"]["id"], sent["turn"]
        self._state.write({**state, "sessionId": session})
        answer = self.last = Answer(state["input"]["content"], session, turn["id"])
        self._follow(answer, turn["afterSeq"])
        return answer

    def _follow(self, answer: Answer, after_seq: int) -> None:
        display = self._display()
        events = self.server.follow(EVENTS, {"sessionId": answer.session_id}, after_seq)
        try:
            answer.follow(events, display)
        except KeyboardInterrupt:
            self._cancel(answer)
            # From the beginning: the event that the interrupt fell into may be lost. Its text is placed by offset.
            again = self.server.follow(EVENTS, {"sessionId": answer.session_id}, after_seq)
            answer.follow(again, _Silent())
            display.words(answer.text)
            answer.finish(display)
            raise
        finally:
            events.close()
        answer.finish(display)

    def _cancel(self, answer: Answer) -> None:
        result = self.server.execute_patiently(_CANCEL, {"id": answer.turn_id})["cancelTurn"]
        if "code" in result:
            raise refused(result)


class _Silent:
    """Shows nothing: what came until now is shown already."""

    def step(self, line: str) -> None: ...

    def words(self, text: str) -> None: ...

    def item(self, item: Any) -> None: ...

    def end(self, line: str) -> None: ...
