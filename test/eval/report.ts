/** The report of a run: misses one by one, a table by kind, and all of it as JSON. */
import type { Result } from './evaluate.ts';
import { KINDS, type Kind } from './questions/question.ts';

/** The score of some questions and what they took on average. */
export type Tally = {
  readonly questions: number;
  /** Mean of the points, 0 to 1. */
  readonly score: number;
  readonly rounds: number;
  readonly tokens: number;
  readonly seconds: number;
  /** Of all questions together; null where the model has no price. */
  readonly costUsd: number | null;
};

/** The tally of at least one result. */
export function tally(results: readonly Result[]): Tally {
  const mean = (numberOf: (result: Result) => number): number =>
    results.reduce((sum, result) => sum + numberOf(result), 0) / results.length;
  const costs = results.flatMap(({ asking: { costUsd } }) => costUsd ?? []);
  return {
    questions: results.length,
    score: mean(({ points }) => points),
    rounds: mean(({ asking }) => asking.rounds),
    tokens: mean(({ asking }) => asking.tokens),
    seconds: mean(({ asking }) => asking.durationMs / 1000),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

/** Tallies of the kinds that were asked. */
export function tallyByKind(results: readonly Result[]): ReadonlyMap<Kind, Tally> {
  const byKind = Map.groupBy(results, ({ question }) => question.kind);
  return new Map(
    KINDS.flatMap((kind) => {
      const some = byKind.get(kind);
      return some === undefined ? [] : [[kind, tally(some)] as const];
    }),
  );
}

/** A question that lost points: what was asked, what a right answer has, what came. */
export function missText({ question, points, faults, asking }: Result): string {
  return [
    `${question.id} on ${question.chipId}: ${points.toFixed(2)}`,
    ...question.messages.map((message) => `  asked    ${message}`),
    ...faults.map((fault) => `  expected ${fault}`),
    `  got      ${asking.text.replaceAll(/\s+/gu, ' ').trim().slice(0, 600) || '(nothing)'}`,
    `  shown    ${asking.visuals.join(', ') || 'nothing'}; called ${asking.tools.join(', ') || 'nothing'}`,
  ].join('\n');
}

/** The table of a run. */
export function tableText(results: readonly Result[]): string {
  const row = (name: string, { questions, score, rounds, tokens, seconds, costUsd }: Tally): string =>
    [
      name.padEnd(12),
      String(questions).padStart(9),
      score.toFixed(3).padStart(7),
      rounds.toFixed(1).padStart(7),
      tokens.toFixed(0).padStart(7),
      seconds.toFixed(1).padStart(8),
      (costUsd === null ? '–' : costUsd.toFixed(4)).padStart(9),
    ].join(' ');
  return [
    'kind         questions   score  rounds  tokens  seconds  cost USD',
    ...[...tallyByKind(results)].map(([kind, each]) => row(kind, each)),
    row('all', tally(results)),
  ].join('\n');
}

/** A run for programs. */
export function reportJson(results: readonly Result[], about: object): string {
  const report = {
    ...about,
    all: tally(results),
    kinds: Object.fromEntries(tallyByKind(results)),
    results: results.map(({ question: { id, kind, chipId, messages }, points, faults, asking }) => ({
      id,
      kind,
      chipId,
      messages,
      points,
      faults,
      ...asking,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
