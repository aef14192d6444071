/** `compare_periods`: a window of time against an earlier one. */
import { z } from 'zod';
import { firstWords, front, ranked } from '../../domain/claims/ranked.ts';
import { compactNumber, compactTimestamp } from '../../domain/text/compact.ts';
import { countOf, formatQuantity } from '../../domain/text/display-text.ts';
import type {
  ComparedEntity,
  ComparedPeriod,
  PeriodComparison,
} from '../../domain/values/period-comparison.ts';
import { comparisonVisuals, periodWords } from '../../domain/visual-rules/period-comparison.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, newestSentence } from './chip-argument.ts';
import { fieldsOf, statisticsData } from './row-data.ts';
import { timeArg, timeOf } from './time-argument.ts';
import { twinSentences } from './words.ts';

const DEFAULT_HOURS = 24 * 7;
/** Entities that the summary names. */
const SHOWN_ROWS = 5;

export const comparePeriods = defineTool({
  name: 'compare_periods',
  category: 'timeseries',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Comparing periods',
  title: { en: 'Compare a period with the one before', ja: '期間の比較' },
  example: { parameter_name: 't1', window_hours: 168, level: 'chip', include_series: false },
  description:
    'One parameter of qubits or couplings in a window against an earlier one, with sigma and verdict.',
  args: z.object({
    chip_id: chipIdArg,
    parameter_name: z.string(),
    window_hours: z.number().min(1).nullable().describe(`null for ${DEFAULT_HOURS}`),
    from: timeArg.describe('Instead of window_hours: 2026-02-24T00:00:00Z'),
    to: timeArg.describe('null for now'),
    previous_from: timeArg.describe('null for the same length'),
    previous_to: timeArg.describe('null for just before'),
    level: z.enum(['qubit', 'mux', 'chip']).nullable().describe('null for qubit'),
    qids: z.array(z.string()).nullable(),
    include_series: z.boolean(),
  }),
  describe: ({ chip_id, parameter_name, window_hours, from, to, previous_to }) =>
    `${parameter_name} on ${chipWords(chip_id)}, ${windowText(window_hours, from, to)} against ${previous_to ? `until ${previous_to}` : 'before'}`,
  run: async (args, context) => {
    const { chip_id, parameter_name, window_hours, from, to, level, qids, include_series } = args;
    const chip = await chipOf(context, chip_id);
    const start = timeOf('from', from);
    const comparison = await context.services.periodComparisons.get(chip, {
      parameter: parameter_name,
      windowHours: window_hours ?? (start === null ? DEFAULT_HOURS : null),
      from: start,
      to: timeOf('to', to),
      previous: previousOf(args),
      level: LEVELS[level ?? 'qubit'],
      qids: qids?.length ? qids : null,
    });
    return {
      data: dataOf(chip.chipId, comparison, include_series, context.now()),
      formattedSummary: wordsOf(chip.chipId, comparison),
      preview: totalWords(comparison).slice(0, 160),
      freshness: comparison.freshness,
      source: 'SNAPSHOT',
      visuals: comparisonVisuals(comparison, include_series),
    };
  },
});

function windowText(hours: number | null, from: string | null, to: string | null): string {
  const until = to ? ` until ${to}` : '';
  return from ? `from ${from}${until}` : `${countOf(hours ?? DEFAULT_HOURS, 'hour')}${until || ' until now'}`;
}

/** @throws InvalidInputError for a start without an end. */
function previousOf({
  previous_from,
  previous_to,
}: {
  readonly previous_from: string | null;
  readonly previous_to: string | null;
}): { readonly from: Date | null; readonly to: Date } | null {
  const [from, to] = [timeOf('previous_from', previous_from), timeOf('previous_to', previous_to)];
  if (to !== null) return { from, to };
  if (from === null) return null;
  throw InvalidInputError.at(['previous_to'], 'the earlier window has a start and no end: give previous_to');
}

const LEVELS = { qubit: 'QUBIT', mux: 'MUX', chip: 'CHIP' } as const;

function dataOf(chipId: string, comparison: PeriodComparison, withSeries: boolean, now: Date): JsonObject {
  const { parameter, level, rows, total, current, previous } = comparison;
  const period = (each: ComparedPeriod): JsonObject => ({
    from: compactTimestamp(each.from, now),
    to: compactTimestamp(each.to, now),
    cooldown_ids: each.cooldownIds,
    statistics: statisticsData(each.statistics, compactNumber),
    ...(withSeries
      ? {
          series: each.series.map(({ elapsedHours, value, ...point }) => ({
            ...point,
            elapsed_hours: compactNumber(elapsedHours),
            mean: compactNumber(value),
          })),
        }
      : {}),
  });
  return {
    chip_id: chipId,
    parameter_name: parameter,
    ...fieldsOf(comparison, 'unit', 'scale', 'displayUnit'),
    level: level.toLowerCase(),
    current: period(current),
    previous: period(previous),
    total: rowData(total),
    num_changes_shown: Math.min(
      SHOWN_ROWS,
      rows.filter(({ change }) => change !== null && change !== 0).length,
    ),
    num_changes: rows.filter(({ change }) => change !== null && change !== 0).length,
    rows: rows.map(rowData),
  };
}

