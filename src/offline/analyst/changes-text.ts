/** What a comparison of periods says besides the tool's own lines: figures of the named days, and a ranking by change. */
import { z } from 'zod';
import { formatQuantity } from '../../domain/text/display-text.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { LOWER_IS_BETTER } from '../../domain/questions/vocabulary.ts';
import { headedList } from '../shared/text.ts';
import type { AnswerWords } from './messages.ts';

const statistics = z.object({
  count: z.number(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
});
const comparison = z.object({
  parameter_name: z.string(),
  scale: z.number(),
  display_unit: z.string(),
  current: z.object({ statistics }),
  rows: z.array(
    z.object({
      entity: z.string(),
      current: z.number().nullable(),
      previous: z.number().nullable(),
      change: z.number().nullable(),
    }),
  ),
});
type Comparison = z.infer<typeof comparison>;

const DEFAULT_COUNT = 5;
/** Fewer are named one by one. */
const FEW_PARTS = 5;

/** None for data of another form. */
export function changesText(ask: Ask, data: unknown, words: AnswerWords): readonly string[] {
  const read = comparison.safeParse(data).data;
  if (read === undefined) return [];
  if (ask.kind === 'changes') {
    const isMeasured = read.rows.some(({ change }) => change !== null);
    return isMeasured ? [rankedText(ask, read, words)] : [];
  }
  const { count, mean, median, min, max } = read.current.statistics;
  if (ask.period === null || ask.before !== null || count === 0) return [];
  const show = (value: number | null): string =>
    formatQuantity(value === null ? null : value * read.scale, read.display_unit);
  const own = read.rows.filter(({ current }) => current !== null);
  if (own.length < FEW_PARTS) {
    return own.map(({ entity, current }) => words.t('valueInPeriod', { entity, value: show(current) }));
  }
  return [
    words.t('inPeriod', { count, mean: show(mean), median: show(median), min: show(min), max: show(max) }),
  ];
}

/** The parts by how much they changed; of a question for losses or gains only those. */
function rankedText({ direction, count }: Ask, read: Comparison, { t }: AnswerWords): string {
  const isLower = LOWER_IS_BETTER.has(read.parameter_name);
  const sign = direction === 'any' ? 0 : (direction === 'better') === isLower ? -1 : 1;
  const fitting = read.rows.flatMap(({ entity, current, previous, change }) =>
    change === null || change === 0 || (sign !== 0 && Math.sign(change) !== sign)
      ? []
      : [{ entity, current, previous, change }],
  );
  if (fitting.length === 0) return t('noChange', { direction });
  const ranked = fitting.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const show = (value: number | null): string =>
    formatQuantity(value === null ? null : value * read.scale, read.display_unit);
  const lines = ranked.slice(0, count ?? DEFAULT_COUNT).map(({ entity, current, previous, change }) =>
    t('changedBy', {
      entity,
      change: `${change > 0 ? '+' : '−'}${show(Math.abs(change))}`,
      previous: show(previous),
      current: show(current),
    }),
  );
  return headedList([t('byChange', { direction, count: fitting.length }), ...lines]);
}
