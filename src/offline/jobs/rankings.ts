/** Rankings as steps read them: one list from worst to best, restricted to the job's scope. */
import { z } from 'zod';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { foundIn, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { ranking } from './calls.ts';
import { isInScope, titleOf, type Subject } from './subject.ts';

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

/** A ranking from worst to best. */
export type Ranked = {
  readonly title: string;
  readonly unit: string;
  /** Within the job's scope; of a chip with very many only those of both ends. */
  readonly rows: readonly RankedRow[];
  readonly isWhole: boolean;
  /** How many values there are, in and out of scope. */
  readonly measured: number;
  readonly missing: number;
};

/** The calls of a ranking: the worst, and the best where the worst are not all. */
export function rankingCalls(subject: Subject, metric: string, answers: Answers): readonly PlannedCall[] {
  const worst = ranking(subject, metric, 'worst');
  const read = answer.safeParse(foundIn(answers, worst)?.data);
  const isCut = read.success && read.data.measured > read.data.rows.length;
  return isCut ? [worst, ranking(subject, metric, 'best')] : [worst];
}

/** A ranking; null where its call has no answer. */
export function rankedIn(subject: Subject, metric: string, answers: Answers): Ranked | null {
  const [worst, best] = (['worst', 'best'] as const).map(
    (end) => answer.safeParse(foundIn(answers, ranking(subject, metric, end))?.data).data,
  );
  if (worst === undefined) return null;
  const { scale, display_unit: unit, measured, missing } = worst;
  const all = new Map([...worst.rows, ...(best?.rows.toReversed() ?? [])].map((row) => [row.qid, row]));
  const rows = [...all.values()].map(({ qid, label, value, rating, measured_at: measuredAt }) => ({
    qid,
    label,
    value: value * scale,
    shown: formatQuantity(value * scale, unit),
    rating,
    measuredAt,
  }));
  return {
    title: titleOf(metric),
    unit,
    rows: rows.filter(({ qid }) => isInScope(subject, qid)),
    isWhole: rows.length === measured,
    measured,
    missing,
  };
}

/** `Q45 9.65 μs (bad)`. */
const rowText = ({ label, shown, rating }: RankedRow, { t }: Subject): string =>
  t('row', {
    label,
    value: shown,
    rating: rating === null || rating === 'UNKNOWN' ? null : t('rating', { rating }),
  });

/** One end of a ranking as text. */
export type RankedEnd = {
  readonly end: 'best' | 'worst';
  readonly title: string;
  readonly rows: readonly RankedRow[];
  /** How many values were ranked. */
  readonly of: number;
  readonly isCouplings: boolean;
};

/** `The 3 worst T1 of 64 qubits: …`. */
export const rankedText = ({ end, title, rows, of, isCouplings }: RankedEnd, subject: Subject): string =>
  subject.t(`ranked.${end}`, {
    one: rows.length === 1,
    count: rows.length,
    title,
    of,
    isCouplings,
    rows: rows.map((row) => rowText(row, subject)),
  });
