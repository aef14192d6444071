/** The assessment of an answer, from the ratings in the answers of the tools. */
import { z } from 'zod';
import type { HealthLabel } from '../../domain/chip/chip-health.ts';
import { ASSESSMENTS, type Assessment } from '../../domain/conversation/session.ts';
import type { Rating } from '../../domain/values/metric.ts';
import { foundIn, type Answers } from '../shared/tool-answers.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { firstCalls } from './plan.ts';
import { partValues } from './values-text.ts';

const ratedChip = z.object({ health: z.object({ label: z.string() }) });

/** The assessment of a rating; null for any other word. */
export const ratingAssessment = (word: string): Assessment | null => MEANINGS[word.toUpperCase()] ?? null;

const MEANINGS: Readonly<Record<string, Assessment>> = {
  EXCELLENT: 'GOOD',
  GOOD: 'GOOD',
  FAIR: 'WARNING',
  BAD: 'BAD',
  POOR: 'BAD',
} satisfies Partial<Record<Rating | HealthLabel, Assessment>>;

/**
 * The worst rating of the values that were asked for, by the thresholds of the catalogue. Null where no value has a
 * rating, and for questions about anything but values, for example how something changed.
 */
export function assessmentOf(asks: readonly Ask[], answers: Answers): Assessment | null {
  if (!asks.every(({ kind }) => kind === 'values' || kind === 'health')) return null;
  const found = asks.flatMap((ask) => ratingsOf(ask, answers)).flatMap((rating) => MEANINGS[rating] ?? []);
  return ASSESSMENTS.findLast((assessment) => found.includes(assessment)) ?? null;
}

function ratingsOf(ask: Ask, answers: Answers): readonly string[] {
  return firstCalls(ask).flatMap((call) => {
    const answer = foundIn(answers, call);
    if (answer === null) return [];
    if (ask.kind === 'health') return ratedChip.safeParse(answer.data).data?.health.label ?? [];
    const { parameters = [] } = partValues.safeParse(answer.data).data ?? {};
    const { metrics } = ask;
    return parameters
      .filter(({ name }) => metrics.length === 0 || metrics.includes(name))
      .map(({ rating }) => rating);
  });
}
