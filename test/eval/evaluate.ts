/** Asks all questions, a few at a time, and scores the answers. */
import { askInTurn, type Asking } from './ask.ts';
import { newestOf, type ChipRecord } from './data/chip-record.ts';
import { COUPLING_PARAMETERS } from './data/parameters.ts';
import type { Lab } from './lab.ts';
import type { Question } from './questions/question.ts';
import { readAnswer } from './scoring/read-answer.ts';
import { scoreAnswer, type Score } from './scoring/score.ts';

/** A question with its answer and its points. */
export type Result = Score & { readonly question: Question; readonly asking: Asking };

/** How questions are asked. */
export type EvaluationOptions = {
  readonly questions: readonly Question[];
  /** Null for the one that the configuration makes the default. */
  readonly model: string | null;
  /** Questions that are under way at once. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly onResult?: (result: Result) => void;
};

/** Results in the order of the questions; fewer when the signal aborts in between. */
export async function evaluate(lab: Lab, options: EvaluationOptions): Promise<readonly Result[]> {
  const { questions, model, atOnce, signal, onResult } = options;
  const { demo, devices } = lab.source;
  const couplings = new Map([demo, ...devices].map((record) => [record.chipId, couplingsOf(record)]));
  return eachInTurn({ questions, atOnce, signal }, async (question) => {
    const asking = await askInTurn(lab.url, { ...question, model });
    const points = score(question, asking, couplings.get(question.chipId) ?? new Set());
    const result = { question, asking, ...points };
    onResult?.(result);
    return result;
  });
}

/** What `work` makes of each question, a few at a time; in their order, and fewer when the signal aborts in between. */
export async function eachInTurn<Asked, Done>(
  {
    questions,
    atOnce,
    signal,
  }: { readonly questions: readonly Asked[]; readonly atOnce: number; readonly signal: AbortSignal },
  work: (question: Asked) => Promise<Done>,
): Promise<readonly Done[]> {
  const done = new Map<Asked, Done>();
  const waiting = questions.values();
  const take = async (): Promise<void> => {
    // One iterator for all workers: each question is taken once.
    for (const question of waiting) {
      if (signal.aborted) return;
      done.set(question, await work(question));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return questions.flatMap((question) => {
    const result = done.get(question);
    return result === undefined ? [] : [result];
  });
}

function score(question: Question, asking: Asking, couplings: ReadonlySet<string>): Score {
  if (asking.failure !== null) return { points: 0, faults: [`an answer; it ended ${asking.failure}`] };
  return scoreAnswer(question.checks, readAnswer(asking, couplings));
}

const couplingsOf = (record: ChipRecord): ReadonlySet<string> =>
  new Set(COUPLING_PARAMETERS.flatMap(({ name }) => newestOf(record, name).map(({ qid }) => qid)));
