/** Questions with what is expected of them, and a fingerprint of both. */
import { createHash } from 'node:crypto';
import type { Expectation } from '../scoring/expectation.ts';
import type { Known } from './device.ts';
import type { HeldOut, HeldOutKind } from './held-out.ts';

/** A question that can be asked and scored. */
export type JudgedQuestion = {
  /** `torino/7`: the seventh of its chip. */
  readonly id: string;
  readonly kind: HeldOutKind;
  readonly chipId: string;
  readonly messages: readonly string[];
  readonly expectation: Expectation;
  /** What is known of the chip. */
  readonly source: Known;
};

/** Questions about one chip; `amend` adds what holds for all answers about it. */
export const judgedQuestions = <Source extends Known>(
  source: Source,
  questions: readonly HeldOut<Source>[],
  amend: (own: Expectation) => Expectation,
): readonly JudgedQuestion[] =>
  questions.map(({ kind, messages, expect }, index) => ({
    id: `${source.name}/${index + 1}`,
    kind,
    chipId: source.name,
    messages,
    expectation: amend(expect(source)),
    source,
  }));

/** The same for the same questions, expectations and files: two scores with one fingerprint can be compared. */
export function fingerprintOf(questions: readonly JudgedQuestion[]): string {
  const content = questions.map(({ id, kind, messages, expectation, source }) => [
    id,
    kind,
    messages,
    expectation,
    source.digest,
  ]);
  const text = JSON.stringify(content, (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
