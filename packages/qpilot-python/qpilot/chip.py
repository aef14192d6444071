"""Calibration data of one chip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from .errors import QPilotError
from .frames import moment, table, utc, with_unit
from .transport import Server

MOST_POINTS = 200
MOST_CHANGES = 1000

_METRICS = "{ metrics { name title unit scope } }"
_QUBITS = "query($chip: String!) { chip(chipId: $chip) { qubits { qid label state stateReason } } }"
_COUPLINGS = """query($chip: String!) { chip(chipId: $chip) {
  couplings { couplingId control { qid } target { qid } state stateReason lastSeenAt } } }"""
_OF_QUBITS = """query($chip: String!, $name: String!) { chip(chipId: $chip) { metric(name: $name) {
  unit values { qubit { qid } value measuredAt state stateReason taskId } } } }"""
_OF_COUPLINGS = """query($chip: String!, $name: String!) { chip(chipId: $chip) {
  couplings { couplingId lastSeenAt parameters(names: [$name]) {
    displayValue displayUnit calibratedAt state stateReason taskId } } } }"""
_HISTORY = """query($chip: String!, $name: String!, $from: DateTime, $to: DateTime, $lastN: Int!) {
  chip(chipId: $chip) { history: %s(parameter: $name, from: $from, to: $to, lastN: $lastN) {
    unit series { part: %s points { at value error taskId } } } } }"""
_CHANGES = """query($chip: String!, $from: DateTime!, $to: DateTime, $parameters: [String!], $first: Int!) {
  chip(chipId: $chip) { changes(from: $from, to: $to, parameters: $parameters) { from to
    changes(first: $first) { kind label partId scope parameter unit difference sigma better
      before { displayValue displayUnit calibratedAt } after { displayValue displayUnit calibratedAt } } } } }"""
_HEALTH = """query($chip: String!) { chip(chipId: $chip) { summary { health { score label
  components { name title weight contribution reason }
  partProblems { label parameter value unit threshold rating severity } } } } }"""


@dataclass(frozen=True)
class Health:
    """Health of a chip; `components` says what the score is made of, `problems` which values need attention."""

    score: float | None
    label: str
    components: Any
    problems: Any


class Chip:
    """A chip of the project; each call reads the server anew."""

    def __init__(self, server: Server, chip_id: str) -> None:
        self.chip_id = chip_id
        self._server = server

    def __repr__(self) -> str:
        return f"Chip({self.chip_id!r})"

    @property
    def qubits(self) -> Any:
        """Its qubits, and whether they can be used."""
        rows = [(q["qid"], q["label"], q["state"], q["stateReason"]) for q in self._read(_QUBITS)["qubits"]]
        return table(["qid", "label", "state", "reason"], rows, attrs=self._attrs())

    @property
    def couplings(self) -> Any:
        """Its directed couplings; `last_seen_at` is set for those that the newest snapshot lacks."""
        rows = [
            (c["couplingId"], c["control"]["qid"], c["target"]["qid"], c["state"], c["stateReason"], c["lastSeenAt"])
            for c in self._read(_COUPLINGS)["couplings"]
        ]
        columns = ["coupling_id", "control", "target", "state", "reason", "last_seen_at"]
        return table(columns, rows, attrs=self._attrs(), times=["last_seen_at"])

    @cached_property
    def metrics(self) -> Any:
        """Metrics by name, with unit and scope (QUBIT or COUPLING)."""
        rows = [(m["name"], m["title"], m["unit"], m["scope"]) for m in self._metrics]
        return table(["name", "title", "unit", "scope"], rows)

    def metric(
        self,
        name: str,
        *,
        since: datetime | timedelta | str | None = None,
        until: datetime | timedelta | str | None = None,
    ) -> Any:
        """One row per qubit or coupling with its newest value; with `since` one per result from then on, oldest first.

        The unit is in the name of the column and in `attrs["units"]`, times are UTC, and `task_id` is the result that a
        value is from. Of each qubit or coupling at most the 200 newest results are read: those with more are named in
        `attrs["cut"]`.
        """
        is_qubit = self._scope(name) == "QUBIT"
        key = "qid" if is_qubit else "coupling_id"
        if since is not None or until is not None:
            return self._history(name, key, since, until)
        columns_after = ["measured_at", "state", "reason", "task_id"]
        if is_qubit:
            found = self._read(_OF_QUBITS, name=name)["metric"]
            unit = found["unit"]
            rows = [
                (v["qubit"]["qid"], v["value"], v["measuredAt"], v["state"], v["stateReason"], v["taskId"])
                for v in found["values"]
            ]
        else:
            values = [
                (c["couplingId"], v)
                for c in self._read(_OF_COUPLINGS, name=name)["couplings"]
                if c["lastSeenAt"] is None
                for v in c["parameters"]
            ]
            unit = next((v["displayUnit"] for _, v in values), self._metric(name)["unit"])
            rows = [
                (part, v["displayValue"], v["calibratedAt"], v["state"], v["stateReason"], v["taskId"])
                for part, v in values
            ]
        column = with_unit(name, unit)
        attrs = self._attrs(metric=name, units={column: unit})
        return table([key, column, *columns_after], rows, attrs=attrs, times=["measured_at"])

    def changes(
        self,
        since: datetime | timedelta | str,
        until: datetime | timedelta | str | None = None,
        *,
        parameters: Sequence[str] | None = None,
    ) -> Any:
        """What is different between two points in time: one row per change, each in the unit of its row.

        `attrs["is_cut"]` is true where there may be more than the 1,000 that are read.
        """
        times = self._span(since, until)
        found = self._read(_CHANGES, **times, parameters=parameters, first=MOST_CHANGES)["changes"]
        none: dict[str, Any] = {"displayValue": None, "calibratedAt": None}
        rows = []
        for c in found["changes"]:
            before, after = c["before"] or none, c["after"] or none
            row = [c["kind"], c["label"], c["partId"], c["scope"], c["parameter"]]
            row += [before["displayValue"], after["displayValue"], c["difference"], c["unit"], c["sigma"], c["better"]]
            rows.append([*row, before["calibratedAt"], after["calibratedAt"]])
        columns = ["kind", "label", "part_id", "scope", "parameter", "before", "after", "difference", "unit", "sigma"]
        attrs = self._attrs(since=utc(found["from"]), until=utc(found["to"]), is_cut=len(rows) == MOST_CHANGES)
        at = ["before_at", "after_at"]
        return table([*columns, "better", *at], rows, attrs=attrs, times=at)

    def health(self) -> Health:
        """Its health by the newest values."""
        summary = self._read(_HEALTH)["summary"]
        if summary is None:
            raise QPilotError("NOT_FOUND", f"{self.chip_id} has no values yet; import a snapshot of it first")
        health = summary["health"]
        parts = ["name", "title", "weight", "contribution", "reason"]
        problems = ["label", "parameter", "value", "unit", "threshold", "rating", "severity"]
        return Health(
            health["score"],
            health["label"],
            table(parts, ([c[key] for key in parts] for c in health["components"]), attrs=self._attrs()),
            table(problems, ([p[key] for key in problems] for p in health["partProblems"]), attrs=self._attrs()),
        )

    def _history(
        self, name: str, key: str, since: datetime | timedelta | str | None, until: datetime | timedelta | str | None
    ) -> Any:
        fields = ("timeseries", "qubit { id: qid }") if key == "qid" else ("couplingTimeseries", "coupling { id: couplingId }")
        found = self._read(_HISTORY % fields, name=name, **self._span(since, until), lastN=MOST_POINTS)["history"]
        series = [(each["part"]["id"], each["points"]) for each in found["series"]]
        rows = [(part, p["at"], p["value"], p["error"], p["taskId"]) for part, points in series for p in points]
        value, error = with_unit(name, found["unit"]), with_unit(f"{name}_error", found["unit"])
        attrs = self._attrs(
            metric=name,
            units={value: found["unit"], error: found["unit"]},
            cut=[part for part, points in series if len(points) == MOST_POINTS],
        )
        return table([key, "measured_at", value, error, "task_id"], rows, attrs=attrs, times=["measured_at"])

    def _span(
        self, since: datetime | timedelta | str | None, until: datetime | timedelta | str | None
    ) -> dict[str, str | None]:
        now = utc(self._server.execute("{ viewer { serverTime } }")["viewer"]["serverTime"])
        ends = {"from": since, "to": until}
        return {name: None if at is None else moment(at, now) for name, at in ends.items()}

    @cached_property
    def _metrics(self) -> list[dict[str, Any]]:
        metrics: list[dict[str, Any]] = self._server.execute(_METRICS)["metrics"]
        return metrics

    def _metric(self, name: str) -> dict[str, Any]:
        for metric in self._metrics:
            if metric["name"] == name:
                return metric
        known = ", ".join(metric["name"] for metric in self._metrics)
        raise QPilotError("NOT_FOUND", f"there is no metric {name!r}; there are {known}")

    def _scope(self, name: str) -> str:
        return str(self._metric(name)["scope"])

    def _read(self, query: str, **variables: Any) -> dict[str, Any]:
        chip: dict[str, Any] = self._server.execute(query, {"chip": self.chip_id, **variables})["chip"]
        return chip

    def _attrs(self, **more: Any) -> dict[str, Any]:
        return {"chip": self.chip_id, "server": self._server.url, **more}
