"""The answer to a question, complete or arriving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .display import Display
from .errors import QPilotError
from .frames import module, table, with_unit

EVENTS = """subscription($sessionId: ID!, $afterSeq: Int) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
    __typename
    ... on SequencedEvent { seq turnId }
    ... on TokenEvent { text offset }
    ... on ToolCallStartedEvent { callId tool label description }
    ... on ToolCallFinishedEvent { callId tool toolStatus durationMs preview callError: error { message } }
    ... on ToolApprovalEvent { approval { state server serverTool } }
    ... on SourceFallbackEvent { fallback: text }
    ... on StepResetEvent { keepUntilOffset reason }
    ... on TurnFinishedEvent { turnStatus error { code message retryable } message {
      text model assessment unverifiedTable
      freshness { source newestAt oldestAt isStale }
      numbers { text unit offset status callId recordId measuredAt }
      blocks {
        ... on ChartBlock { chart { title kind data layout } }
        ... on TableBlock { table { title rows rowCount columns { key label unit } } }
      } } } } }"""


class AnswerFailed(QPilotError):
    """The turn ended without a complete answer; `answer` has what there is of it."""

    def __init__(self, answer: Answer, code: str, message: str, *, retryable: bool) -> None:
        super().__init__(code, message, retryable=retryable)
        self.answer = answer


class Answer:
    """An answer: `text`, `charts` (plotly figures), `tables` and `sources`, the record behind each number."""

    def __init__(self, question: str, session_id: str, turn_id: str) -> None:
        self.question = question
        self.session_id = session_id
        self.turn_id = turn_id
        self.status = "RUNNING"
        self.text = ""
        self.model: str | None = None
        self.calls: dict[str, str] = {}
        self._message: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Answer({self.question!r}, {self.status}, {len(self._numbers())} numbers, turn {self.turn_id})"

    @property
    def charts(self) -> list[Any]:
        """Its charts: plotly figures, or without plotly dictionaries with `title`, `data` and `layout`."""
        return [figure(block["chart"]) for block in self._blocks("chart")]

    @property
    def tables(self) -> list[Any]:
        """Its tables; the title is in `attrs`, units in the names of columns."""
        return [_data_table(block["table"]) for block in self._blocks("table")]

    @property
    def sources(self) -> Any:
        """Each number of the text: status (SOURCED, DERIVED, FROM_USER, UNSOURCED), record, when measured, tool call."""
        keys = ["text", "unit", "status", "recordId", "measuredAt", "callId"]
        rows = [
            [*(number[key] for key in keys), self.calls.get(number["callId"] or ""), number["offset"]]
            for number in self._numbers()
        ]
        columns = ["number", "unit", "status", "record_id", "measured_at", "call_id", "tool", "offset"]
        attrs = {"turn": self.turn_id, "offset": "UTF-16 code units of the text"}
        return table(columns, rows, attrs=attrs, times=["measured_at"])

    def follow(self, events: Iterator[dict[str, Any]], display: Display) -> None:
        """Takes the events of its turn up to the end; raises `AnswerFailed` where that is not an answer."""
        for event in events:
            if event["turnId"] == self.turn_id and self._take(event, display):
                return

    def finish(self, display: Display) -> None:
        """Shows what belongs below the words, and raises `AnswerFailed` for a turn that failed."""
        for item in [*self.charts, *self.tables]:
            display.item(item)
        display.end(self._ending())
        if self.status not in ("COMPLETED", "CANCELLED"):
            error = self._error or {"code": self.status, "message": "the turn ended", "retryable": True}
            raise AnswerFailed(self, error["code"], error["message"], retryable=error["retryable"])

    def _take(self, event: dict[str, Any], display: Display) -> bool:
        match event["__typename"]:
            case "TokenEvent":
                self.text = until_offset(self.text, event["offset"]) + event["text"]
                display.words(self.text)
            case "ToolCallStartedEvent":
                self.calls[event["callId"]] = event["tool"]
                display.step(f"→ {event['label']}: {event['description']}")
            case "ToolCallFinishedEvent":
                mark = "✓" if event["toolStatus"] == "OK" else f"✗ {event['toolStatus']}"
                said = (event["callError"] or {}).get("message", event["preview"])
                display.step(f"{mark} {event['tool']} ({event['durationMs']} ms): {said}")
            case "ToolApprovalEvent":
                asked = event["approval"]
                waits = "waits for approval in the web client" if asked["state"] == "WAITING" else asked["state"].lower()
                display.step(f"? {asked['serverTool']} of {asked['server']} {waits}")
            case "SourceFallbackEvent":
                display.step(f"⇄ {event['fallback']}")
            case "StepResetEvent":
                self.text = until_offset(self.text, event["keepUntilOffset"])
                display.step(f"↺ {event['reason']}")
                display.words(self.text)
            case "TurnFinishedEvent":
                self.status = event["turnStatus"]
                self._error = event["error"]
                self._message = event["message"] or {}
                self.model = self._message.get("model")
                self.text = self._message.get("text", self.text)
                display.words(self.text)
                return True
        return False

    _error: dict[str, Any] | None = None

    def _ending(self) -> str:
        counts = Counter(number["status"].lower().replace("_", " ") for number in self._numbers())
        lines = [f"{self.status}" + (f" by {self.model}" if self.model else "")]
        if counts:
            kinds = ", ".join(f"{count} {status}" for status, count in counts.most_common())
            lines.append(f"Numbers: {kinds}; records: answer.sources")
        for age in self._message.get("freshness", []):
            if age["oldestAt"] and age["newestAt"]:
                stale = ", STALE" if age["isStale"] else ""
                lines.append(f"Data: {age['source']}, {_minute(age['oldestAt'])} to {_minute(age['newestAt'])} UTC{stale}")
        if self._message.get("unverifiedTable"):
            lines.append("Tables in the text are the model's own; no stored result backs them.")
        return "\n".join(lines)

    def _numbers(self) -> list[dict[str, Any]]:
        numbers: list[dict[str, Any]] = self._message.get("numbers", [])
        return numbers

    def _blocks(self, kind: str) -> list[dict[str, Any]]:
        return [block for block in self._message.get("blocks", []) if kind in block]


def until_offset(text: str, offset: int) -> str:
    """The text before an offset of the API, which counts UTF-16 code units."""
    return text.encode("utf-16-le")[: 2 * offset].decode("utf-16-le", "ignore")


def figure(chart: dict[str, Any]) -> Any:
    """A chart as plotly's figure; an older plotly leaves out what it does not know. Without plotly the chart itself."""
    plotly = module("plotly.graph_objects")
    if plotly is None:
        return chart
    return plotly.Figure(data=chart["data"], layout=chart["layout"], skip_invalid=True)


def _data_table(found: dict[str, Any]) -> Any:
    columns = found["columns"]
    names = [with_unit(column["label"], column["unit"]) for column in columns]
    rows = ([row.get(column["key"]) for column in columns] for row in found["rows"])
    units = {name: column["unit"] for name, column in zip(names, columns, strict=True) if column["unit"]}
    attrs = {"title": found["title"], "units": units, "row_count": found["rowCount"]}
    return table(names, rows, attrs=attrs)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
