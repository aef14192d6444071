/** Working phases: each to-do by its calls and its note, the report from the notes. */
import { keyOf, planned } from '../shared/tool-answers.ts';
import { agendaOf, stepOf } from './agenda.ts';
import { assignmentOf, knownBy, notePaths, type Assignment } from './assignment.ts';
import type { Reply } from '../shared/stream.ts';
import { REPORT, callsThenText, pending, reading, textIn, type JobPrompt, type PhaseTurn } from './phase.ts';
import { JOB_WORDS } from './messages.ts';
import { reportText } from './report.ts';
import { findingOf, noteOf, type AgendaStep } from './step.ts';

/** The reply of a working phase. */
export function work(prompt: JobPrompt, turn: PhaseTurn): Reply {
  const unknown = pending(turn, knownBy(prompt));
  if (unknown.length > 0) return { calls: unknown, text: '' };
  const assignment = assignmentOf(prompt, turn);
  const replies = prompt.openTodos.map(({ id, text }) => {
    const step = stepOf(text);
    if (isReportTodo(text)) return writeReport({ prompt, assignment, turn, id });
    if (step === null) return giveUp(assignment, turn, id);
    return doStep(step, assignment, turn, id);
  });
  const calls = new Map(replies.flatMap((reply) => reply.calls).map((call) => [keyOf(call), call]));
  return {
    calls: [...calls.values()],
    text: replies.map(({ text }) => `- ${text}`).join('\n') || assignment.subject.t('nothingToDo'),
  };
}

const isReportTodo = (text: string): boolean =>
  Object.values(JOB_WORDS).some(({ t }) => t('reportTodo', { path: REPORT }) === text);

function doStep(step: AgendaStep, { subject, folder }: Assignment, turn: PhaseTurn, id: number): Reply {
  const before = pending(turn, step.reads?.(subject, turn.answers) ?? []);
  if (before.length > 0) return { calls: before, text: '' };
  const open = pending(turn, step.calls(subject, turn.answers));
  if (open.length > 0) return { calls: open, text: '' };
  const note = noteOf(step, subject, turn.answers);
  const finding = findingOf(note).text;
  const keep = planned('write_file', { path: `${folder}/${step.id}.md`, content: note });
  const done = planned('todo_complete', { todo_id: id, result: finding.slice(0, 500) });
  return callsThenText(turn, [keep, done], { t: subject.t, text: finding });
}

type Writing = {
  readonly prompt: JobPrompt;
  readonly assignment: Assignment;
  readonly turn: PhaseTurn;
  readonly id: number;
};

function writeReport({ prompt, assignment, turn, id }: Writing): Reply {
  const { subject, reviewNotes } = assignment;
  const { t } = subject;
  const readings = notePaths(prompt, assignment).map(reading);
  const open = pending(turn, readings);
  if (open.length > 0) return { calls: open, text: '' };
  const notes = readings.flatMap((call) => textIn(turn.answers, call) ?? []);
  const { expertId, task } = prompt;
  const { left } = agendaOf(expertId, turn.tools, subject.request);
  const content = reportText({ expertId, subject, task, reviewNotes, notes, left });
  const write = planned('write_file', { path: REPORT, content });
  const result = t('wrote', { path: REPORT, notes: notes.length });
  const done = planned('todo_complete', { todo_id: id, result });
  return callsThenText(turn, [write, done], { t, text: result });
}

function giveUp({ subject: { t } }: Assignment, turn: PhaseTurn, id: number): Reply {
  const done = planned('todo_complete', { todo_id: id, result: t('unknownTodoResult') });
  return callsThenText(turn, [done], { t, text: t('unknownTodo', { id }) });
}
