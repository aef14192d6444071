from __future__ import annotations

import os
import stat
from unittest import mock

from qpilot import AnswerFailed, QPilotError
from qpilot.answer import until_offset
from qpilot.display import harmless

from .support import OFFLINE, CuttingProxy, ServerTest

QUESTION = "Which five qubits have the shortest T1?"


class AskTest(ServerTest):
    def test_streams_words_steps_and_charts_with_the_record_of_each_number(self) -> None:
        answer = self.qp.ask(QUESTION, chip="demo-64", model=OFFLINE)
        self.assertEqual(answer.status, "COMPLETED")
        self.assertEqual(self.shown.texts[-1], answer.text)
        self.assertTrue(self.shown.steps[0].startswith("→ "))
        self.assertTrue(any(step.startswith("✓ ") for step in self.shown.steps))
        self.assertEqual(len(self.shown.items), len(answer.charts) + len(answer.tables))
        self.assertTrue(answer.charts)
        sources = answer.sources if isinstance(answer.sources, list) else answer.sources.to_dict("records")
        sourced = [row for row in sources if row["status"] == "SOURCED" and row["record_id"]]
        self.assertTrue(sourced)
        t1 = self.qp.chip("demo-64").metric("t1")
        records = {row["task_id"] for row in (t1 if isinstance(t1, list) else t1.to_dict("records"))}
        self.assertLessEqual({row["record_id"] for row in sourced}, records)
        for row in sources:
            self.assertTrue(answer.text[len(until_offset(answer.text, row["offset"])) :].startswith(row["number"]))
        self.assertIn("sourced", self.shown.ending)

    def test_loses_nothing_over_dropped_connections(self) -> None:
        with CuttingProxy(cuts=3) as proxy:
            answer = self.client(proxy.url).ask(QUESTION, chip="demo-64", model=OFFLINE)
        self.assertGreater(proxy.streams, 2)
        whole = self.qp.server.execute(
            "query($id: ID!) { node(id: $id) { ... on Turn { message { text } } } }", {"id": answer.turn_id}
        )["node"]["message"]["text"]
        self.assertEqual(answer.text, whole)
        self.assertEqual(len(self.shown.steps), len(set(self.shown.steps)))

    def test_goes_on_in_its_conversation_and_resumes_after_a_restart(self) -> None:
        first = self.qp.ask(QUESTION, chip="demo-64", model=OFFLINE)
        restarted = self.client()
        second = restarted.ask("And T2?", model=OFFLINE)
        self.assertEqual(second.session_id, first.session_id)
        again = self.client().resume()
        self.assertEqual((again.turn_id, again.text), (second.turn_id, second.text))
        other = self.client().ask(QUESTION, chip="demo-64", model=OFFLINE, new=True)
        self.assertNotEqual(other.session_id, first.session_id)

    def test_resumes_a_question_whose_answer_nobody_saw(self) -> None:
        with mock.patch.object(type(self.qp), "_follow", side_effect=SystemExit):
            with self.assertRaises(SystemExit):
                self.qp.ask(QUESTION, chip="demo-64", model=OFFLINE)
        answer = self.client().resume()
        self.assertEqual((answer.status, answer.question), ("COMPLETED", QUESTION))

    def test_resumes_a_question_that_may_not_have_arrived(self) -> None:
        sent = self.qp.server.execute_patiently

        def send_and_die(query: str, variables: object) -> None:
            sent(query, variables)  # type: ignore[arg-type]
            raise SystemExit

        with mock.patch("qpilot.transport.Server.execute_patiently", side_effect=send_and_die):
            with self.assertRaises(SystemExit):
                self.qp.ask(QUESTION, chip="demo-64", model=OFFLINE)
        answer = self.client().resume()
        turns = self.qp.server.execute(
            "query($id: ID!) { copilotSession(id: $id) { turns { nodes { id } } } }", {"id": answer.session_id}
        )["copilotSession"]["turns"]["nodes"]
        self.assertEqual(turns, [{"id": answer.turn_id}])

    def test_keeps_its_state_to_its_user(self) -> None:
        self.qp.ask(QUESTION, chip="demo-64", model=OFFLINE)
        path = self.qp._state.path
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        self.assertNotIn(os.environ["QPILOT_KEY"], path.read_text())
        path.write_text("{broken")
        with self.assertRaisesRegex(QPilotError, "NOTHING_TO_RESUME"):
            self.client().resume()

    def test_cancels_the_turn_when_interrupted_and_keeps_what_came(self) -> None:
        def interrupt(text: str) -> None:
            if not interrupted:
                interrupted.append(text)
                raise KeyboardInterrupt

        interrupted: list[str] = []
        self.shown.words = interrupt  # type: ignore[method-assign]
        with self.assertRaises(KeyboardInterrupt):
            self.qp.ask("Talk until you are stopped.", chip="demo-64")
        assert self.qp.last is not None
        self.assertEqual(self.qp.last.status, "CANCELLED")
        self.assertTrue(interrupted[0] and self.qp.last.text.startswith(interrupted[0]))
        self.assertTrue(self.shown.ending.startswith("CANCELLED"))

    def test_raises_what_went_wrong(self) -> None:
        with self.assertRaises(AnswerFailed) as failed:
            self.qp.ask("Fail, please.", chip="demo-64")
        self.assertEqual(failed.exception.answer.status, "FAILED")
        with self.assertRaisesRegex(QPilotError, "NOT_FOUND|INVALID_INPUT"):
            self.client().ask(QUESTION, chip="no-chip", model=OFFLINE)
        state = self.qp._state.read()
        assert state is not None
        self.assertEqual(state["input"]["content"], "Fail, please.")

    def test_shows_no_html_and_no_pictures_of_a_model(self) -> None:
        self.assertEqual(harmless("a <b>x</b> `<img>` ![p](http://x) 1 < 2"), "a < b>x< /b> `< img>` ! [p](http://x) 1 < 2")
