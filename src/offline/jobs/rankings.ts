/** Rankings as steps read them: claims of order over the values within the job's scope. */
import { z } from 'zod';
import { front, ranked, type Ranked } from '../../domain/claims/ranked.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { dataIn, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { endOf, ranking } from './calls.ts';
import { isInScope, isNarrowed, titleOf, type Subject } from './subject.ts';

const answer = z.object({
  scale: z.number(),
  display_unit: z.string(),
  measured: z.number(),
  missing: z.number(),
  rows: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      value: z.number(),
      rating: z.string().nullable(),
      measured_at: z.string().nullable(),
    }),
  ),
});

/** A value of a ranking, in display scale. */
export type RankedRow = {
  readonly qid: string;
  readonly label: string;
  readonly value: number;
  /** `9.65 μs`. */
  readonly shown: string;
  readonly rating: string | null;
  readonly measuredAt: string | null;
};

/** A ranking of the values within the job's scope. */
export type Ranking = {
  readonly metric: string;
  /** With the asked end in front; of a chip with very many values only those of both ends. */
  readonly from: (end: 'best' | 'worst') => Ranked<RankedRow>;
  /** In no order of theirs. */
  readonly rows: readonly RankedRow[];
  /** How many values were ranked. */
  readonly of: number;
  /** Parts of the chip without a value. */
  readonly missing: number;
};

/** The calls of a ranking: the worst, and the best where the worst are not all. */
export function rankingCalls(subject: Subject, metric: string, answers: Answers): readonly PlannedCall[] {
  const worst = ranking(subject, metric, 'worst');
  const read = dataIn(answers, worst, answer);
  const isCut = read !== null && read.measured > read.rows.length;
  return isCut ? [worst, ranking(subject, metric, 'best')] : [worst];
}

/** The rankings that were answered. */
export const rankingsIn = (
  subject: Subject,
  metrics: readonly string[],
  answers: Answers,
): readonly Ranking[] =>
  metrics.flatMap((metric) => {
    const [worst, best] = (['worst', 'best'] as const).map((end) =>
      dataIn(answers, ranking(subject, metric, end), answer),
    );
    if (worst == null) return [];
    const { scale, display_unit: unit, measured, missing } = worst;
    const all = new Map([...worst.rows, ...(best?.rows ?? [])].map((row) => [row.qid, row]));
    const rows = [...all.values()]
      .filter(({ qid }) => isInScope(subject, qid))
      .map(({ value, measured_at: measuredAt, ...row }) => ({
        ...row,
        value: value * scale,
        shown: formatQuantity(value * scale, unit),
        measuredAt,
      }));
    // The tool knows which way is worse, and its rows show it.
    const isFalling = (worst.rows[0]?.value ?? 0) > (worst.rows.at(-1)?.value ?? 0);
    const from = (end: 'best' | 'worst'): Ranked<RankedRow> =>
      ranked(rows, {
        order: endOf(metric, end),
        descending: (end === 'worst') === isFalling,
        by: ({ value }) => value,
      });
    const of = isNarrowed(subject) ? rows.length : measured;
    return [{ metric, from, rows, of, missing }];
  });

/** `The 3 worst T1 of 64 qubits: …`. */
export function rankedText(
  { metric, of, from }: Ranking,
  end: 'best' | 'worst',
  most: number,
  { t, claim }: Subject,
): string {
  const ordered = from(end);
  const { shown, tiedBehind } = front(ordered, most);
  const rows = shown.map(({ row: { label, shown: value, rating } }) =>
    t('row', { label, value, rating: isRated(rating) ? t('rating', { rating }) : null }),
  );
  return claim('claim.ranked', [ordered], {
    order: ordered.order,
    count: rows.length,
    title: titleOf(metric),
    of,
    isCouplings: shown.some(({ row: { qid } }) => isCoupling(qid)),
    rows,
    tied: tiedBehind,
  });
}

/** Whether a rating says anything. */
export const isRated = (rating: string | null): rating is string => rating !== null && rating !== 'UNKNOWN';
