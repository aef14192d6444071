/** Working phases: each to-do by its calls and its note, the report from the notes. */
import { keyOf, planned } from '../analyst/answers.ts';
import { agendaOf, stepOf } from './agendas.ts';
import { assignmentOf, knownBy, notePaths, type Assignment } from './assignment.ts';
import {
  REPORT,
  after,
  offered,
  pending,
  reading,
  textIn,
  type JobMove,
  type JobPrompt,
  type JobTurn,
} from './move.ts';
import { reportText } from './report.ts';
import { findingOf, noteOf, type Step } from './step.ts';
import { JOB_WORDS } from './words/words.ts';

/** The next move of a working phase. */
export function work(prompt: JobPrompt, turn: JobTurn): JobMove {
  const unknown = pending(turn, knownBy(prompt));
  if (unknown.length > 0) return { calls: unknown, text: '' };
  const assignment = assignmentOf(prompt, turn);
  const moves = prompt.openTodos.map(({ id, text }) => {
    const step = stepOf(text);
    if (isReportTodo(text)) return writeReport({ prompt, assignment, turn, id });
    if (step === null) return giveUp(assignment, turn, id);
    return doStep(step, assignment, turn, id);
  });
  const calls = new Map(moves.flatMap((move) => move.calls).map((call) => [keyOf(call), call]));
  return {
    calls: [...calls.values()],
    text: moves.map(({ text }) => `- ${text}`).join('\n') || assignment.subject.words.course.nothingToDo,
  };
}

const isReportTodo = (text: string): boolean =>
  Object.values(JOB_WORDS).some(({ course }) => course.reportTodo(REPORT) === text);

function doStep(step: Step, { subject, folder }: Assignment, turn: JobTurn, id: number): JobMove {
  const before = pending(turn, offered(turn, step.reads?.(subject, turn.answers) ?? []));
  if (before.length > 0) return { calls: before, text: '' };
  const open = pending(turn, offered(turn, step.calls(subject, turn.answers)));
  if (open.length > 0) return { calls: open, text: '' };
  const note = noteOf(step, subject, turn.answers);
  const finding = findingOf(note).text;
  const keep = planned('write_file', { path: `${folder}/${step.id}.md`, content: note });
  const done = planned('todo_complete', { todo_id: id, result: finding.slice(0, 500) });
  return after(turn, [keep, done], { words: subject.words.course, say: () => finding });
}

type Writing = {
  readonly prompt: JobPrompt;
  readonly assignment: Assignment;
  readonly turn: JobTurn;
  readonly id: number;
};

function writeReport({ prompt, assignment, turn, id }: Writing): JobMove {
  const { subject, reviewNotes } = assignment;
  const { course } = subject.words;
  const readings = notePaths(prompt, assignment).map(reading);
  const open = pending(turn, readings);
  if (open.length > 0) return { calls: open, text: '' };
  const notes = readings.flatMap((call) => textIn(turn.answers, call) ?? []);
  const { expertId, task } = prompt;
  const { left } = agendaOf(expertId, turn.tools, subject.brief);
  const content = reportText({ expertId, subject, task, reviewNotes, notes, left });
  const write = planned('write_file', { path: REPORT, content });
  const result = course.wrote(REPORT, notes.length);
  const done = planned('todo_complete', { todo_id: id, result });
  return after(turn, [write, done], { words: course, say: () => result });
}

const giveUp = (
  {
    subject: {
      words: { course },
    },
  }: Assignment,
  turn: JobTurn,
  id: number,
): JobMove =>
  after(turn, [planned('todo_complete', { todo_id: id, result: course.unknownTodoResult })], {
    words: course,
    say: () => course.unknownTodo(id),
  });
