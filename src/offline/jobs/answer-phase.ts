/**
 * The offline analyst's turn of a job's phase: plans to-dos from the expert and the words of the job, does them by tool
 * calls, keeps notes, and writes the report from the notes, in the language of the job. What it does next follows
 * from the `ModelRequest` alone, so a worker that takes over a job continues in the same way.
 */
import { z } from 'zod';
import type { ModelRequest } from '../../agent/model.ts';
import { readJobPrompt } from '../../agent/prompt/job-sections.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import type { Reply } from '../shared/stream.ts';
import { oneLine } from '../shared/text.ts';
import {
  answersTo,
  callsMade,
  foundIn,
  isFound,
  keyOf,
  namesIn,
  pendingCalls,
  planned,
  type Answers,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import { CHIPS } from '../analyst/names.ts';
import { agendaOf, stepOf } from './agenda.ts';
import type { Job } from './job.ts';
import { expertKey, JOB_WORDS } from './messages.ts';
import { reportText, resultOf, reviewNotesIn } from './report.ts';
import { readJobRequest } from './request.ts';
import { callsOf, findingOf, noteOf, type AgendaStep } from './section.ts';

/** Path of the report in the workspace. */
const REPORT = 'report.md';

/** A phase of a job, in its current round of work. */
type Phase = NonNullable<ReturnType<typeof readJobPrompt>> & {
  readonly job: Job;
  /** Those of the calls of this phase. */
  readonly answers: Answers;
  /** Names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
  /** With which a person sent the job back, oldest first. */
  readonly reviewNotes: readonly string[];
  /** Text of the report; null where there is none. */
  readonly report: string | null;
  /** Whether the report takes account of the newest note, if there is any. */
  readonly isReported: boolean;
  /** Folder of this round's notes: each return from review starts a new one. */
  readonly folder: string;
};

/** The next tool calls of a phase, or its last words; null where the request is not about a job. */
export function answerPhase(request: ModelRequest, now: Date): Reply | null {
  const { instructions, input, tools, toolChoice } = request;
  const prompt = readJobPrompt(instructions);
  if (prompt === null) return null;
  // A phase starts with an empty input, so all its rounds belong to it, including those before a lost worker.
  const answers = answersTo(callsMade(input));
  const offered = new Set(tools.map(({ name }) => name));
  const reply = replyTo({ ...prompt, answers, tools: offered }, now);
  if (reply.calls.length === 0 || toolChoice !== 'none') return reply;
  // The phase's own question is in the language of the job.
  const asked = input.find((entry) => entry.type === 'user');
  return { calls: [], text: JOB_WORDS[writtenLanguage(asked?.text ?? '')].t('cutOff') };
}

const reading = (path: string): PlannedCall => planned('read_file', { path });

/** Reads an earlier report first: it repeats earlier review notes. */
function replyTo(
  given: Pick<Phase, 'answers' | 'tools'> & NonNullable<ReturnType<typeof readJobPrompt>>,
  now: Date,
): Reply {
  const known = given.files.includes(REPORT) ? [reading(REPORT)] : [];
  const unknown = pending(given, known);
  if (unknown.length > 0) return { calls: unknown, text: '' };
  const report = known.length > 0 ? textIn(given.answers, REPORT) : null;
  const before = report === null ? [] : reviewNotesIn(report);
  const newest = given.reviewNote === null ? null : oneLine(given.reviewNote);
  const isKnown = newest === null || before.includes(newest);
  const reviewNotes = newest === null || isKnown ? before : [...before, newest];
  const request = readJobRequest({
    task: given.task.normalize('NFKC'),
    ownInstructions: given.ownInstructions?.normalize('NFKC') ?? null,
    reviewNotes: reviewNotes.map((note) => note.normalize('NFKC')),
    chipId: given.chipId,
    now,
  });
  const chipId = request.chipId ?? given.chipId;
  const phase: Phase = {
    ...given,
    job: { ...JOB_WORDS[request.language], chipId, request, now },
    reviewNotes,
    report,
    isReported: report !== null && isKnown,
    folder: reviewNotes.length === 0 ? 'notes' : `notes/review-${reviewNotes.length}`,
  };
  if (phase.phase === 'WORKING') return work(phase);
  return phase.isReported ? finish(phase) : (refusal(phase) ?? nextTodos(phase));
}

/** The calls whose tools are offered and that have no answer yet. */
const pending = ({ tools, answers }: Pick<Phase, 'answers' | 'tools'>, calls: readonly PlannedCall[]) =>
  pendingCalls(answers, calls).filter(({ name }) => tools.has(name));

/** The text of a file that was read; null where it could not be. */
function textIn(answers: Answers, path: string): string | null {
  const data = z.object({ text: z.string() }).safeParse(foundIn(answers, reading(path))?.data);
  return data.data?.text ?? null;
}

/** The notes of this round of work, in the order of the report. */
const notePaths = ({ files, folder }: Phase): readonly string[] =>
  files
    .filter((path) => path.startsWith(`${folder}/`) && /^[^/]+\.md$/u.test(path.slice(folder.length + 1)))
    .toSorted();

/** One call after another, each in a round of its own; the text once all are answered, with the errors of failed ones. */
function callsThenText(phase: Phase, calls: readonly PlannedCall[], text: string): Reply {
  const open = pending(phase, calls).slice(0, 1);
  if (open.length > 0) return { calls: open, text: '' };
  const failed = calls.flatMap((call) => {
    const answer = phase.answers.get(keyOf(call));
    if (answer === undefined || isFound(answer)) return [];
    return [phase.job.t('refused', { call: call.name, reason: answer.error })];
  });
  return { calls: [], text: [text, ...failed].join(' ') };
}

const completed = (todo_id: number, result: string): PlannedCall =>
  planned('todo_complete', { todo_id, result });

function nextTodos(phase: Phase): Reply {
  const { job, expertId, tools, openTodos } = phase;
  const { t } = job;
  const { steps } = agendaOf(expertId, tools, job);
  const isWriting = notePaths(phase).length > 0 || steps.length === 0;
  const decision = planned('next_phase_todos', {
    goal: t(isWriting ? 'goal.report' : `goal.${expertKey(expertId)}`),
    todos: isWriting ? [t('reportTodo', { path: REPORT })] : steps.map(({ key }) => t(`todo.${key}`)),
  });
  const titles = steps.map(({ key }) => t(`title.${key}`));
  const text = isWriting ? t('notesComplete') : t('planned', { count: steps.length, titles });
  const leftovers = openTodos.map(({ id }) => completed(id, t('notDone')));
  return callsThenText(phase, [...leftovers, decision], text);
}

function finish(phase: Phase): Reply {
  const { t, request } = phase.job;
  if (phase.report === null) return { calls: [], text: t('unreadable', { path: REPORT }) };
  const result = resultOf(phase.report, t('result'));
  const ending = request.wantsReview
    ? planned('request_review', { question: t('askReview'), report: REPORT })
    : planned('finish_job', { report: REPORT, summary: result.slice(0, 900) || t('seeReport') });
  const parts = [result, request.wantsReview ? t('askReview') : '', t('ended', { path: REPORT })];
  return callsThenText(phase, [ending], parts.filter((part) => part !== '').join('\n\n'));
}

/** Asks for another chip where the project has none of that name; null where the job can be done. */
function refusal(phase: Phase): Reply | null {
  const { t, chipId, request } = phase.job;
  const isOther = chipId === null || (request.chipId !== null && request.chipId !== phase.chipId);
  if (!phase.tools.has('list_entities') || !isOther) return null;
  const open = pending(phase, [CHIPS]);
  if (open.length > 0) return { calls: open, text: '' };
  const names = namesIn(phase.answers, CHIPS);
  if (names === null) return null;
  if (chipId === null ? names.length > 0 : names.includes(chipId)) return null;
  const [example] = names;
  const question =
    example === undefined || chipId === null
      ? t('noChip')
      : t('noSuchChip', { chip: chipId, known: names, example });
  return callsThenText(phase, [planned('request_review', { question })], question);
}

/** Each to-do by its calls and its note, the report from the notes. */
function work(phase: Phase): Reply {
  const { t } = phase.job;
  const isReport = (text: string): boolean =>
    Object.values(JOB_WORDS).some((words) => words.t('reportTodo', { path: REPORT }) === text);
  const replies = phase.openTodos.map(({ id, text }) => {
    const step = stepOf(text);
    if (isReport(text)) return writeReport(phase, id);
    if (step !== null) return doStep(phase, step, id);
    return callsThenText(phase, [completed(id, t('unknownTodoResult'))], t('unknownTodo', { id }));
  });
  const calls = new Map(replies.flatMap((reply) => reply.calls).map((call) => [keyOf(call), call]));
  return {
    calls: [...calls.values()],
    text: replies.map(({ text }) => `- ${text}`).join('\n') || t('nothingToDo'),
  };
}

function doStep(phase: Phase, step: AgendaStep, id: number): Reply {
  const { job, answers, folder } = phase;
  const open = pending(phase, callsOf(step, job, answers));
  if (open.length > 0) return { calls: open, text: '' };
  const content = noteOf(step, job, answers);
  const finding = findingOf(content);
  const keep = planned('write_file', { path: `${folder}/${step.id}.md`, content });
  return callsThenText(phase, [keep, completed(id, finding.slice(0, 500))], finding);
}

function writeReport(phase: Phase, id: number): Reply {
  const { job, reviewNotes, expertId, task, tools, answers } = phase;
  const paths = notePaths(phase);
  const open = pending(phase, paths.map(reading));
  if (open.length > 0) return { calls: open, text: '' };
  const notes = paths.flatMap((path) => textIn(answers, path) ?? []);
  const { left } = agendaOf(expertId, tools, job);
  const content = reportText({ expertId, job, task, reviewNotes, notes, left });
  const result = job.t('wrote', { path: REPORT, notes: notes.length });
  return callsThenText(
    phase,
    [planned('write_file', { path: REPORT, content }), completed(id, result)],
    result,
  );
}