/** Four digits do not tell fidelities apart, and five of six would round twice. */
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(8)));

const rowData = (row: ComparedEntity): JsonObject => ({
  entity: row.entity,
  current: short(row.current),
  previous: short(row.previous),
  change: short(row.change),
  sigma: short(row.changeSigma),
  ...fieldsOf(row, 'better', 'members'),
});

function wordsOf(chipId: string, comparison: PeriodComparison): string {
  const { kind, title, rows, total, level, current, previous, freshness, twins } = comparison;
  const head = `${title} on ${chipId}: ${periodWords(current)} against ${periodWords(previous)}.`;
  const changed = rows.filter(({ change }) => change !== null && change !== 0);
  const missing = rows.filter(({ change }) => change === null).length;
  return [
    head,
    total.change === null
      ? `No ${kind.toLowerCase()} was measured in both windows.`
      : `${totalWords(comparison)}.`,
    ...(level === 'CHIP' ? [] : changeSentences(changed, comparison)),
    ...(missing > 0 && missing < rows.length
      ? [`${missing} of ${rows.length} without a value in both windows.`]
      : []),
    ...cooldownSentences(current, previous),
    ...twinSentences(twins),
    newestSentence(freshness),
  ].join('\n');
}

/** Changes in the order of how sure they are; by size where no error is known. */
function changeSentences(
  changed: readonly ComparedEntity[],
  comparison: PeriodComparison,
): readonly string[] {
  const sure = changed.filter(({ changeSigma }) => changeSigma !== null);
  const claim =
    sure.length > 0
      ? ranked(sure, { order: 'most sigma', descending: true, by: (row) => Math.abs(row.changeSigma ?? 0) })
      : ranked(changed, { order: 'largest', descending: true, by: (row) => Math.abs(row.change ?? 0) });
  const { shown } = front(claim, SHOWN_ROWS);
  const words = shown.map(({ row }) => `${row.entity} ${changeWords(row, comparison)}`);
  if (words.length === 0) return [];
  const order = claim.rows.length > 1 ? `, ${firstWords(claim)}` : '';
  return [`Changes: ${words.length} of ${changed.length} shown${order}: ${words.join('; ')}.`];
}

function totalWords(comparison: PeriodComparison): string {
  const { kind, total, rows, displayUnit, scale } = comparison;
  if (total.change === null) return `no ${kind.toLowerCase()} measured in both windows`;
  const show = (value: number | null) => formatQuantity(value === null ? null : value * scale, displayUnit);
  const only = total.members === 1 ? rows.find(({ members }) => members === 1) : undefined;
  const who = only?.entity ?? `Mean of ${countOf(total.members, kind.toLowerCase())}`;
  return `${who}: ${show(total.current)}, before ${show(total.previous)}; ${changeWords(total, comparison)}`;
}

function changeWords(
  { change, changeSigma, better }: ComparedEntity,
  { scale, displayUnit }: PeriodComparison,
): string {
  const value = (change ?? 0) * scale;
  const notes = [
    ...(changeSigma === null ? [] : [`${Math.abs(changeSigma).toFixed(1)} sigma`]),
    ...verdictWords(better, changeSigma),
  ];
  return `${value >= 0 ? '+' : ''}${formatQuantity(value, displayUnit)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** A change that is smaller than its own error is neither. */
function verdictWords(better: boolean | null, changeSigma: number | null): readonly string[] {
  if (better === null) return [];
  if (changeSigma !== null && Math.abs(changeSigma) < 1) return ['within its error'];
  return [better ? 'better' : 'worse'];
}

/** Values of two cool-downs are values of two states of the device; a comparison of them must say so. */
function cooldownSentences(current: ComparedPeriod, previous: ComparedPeriod): readonly string[] {
  const [now, then] = [current.cooldownIds[0], previous.cooldownIds[0]];
  const spans = [current, previous].filter(({ cooldownIds }) => cooldownIds.length > 1);
  return [
    ...(now !== undefined && then !== undefined && now !== then
      ? [`The windows are of different cool-downs, ${now} and ${then}.`]
      : []),
    ...spans.map(
      (period) => `${periodWords(period)} spans cool-downs; only ${period.cooldownIds[0] ?? ''} counts.`,
    ),
  ];
}
