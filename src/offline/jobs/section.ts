/** A section of a job's report: the analyst's answers to some questions, and what the job makes of them. */
import { z } from 'zod';
import { formatTime } from '../../domain/text/display-text.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { spanOf } from '../analyst/age.ts';
import { callsFor, firstCalls } from '../analyst/plan.ts';
import { writePart } from '../analyst/write-answer.ts';
import { bulletList, linesIn } from '../shared/text.ts';
import {
  dataIn,
  foundIn,
  isFound,
  keyOf,
  planned,
  type Answers,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import { isOfAll, partRows, partsOf, scopeCalls, withinScope, type Job } from './job.ts';
import type { JobWords, StepKey } from './messages.ts';

/** The work for a section. */
export type Step = {
  readonly asks: (job: Job, answers: Answers) => readonly Ask[];
  /** Further calls, as far as they are known; more may follow from their answers. */
  readonly calls?: (job: Job, answers: Answers) => readonly PlannedCall[];
  /** What comes before and after the answers to the questions. */
  readonly text?: (
    job: Job,
    answers: Answers,
  ) => { readonly head?: readonly string[]; readonly tail?: readonly string[] };
  /** Current values to cite: those in front of the rankings, unless it says others. */
  readonly cites?: (job: Job, answers: Answers) => readonly Cited[];
};

/** A value by its part and parameter. */
export type Cited = { readonly qid: string; readonly parameter: string };

/** A step of a job's agenda. */
export type AgendaStep = Step & {
  readonly key: StepKey;
  /** Names its note, `<id>.md`; the report has the notes in the order of their names. */
  readonly id: string;
};

/** All calls of a step that are known so far. */
export function callsOf(step: Step, job: Job, answers: Answers): readonly PlannedCall[] {
  const scope = scopeCalls(job, answers);
  if (scope.some((call) => !answers.has(keyOf(call))) || scopeProblem(job, answers) !== null) return scope;
  return [
    ...scope,
    ...step.asks(job, answers).flatMap((ask) => callsFor(ask, answers)),
    ...(step.calls?.(job, answers) ?? []),
    ...citationsOf(step, job, answers),
  ];
}

/** Why there is nothing that meets the conditions of a job; null where there is, and for a job without any. */
function scopeProblem(job: Job, answers: Answers): string | null {
  if (job.request.among === null) return null;
  const call = scopeCalls(job, answers).at(-1);
  const answer = call && answers.get(keyOf(call));
  if (answer !== undefined && isFound(answer))
    return partsOf(job, answers).length > 0 ? null : job.t('noneMeet');
  const reason = answer?.error ?? job.words.t('notRun', { tool: call?.name ?? '' });
  return job.t('notFound', { reason });
}

/** The note of a step whose calls were all answered, as Markdown: heading, finding, text, age, references. */
export function noteOf(step: AgendaStep, job: Job, answers: Answers): string {
  const { t, words, now } = job;
  const title = `# ${t(`title.${step.key}`)}`;
  const problem = scopeProblem(job, answers);
  if (problem !== null) return `${title}\n\n${problem}\n`;
  const asks = step.asks(job, answers);
  const source = { answers: withinScope(job, answers), words, now };
  const { head = [], tail = [] } = step.text?.(job, source.answers) ?? {};
  const shown = asks.map((ask) => writePart(ask, source));
  const calls = callsOf(step, job, answers);
  const references = citationsOf(step, job, answers).flatMap((call) =>
    linesIn(foundIn(answers, call)?.formattedSummary ?? '').filter((line) => REFERENCE.test(line)),
  );
  const paragraphs = [...head, ...new Set(shown), ...tail].flatMap((text) => text.split('\n\n'));
  const parts = [
    title,
    ...(paragraphs.length === 0 ? [t('nothingOnParts')] : []),
    ...paragraphs.filter((text) => text !== words.t('courseShown')),
    ...(isOfAll(job, asks, calls) ? [t('ofAll')] : []),
    ageOf(calls, answers, t),
    references.map(words.toolLine).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const REFERENCE = /^\[\d+\] /u;

/** The lines of a tool's answer but the one on their age, or why there are none. */
export function linesOf(call: PlannedCall, answers: Answers, { t, words }: JobWords): readonly string[] {
  const answer = answers.get(keyOf(call));
  if (answer !== undefined && 'error' in answer) return [t('notFound', { reason: answer.error })];
  const lines = linesIn(foundIn(answers, call)?.formattedSummary ?? '');
  return lines.filter((line) => !line.startsWith('Stored results, ')).map(words.toolLine);
}

/** The finding of a note by {@link noteOf}. */
export const findingOf = (note: string): string => note.split('\n\n')[1]?.trim() ?? '';

/** One line for the ages of all results. */
function ageOf(calls: readonly PlannedCall[], answers: Answers, t: JobWords['t']): string {
  const span = spanOf(calls.flatMap((call) => foundIn(answers, call) ?? []));
  if (span === null) return '';
  const [oldest, newest] = [shortTime(span.oldest), shortTime(span.newest)];
  return t('measured', {
    span: oldest === newest ? newest : t('measuredSpan', { from: oldest, to: newest }),
  });
}

const shortTime = (at: string): string => formatTime(new Date(at)).replace(' UTC', '');

const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d/gu;

/** When the results of a note were measured, as its line on their ages says. */
export function timesIn(note: string, t: JobWords['t']): readonly string[] {
  const [start = ''] = t('measured', { span: '\n' }).split('\n');
  return note.split('\n').flatMap((line) => (line.startsWith(start) ? (line.match(TIME) ?? []) : []));
}

const outliers = z.object({ outliers: z.array(z.object({ qid: z.string(), parameter: z.string() })) });
/** References of a section. */
const MOST_CITED = 5;

function citationsOf(step: Step, job: Job, answers: Answers): readonly PlannedCall[] {
  const cited = step.cites?.(job, answers) ?? step.asks(job, answers).flatMap((ask) => citedIn(ask, answers));
  return cited
    .slice(0, MOST_CITED)
    .map(({ qid, parameter }) =>
      planned('cite_record', { kind: 'current_value', chip_id: job.chipId, qid, parameter }),
    );
}

/** The value in front of a ranking, and outliers. */
function citedIn(ask: Ask, answers: Answers): readonly Cited[] {
  const [parameter = ''] = ask.metrics;
  return firstCalls(ask).flatMap((call) => {
    if (ask.kind === 'outliers') return dataIn(answers, call, outliers)?.outliers.slice(0, 1) ?? [];
    const [first] = ask.kind === 'rank' ? (dataIn(answers, call, partRows)?.rows ?? []) : [];
    return first === undefined ? [] : [{ qid: first.qid, parameter }];
  });
}

/** A list in one paragraph. */
export const listOf = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [bulletList(lines)];
