/** `rank_qubits`: the best or worst qubits, or couplings, by one metric. */
import { z } from 'zod';
import {
  firstWords,
  front,
  isDescending,
  ranked,
  tiedSentences,
  type End,
  type Ranked,
} from '../../domain/claims/ranked.ts';
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import { oncePerPair } from '../../domain/qid.ts';
import { countOf, formatQuantity } from '../../domain/text/display-text.ts';
import type { Freshness } from '../../domain/values/freshness.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { rankingVisuals } from '../../domain/visual-rules/ranking.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { currentOfMetric, type CurrentValues } from '../live/current-values.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import {
  besideRows,
  failureSentences,
  measuredRows,
  metricNameArg,
  withinHoursArg,
  type MeasuredRow,
} from './metric-values.ts';
import { absentSentences, disabledSentences, originSentences } from './words.ts';

const DEFAULT_COUNT = 5;
/** Rows that the summary names; chart and table have all. */
const NAMED_ROWS = 20;

export const rankQubits = defineTool({
  name: 'rank_qubits',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Ranking qubits',
  title: { en: 'Rank qubits', ja: '量子ビットの順位付け' },
  example: { metric_name: 't1', order: 'worst', count: 5 },
  description:
    'The best or worst qubits by one metric, or couplings by a coupling metric such as zx90_gate_fidelity. Knows which direction is better. highest and lowest rank by number.',
  args: z.object({
    chip_id: chipIdArg,
    metric_name: metricNameArg,
    order: z.enum(['best', 'worst', 'highest', 'lowest']),
    count: z.number().int().min(1).max(100).nullable().describe('null for 5'),
    within_hours: withinHoursArg,
  }),
  describe: ({ chip_id, metric_name, order, count }) =>
    `${order} ${count ?? DEFAULT_COUNT} by ${metric_name} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, metric_name, order, count, within_hours }, context) => {
    const chip = await chipOf(context, chip_id);
    const field = await fieldOf(context, chip, metric_name, within_hours);
    const descending = directionOf(field.metric, order);
    const claim = ranked(field.rows, { order, descending, by: ({ value }) => value });
    const { shown, tiedBehind } = front(claim, count ?? DEFAULT_COUNT);
    const title = `${field.metric.title} on ${chip.chipId}, ${firstWords(claim)}`;
    return {
      data: {
        chip_id: chip.chipId,
        metric_name,
        order,
        scale: field.metric.scale,
        display_unit: field.metric.unit,
        measured: claim.rows.length,
        missing: field.missing,
        tied_behind: tiedBehind,
        ...field.beside,
        rows: shown.map(({ place, row: { qid, label, stored, rating, measuredAt } }) => ({
          rank: place,
          qid,
          label,
          ...stored,
          rating,
          measured_at: measuredAt?.toISOString() ?? null,
        })),
      },
      formattedSummary: wordsOf(field, claim, count ?? DEFAULT_COUNT, chip.chipId),
      preview:
        shown
          .slice(0, 5)
          .map(({ row: { label, value } }) => `${label} ${formatQuantity(value, field.metric.unit)}`)
          .join(', ') || 'no results',
      freshness: field.freshness,
      current: field.current,
      source: 'SNAPSHOT',
      visuals:
        shown.length === 0
          ? [noDataNote(title, title)]
          : rankingVisuals({
              title,
              metricTitle: field.metric.title,
              unit: field.metric.unit,
              entity: field.entity,
              rows: shown.map(({ row }) => row),
            }),
    };
  },
});

/** All that takes part in a ranking. */
type Field = {
  readonly metric: Metric;
  readonly entity: 'Qubit' | 'Coupling';
  readonly withinHours: number | null;
  readonly rows: readonly MeasuredRow[];
  readonly missing: number;
  /** Names those without a result. */
  readonly absent: readonly string[];
  readonly disabled: readonly string[];
  readonly beside: JsonObject;
  readonly freshness: Freshness;
  readonly remarks: readonly string[];
  readonly current: CurrentValues | null;
};

/** Couplings where the metric is theirs alone. */
async function fieldOf(
  { loaders, services: { metrics } }: ToolContext,
  chip: Chip,
  name: string,
  withinHours: number | null,
): Promise<Field> {
  const request = { chip, name, selection: 'LATEST', withinHours } as const;
  const isOfCouplings = metrics.find(name, 'QUBIT') === null && metrics.find(name, 'COUPLING') !== null;
  const found = await (isOfCouplings ? loaders.couplingMetric : loaders.chipMetric).load(request);
  const values = oncePerPair(
    found.values,
    (a, b) => a.displayValue === b.displayValue && a.state === b.state,
  );
  const rows = measuredRows({ ...found, values });
  return {
    metric: found.metric,
    entity: isOfCouplings ? 'Coupling' : 'Qubit',
    withinHours,
    rows,
    missing: presentOf(values).filter(({ state }) => state === 'MISSING').length,
    absent: absentSentences(values),
    freshness: found.freshness,
    disabled: disabledSentences(values),
    beside: besideRows(values),
    remarks: [...originSentences(found.values), ...failureSentences(found.values)],
    current: currentOfMetric(chip, found),
  };
}

/** @throws InvalidInputError for best or worst of a metric that has no better. */
function directionOf(metric: Metric, order: End): boolean {
  const descending = isDescending(order, metric.direction);
  if (descending !== null) return descending;
  // no claim: what to ask
  const message = `${metric.title} is neither good nor bad: ask for highest or lowest`;
  throw new InvalidInputError([{ path: ['order'], message }]);
}

function wordsOf(field: Field, claim: Ranked<MeasuredRow>, count: number, chipId: string): string {
  const { metric, entity, rows, absent, disabled, freshness, remarks } = field;
  const noun = entity.toLowerCase();
  const { shown, tiedBehind } = front(claim, count);
  if (shown.length === 0) {
    return [`No ${noun} of ${chipId} has a usable result for ${metric.title}.`, ...disabled].join('\n');
  }
  const more = shown.length - NAMED_ROWS;
  const listed = shown.slice(0, NAMED_ROWS).map(({ row: { label, value, rating }, isTied }) => {
    const notes = [...(rating === 'UNKNOWN' ? [] : [rating.toLowerCase()]), ...(isTied ? ['tied'] : [])];
    return `${label} ${formatQuantity(value, metric.unit)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return [
    `The ${shown.length === 1 ? '' : `${shown.length} `}${claim.order} ${metric.title} of ${countOf(rows.length, noun)} on ${chipId}: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    ...(field.withinHours === null
      ? []
      : [`Only results of the last ${countOf(field.withinHours, 'hour')}.`]), // no claim: the window that was asked for
    ...tiedSentences(tiedBehind),
    ...absent,
    ...disabled,
    ...remarks.filter((remark) => shown.some(({ row: { label } }) => remark.includes(label))),
    storedSentence(freshness),
  ].join('\n');
}
