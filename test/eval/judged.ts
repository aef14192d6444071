/** Asks questions that are kept aside and reports totals by kind; the questions themselves stay unseen. */
import { createHash } from 'node:crypto';
import { askInTurn, type Asking } from './ask.ts';
import { eachInTurn } from './evaluate.ts';
import type { Readings } from './held-out-sets.ts';
import { HELD_OUT_KINDS } from './held-out/held-out.ts';
import type { JudgedQuestion } from './held-out/judged-question.ts';
import type { Lab } from './lab.ts';
import { judge, VERDICTS, withoutNotices, type Judgement, type Verdict } from './scoring/judge.ts';

/** A question with its answer and what that is. */
export type JudgedResult = Judgement & { readonly question: JudgedQuestion; readonly asking: Asking };

/** How often each verdict was given. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** What the goal asks for: shares of all questions. */
export const GOAL = { right: 0.85, harmful: 0.01 } as const;

/** Asks and judges, a few at a time; in the order of the questions. */
export function judgeAll(
  lab: Lab,
  options: {
    readonly questions: readonly JudgedQuestion[];
    readonly readings: Readings;
    readonly model: string;
    readonly atOnce: number;
    readonly signal: AbortSignal;
  },
): Promise<readonly JudgedResult[]> {
  return eachInTurn(options, async (question) => {
    const asking = await askInTurn(lab.url, { ...question, model: options.model });
    return { question, asking, ...judgeAsking(question, asking, options.readings) };
  });
}

/** The judgement of an answer that is here already; of one that code cannot decide, a person's, where there is one. */
export function judgeAsking(
  { id, expectation, messages, source }: JudgedQuestion,
  { text, tables, failure }: Pick<Asking, 'text' | 'tables' | 'failure'>,
  readings: Readings,
): Judgement {
  if (failure !== null) return { verdict: 'no', reasons: [`an answer; it ended ${failure}`] };
  const judgement = judge({
    expectation,
    question: messages.join('\n'),
    text,
    tables,
    pairs: source.pairs,
    known: source.figures,
  });
  if (judgement.verdict !== 'unread') return judgement;
  const verdict = readings[readingKey(id, text)];
  return verdict === undefined ? judgement : { verdict, reasons: [...judgement.reasons, 'read by a person'] };
}

const readingKey = (id: string, text: string): string =>
  createHash('sha256')
    .update(`${id}\n${withoutNotices(text)}`)
    .digest('hex')
    .slice(0, 16);

/** How often each verdict was given. */
export const countVerdicts = (results: readonly Judgement[]): VerdictCounts => {
  const of = (wanted: Verdict): number => results.filter(({ verdict }) => verdict === wanted).length;
  return {
    right: of('right'),
    half: of('half'),
    no: of('no'),
    wrong: of('wrong'),
    misleading: of('misleading'),
    unread: of('unread'),
  };
};

/** A row a kind, no question. */
export function verdictTable(results: readonly JudgedResult[]): string {
  const byKind = Map.groupBy(results, ({ question }) => question.kind);
  const row = (name: string, some: readonly Judgement[]): string => {
    const counts = countVerdicts(some);
    const cells = [some.length, ...VERDICTS.map((verdict) => counts[verdict])];
    return [name.padEnd(18), ...cells.map((cell) => String(cell).padStart(10))].join(' ');
  };
  return [
    ['kind'.padEnd(18), ...['questions', ...VERDICTS].map((head) => head.padStart(10))].join(' '),
    ...HELD_OUT_KINDS.flatMap((kind) => {
      const some = byKind.get(kind);
      return some === undefined ? [] : [row(kind, some)];
    }),
    row('all', results),
  ].join('\n');
}

/** What the goal lacks; null where it is reached. */
export function shortOfGoal(counts: VerdictCounts): string | null {
  const all = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const [right, harmful] = [counts.right / all, (counts.wrong + counts.misleading) / all];
  const isReached = right >= GOAL.right && harmful <= GOAL.harmful;
  const shares = `right ${right.toFixed(3)} (at least ${GOAL.right}), wrong and misleading ${harmful.toFixed(3)} (at most ${GOAL.harmful})`;
  return isReached ? null : `The goal is not reached: ${shares}.`;
}

/** A run for programs, with questions and answers. */
export const judgedJson = (results: readonly JudgedResult[], about: object): string =>
  `${JSON.stringify(
    {
      ...about,
      all: countVerdicts(results),
      results: results.map(({ question: { id, kind, messages }, verdict, reasons, asking }) => ({
        id,
        kind,
        messages,
        verdict,
        reasons,
        reading: readingKey(id, asking.text),
        ...asking,
      })),
    },
    null,
    2,
  )}\n`;
