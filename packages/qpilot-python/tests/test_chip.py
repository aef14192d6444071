from __future__ import annotations

import unittest
from datetime import timedelta, timezone
from unittest import mock

from qpilot import QPilot, QPilotError
from qpilot import frames

from .support import URL, ServerTest


def rows(table: object) -> list[dict[str, object]]:
    return table if isinstance(table, list) else table.to_dict("records")  # type: ignore[attr-defined, no-any-return]


class ChipTest(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        self.chip = self.qp.chip("demo-64")

    def test_lists_chips_and_parts(self) -> None:
        self.assertEqual([chip["chip_id"] for chip in rows(self.qp.chips())], ["demo-64"])
        qubits = rows(self.chip.qubits)
        self.assertEqual(len(qubits), 64)
        qids = {qubit["qid"] for qubit in qubits}
        couplings = rows(self.chip.couplings)
        self.assertTrue(couplings)
        for coupling in couplings:
            self.assertLessEqual({coupling["control"], coupling["target"]}, qids)

    def test_reads_a_metric_of_qubits_with_unit_and_utc_times(self) -> None:
        t1 = self.chip.metric("t1")
        unit = self.chip._metric("t1")["unit"]
        self.assertEqual(t1.attrs["units"], {f"t1 [{unit}]": unit})
        values = rows(t1)
        self.assertEqual(len(values), 64)
        measured = [row for row in values if row["state"] == "ENABLED"]
        said = self.qp.server.execute(
            """{ chip(chipId: "demo-64") { qubits { qid parameter(name: "t1") { displayValue displayUnit calibratedAt } } } }"""
        )["chip"]["qubits"]
        by_qid = {qubit["qid"]: qubit["parameter"] for qubit in said}
        for row in measured:
            value = by_qid[row["qid"]]
            self.assertAlmostEqual(row[f"t1 [{unit}]"], value["displayValue"])
            self.assertEqual(value["displayUnit"], unit)
            self.assertEqual(row["measured_at"], frames.utc(value["calibratedAt"]))
            self.assertEqual(row["measured_at"].utcoffset(), timedelta(0))

    def test_reads_a_metric_of_couplings(self) -> None:
        name = next(m["name"] for m in rows(self.chip.metrics) if m["scope"] == "COUPLING" and rows(self.chip.metric(m["name"])))
        table = self.chip.metric(name)
        column = next(iter(table.attrs["units"]))
        self.assertTrue(any(row[column] == row[column] for row in rows(table)))
        self.assertTrue(rows(self.chip.metric(name, since="7d")))

    def test_reads_a_history_that_ends_with_the_newest_values(self) -> None:
        history = self.chip.metric("t1", since="7d")
        column = next(iter(history.attrs["units"]))
        self.assertEqual(history.attrs["cut"], [])
        newest = {row["qid"]: row for row in rows(self.chip.metric("t1"))}
        last = {row["qid"]: row for row in rows(history)}
        self.assertGreater(len(rows(history)), len(last))
        for qid, row in last.items():
            if newest[qid]["state"] == "ENABLED":
                self.assertAlmostEqual(row[column], newest[qid][column])
                self.assertEqual(row["task_id"], newest[qid]["task_id"])
        begin = min(row["measured_at"] for row in rows(history))
        later = self.chip.metric("t1", since=begin + timedelta(days=3))
        self.assertLess(len(rows(later)), len(rows(history)))
        earlier = self.chip.metric("t1", since="7d", until=begin + timedelta(days=3))
        self.assertTrue(all(row["measured_at"] <= begin + timedelta(days=3) for row in rows(earlier)))

    def test_reads_changes_and_health(self) -> None:
        changes = self.chip.changes("3d", parameters=["t1"])
        self.assertTrue(rows(changes))
        self.assertEqual({row["parameter"] for row in rows(changes)}, {"t1"})
        self.assertEqual(changes.attrs["until"] - changes.attrs["since"], timedelta(days=3))
        for row in rows(changes):
            if row["kind"] == "MOVED":
                self.assertAlmostEqual(row["after"] - row["before"], row["difference"])
        health = self.chip.health()
        assert health.score is not None
        self.assertAlmostEqual(sum(part["contribution"] for part in rows(health.components)), health.score, delta=1)

    def test_gives_lists_of_dictionaries_without_pandas(self) -> None:
        with mock.patch("qpilot.frames.module", return_value=None):
            t1 = self.chip.metric("t1")
        self.assertIsInstance(t1, list)
        self.assertEqual(len(t1), 64)
        self.assertEqual(t1.attrs["chip"], "demo-64")
        self.assertEqual({row["measured_at"].tzinfo for row in t1 if row["measured_at"]}, {timezone.utc})

    def test_lists_jobs(self) -> None:
        listed = [job["id"] for job in rows(self.qp.jobs())]
        self.assertEqual(len(listed), 1)
        job = self.qp.job(listed[0])
        self.assertEqual((job.description, job.chip_id), ("Look at T1", "demo-64"))
        report = job.report()
        if job.status == "COMPLETED":
            assert report is not None
            self.assertEqual(report._repr_markdown_(), report)
            self.assertIn("#", report)


class ErrorTest(ServerTest):
    def refusal(self, code: str) -> unittest.case._AssertRaisesContext[QPilotError]:
        return self.assertRaisesRegex(QPilotError, f"^{code}: ")

    def test_names_what_is_known(self) -> None:
        with self.refusal("NOT_FOUND") as caught:
            rows(self.qp.chip("demo-65").qubits)
        self.assertIn("demo-64", caught.exception.message)
        self.assertFalse(caught.exception.retryable)
        with self.refusal("NOT_FOUND") as caught:
            self.qp.chip("demo-64").metric("t9")
        self.assertIn("t1", caught.exception.message)
        with self.refusal("INVALID_INPUT"):
            self.qp.job("no-job")
        with self.assertRaisesRegex(ValueError, "is no time"):
            self.qp.chip("demo-64").metric("t1", since="yesterday")

    def test_says_when_to_try_again(self) -> None:
        away = QPilot("http://127.0.0.1:1", patience_s=0)
        with self.refusal("UNREACHABLE") as caught:
            away.chips()
        self.assertTrue(caught.exception.retryable)
        self.assertIn("may succeed later", str(caught.exception))

    def test_refuses_who_is_not_known(self) -> None:
        with self.refusal("UNAUTHENTICATED") as caught:
            QPilot(URL, key="qp_wrong").chips()
        self.assertFalse(caught.exception.retryable)
        self.assertNotIn("qp_wrong", repr(QPilot(URL, key="qp_wrong").server))

    def test_refuses_what_is_no_address(self) -> None:
        with self.assertRaises(ValueError):
            QPilot("localhost:4000")
