/**
 * The offline analyst as it works on a job: plans to-dos by the expert, does them by calls of tools, keeps notes, and writes
 * the report from the notes. It sees what any model sees and goes through the same loop; what it does next follows from
 * that alone, so that a worker which takes the job over goes on the same way. It says what it is.
 */
import { joinWords } from '../../../domain/display-text.ts';
import { readJobPrompt } from '../../prompt/job-sections.ts';
import { isFound, keyOf, planned, type Answers, type PlannedCall } from '../offline-analyst/answers.ts';
import { readSlots } from '../offline-analyst/slots.ts';
import { STEPS, agendaOf } from './agendas.ts';
import { reportText, resultOf } from './report.ts';
import { headlineOf, noteOf, type Step, type Subject } from './step.ts';

/** What there is to go on. */
export type JobTurn = {
  readonly instructions: string;
  /** Names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
  readonly answers: Answers;
  readonly now: Date;
};

/** What the analyst does: calls to be made, or its last words. */
export type JobMove = { readonly calls: readonly PlannedCall[]; readonly text: string };

type Prompt = NonNullable<ReturnType<typeof readJobPrompt>>;

const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];
const REPORT = 'report.md';
const REPORT_TODO = `Write ${REPORT} from the notes.`;
const NOTE_PATH = /^notes\/.+\.md$/u;

/** The next move on a phase; null where the request is not about a job. */
export function nextMove(turn: JobTurn): JobMove | null {
  const prompt = readJobPrompt(turn.instructions);
  if (prompt === null) return null;
  return prompt.phase === 'PLANNING' ? plan(prompt, turn) : work(prompt, turn);
}

function plan(prompt: Prompt, turn: JobTurn): JobMove {
  if (prompt.files.includes(REPORT)) return finish(turn);
  const leftovers = prompt.openTodos.map(({ id }) =>
    planned('todo_complete', { todo_id: id, result: 'Not done: the phase ended before it.' }),
  );
  const { goal, steps } = agendaOf(prompt.expertId, turn.tools);
  const hasNotes = prompt.files.some((path) => NOTE_PATH.test(path));
  const isWriting = hasNotes || steps.length === 0;
  const decision = planned('next_phase_todos', {
    goal: isWriting ? 'Write the report' : goal,
    todos: isWriting ? [REPORT_TODO] : steps.map(({ todo }) => todo),
  });
  return after(turn, [...leftovers, decision], () =>
    isWriting
      ? 'The notes are complete; next I write the report.'
      : `I planned ${steps.length} to-dos as the offline analyst: ${joinWords(steps.map(({ title }) => title.toLowerCase()))}.`,
  );
}

function finish(turn: JobTurn): JobMove {
  const reading = planned('read_file', { path: REPORT, from_line: null });
  const report = textIn(turn.answers, reading);
  if (report === null)
    return after(turn, [reading], () => `${REPORT} could not be read, so the job is not finished.`);
  const result = resultOf(report);
  const ending = planned('finish_job', {
    report: REPORT,
    summary: result.slice(0, 900) || 'See the report.',
  });
  return after(
    turn,
    [ending],
    () => `${result}\n\nThe report is ${REPORT}. _From the offline analyst: fixed rules, no language model._`,
  );
}

function work(prompt: Prompt, turn: JobTurn): JobMove {
  const subject = subjectOf(prompt, turn);
  const moves = prompt.openTodos.map(({ id, text }) => {
    const step = STEPS.get(text);
    if (text === REPORT_TODO) return writeReport(prompt, turn, id);
    if (step === undefined) return giveUp(turn, id);
    return doStep(step, subject, turn, id);
  });
  return {
    calls: [...new Map(moves.flatMap(({ calls }) => calls).map((call) => [keyOf(call), call])).values()],
    text: moves.map(({ text }) => `- ${text}`).join('\n') || 'There was nothing to do in this phase.',
  };
}

function doStep(step: Step, subject: Subject, turn: JobTurn, id: number): JobMove {
  const before = pending(turn, offered(turn, step.reads?.(subject, turn.answers) ?? []));
  if (before.length > 0) return { calls: before, text: '' };
  const open = pending(turn, offered(turn, step.calls(subject, turn.answers)));
  if (open.length > 0) return { calls: open, text: '' };
  const note = noteOf(step, subject, turn.answers);
  const keep = planned('write_file', { path: `notes/${step.id}.md`, content: note });
  const done = planned('todo_complete', { todo_id: id, result: headlineOf(note).slice(0, 500) });
  return after(turn, [keep, done], () => headlineOf(note));
}

function writeReport(prompt: Prompt, turn: JobTurn, id: number): JobMove {
  const paths = prompt.files.filter((path) => NOTE_PATH.test(path)).toSorted();
  const readings = paths.map((path) => planned('read_file', { path, from_line: null }));
  const open = pending(turn, readings);
  if (open.length > 0) return { calls: open, text: '' };
  const notes = readings.flatMap((reading) => textIn(turn.answers, reading) ?? []);
  const { left } = agendaOf(prompt.expertId, turn.tools);
  const { expertId, chipId, task } = prompt;
  const content = reportText({ expertId, chipId, task, notes, left, now: turn.now });
  const write = planned('write_file', { path: REPORT, content });
  const done = planned('todo_complete', {
    todo_id: id,
    result: `Wrote ${REPORT} from ${notes.length} notes.`,
  });
  return after(turn, [write, done], () => `Wrote ${REPORT}.`);
}

const giveUp = (turn: JobTurn, id: number): JobMove =>
  after(
    turn,
    [
      planned('todo_complete', {
        todo_id: id,
        result: 'Not done: the offline analyst works by fixed rules and does not know this to-do.',
      }),
    ],
    () => `To-do ${id} is none that the offline analyst knows.`,
  );

function subjectOf({ task, chipId }: Prompt, { now }: JobTurn): Subject {
  const named = readSlots(task.normalize('NFKC'));
  return { chipId, metrics: named.metrics.length > 0 ? named.metrics.slice(0, 4) : MAIN_METRICS, now };
}

/** Makes calls one after another in rounds; the words once all were answered, with what went wrong. */
function after(turn: JobTurn, calls: readonly PlannedCall[], words: () => string): JobMove {
  const open = pending(turn, offered(turn, calls)).slice(0, 1);
  if (open.length > 0) return { calls: open, text: '' };
  const failed = calls.flatMap((call) => {
    const answer = turn.answers.get(keyOf(call));
    return answer === undefined || isFound(answer) ? [] : [`${call.name} was refused: ${answer.error}`];
  });
  return { calls: [], text: [words(), ...failed].join(' ') };
}

const offered = ({ tools }: JobTurn, calls: readonly PlannedCall[]): readonly PlannedCall[] =>
  calls.filter(({ name }) => tools.has(name));

const pending = ({ answers }: JobTurn, calls: readonly PlannedCall[]): readonly PlannedCall[] =>
  calls.filter((call) => !answers.has(keyOf(call)));

/** The text of a file that was read whole. */
function textIn(answers: Answers, call: PlannedCall): string | null {
  const answer = answers.get(keyOf(call));
  if (answer === undefined || !isFound(answer)) return null;
  const { data } = answer;
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : null;
  return typeof text === 'string' ? text : null;
}
