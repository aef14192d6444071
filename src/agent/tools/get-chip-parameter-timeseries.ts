/**
 * `get_chip_parameter_timeseries`: history of one parameter on many qubits or couplings; kept whole in the session's
 * data store.
 */
import { z } from 'zod';
import type { Chip } from '../../domain/chip/chip.ts';
import type { ChipTimeseries, ParameterSeries, SeriesPoint } from '../../domain/chip/chip-timeseries.ts';
import { firstWords, ranked } from '../../domain/claims/ranked.ts';
import { courseWords, newestOf, newestText, type Newest } from '../../domain/claims/timed.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { countOf, formatError, formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { rate } from '../../domain/values/metric.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { medianOf } from '../../domain/values/statistics.ts';
import { TRENDS } from '../../domain/values/trend.ts';
import { rankingVisuals } from '../../domain/visual-rules/ranking.ts';
import { seriesTable } from '../../domain/visual-rules/value-tables.ts';
import { MAX_LINES, seriesChart } from '../../domain/visual-rules/series.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject, Visual } from '../../domain/visuals.ts';
import { dataKey, summariseStored } from '../data/stored-result.ts';
import { defineTool } from '../tool.ts';
import {
  chipIdArg,
  chipOf,
  chipWords,
  SESSION_DATA,
  sessionChipOf,
  newestSentence,
} from './chip-argument.ts';
import { fieldsOf, statisticsData } from './row-data.ts';
import { timeArg, timeOf } from './time-argument.ts';
import { historySentences, someOf, twinSentences } from './words.ts';

const DEFAULT_LAST_N = 10;

export const getChipParameterTimeseries = defineTool({
  name: 'get_chip_parameter_timeseries',
  category: 'timeseries',
  rule: 'viewer: project',
  reads: 'STORED',
  label: 'Fetching chip-wide parameter timeseries',
  title: { en: 'A parameter of all qubits over time', ja: '全量子ビットの時系列' },
  example: { parameter_name: 't1', qids: ['12', '13'], last_n: 3 },
  description:
    'History of one parameter for all or some qubits, or couplings for a coupling parameter, in one call, with statistics and trends. Full data is kept for execute_python_analysis under the parameter name. Never ask qubit by qubit.',
  args: z.object({
    chip_id: chipIdArg,
    parameter_name: z.string(),
    qids: z.array(z.string()).nullable().describe('Only these qubits or couplings; null for all'),
    last_n: z.number().int().min(1).max(200).nullable().describe('Newest results of each; null for 10'),
    from: timeArg,
    to: timeArg,
  }),
  describe: ({ chip_id, parameter_name, qids, last_n }) =>
    `${parameter_name} of ${qids?.length ? qids.join(', ') : 'all'} on ${chipWords(chip_id)}, last ${last_n ?? DEFAULT_LAST_N}`,
  conflictKey: () => SESSION_DATA,
  run: async (args, context) => {
    const { chip_id, parameter_name, qids, last_n } = args;
    const chip = await chipOf(context, chip_id);
    const lastN = last_n ?? DEFAULT_LAST_N;
    const wanted = qids?.length ? qids : null;
    const span = { from: timeOf('from', args.from), to: timeOf('to', args.to) };
    const request = { chip, parameter: parameter_name, qids: wanted, lastN, ...span };
    const timeseries = await context.loaders.chipTimeseries.load(request);
    const data = dataOf(chip, timeseries);
    const key = dataKey({
      name: parameter_name,
      chipId: chip.chipId,
      sessionChipId: sessionChipOf(context, chip_id, chip),
      otherArguments: {
        ...(wanted === null ? {} : { qids: timeseries.series.map(({ qid }) => qid) }),
        ...(lastN === DEFAULT_LAST_N ? {} : { last_n: lastN }),
        ...(args.from ? { from: args.from } : {}),
        ...(args.to ? { to: args.to } : {}),
      },
    });
    await context.dataStore.put(key, JSON.stringify(data), timeseries.freshness);
    const points = timeseries.series.reduce((sum, series) => sum + series.points.length, 0);
    return {
      data,
      // The summary has the figures that matter.
      shortData: summariseStored({ ...data, statistics: null }, key),
      modelData: summariseStored(
        { ...data, statistics: statisticsData(timeseries.statistics, compactNumber) },
        key,
      ),
      formattedSummary: wordsOf(chip.chipId, timeseries, points, { lastN, span: spanWords(span) }),
      preview: `${countOf(points, 'result')} of ${countOf(timeseries.statistics.stored.count, timeseries.kind.toLowerCase())}`,
      freshness: timeseries.freshness,
      source: 'SNAPSHOT',
      visuals: visualsOf(chip.chipId, timeseries, points),
    };
  },
});

/** As stored: full precision and full times, since analysis code needs them; points of all in the order of time. */
function dataOf({ chipId, size }: Pick<Chip, 'chipId' | 'size'>, timeseries: ChipTimeseries): JsonObject {
  const { kind, parameter, series, statistics } = timeseries;
  const noun = `${kind.toLowerCase()}s`;
  return {
    chip_id: chipId,
    chip_size: size,
    parameter_name: parameter,
    ...fieldsOf(timeseries, 'unit', 'scale', 'displayUnit'),
    [`num_${noun}`]: statistics.stored.count,
    statistics: statisticsData(statistics),
    [noun]: series.map((each) => ({
      ...fieldsOf(each, 'qid', 'latest'),
      count: each.points.length,
      ...fieldsOf(each, 'min', 'max', 'mean'),
      trend: each.trend ?? courseOf(each, null),
    })),
    timeseries: series
      .flatMap(({ qid, points }) => points.map((point) => ({ qid, ...point })))
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .map(({ qid, at, value: v, error, taskId }) => ({
        qid,
        t: at.toISOString(),
        v,
        error,
        task_id: taskId,
      })),
  };
}

/** The times that were asked for; empty for none. */
function spanWords({ from, to }: { readonly from: Date | null; readonly to: Date | null }): string {
  if (from === null && to === null) return '';
  return `, ${from === null ? 'any time' : formatTime(from)} to ${to === null ? 'now' : formatTime(to)}`;
}

function wordsOf(
  chipId: string,
  timeseries: ChipTimeseries,
  points: number,
  { lastN, span }: { readonly lastN: number; readonly span: string },
): string {
  const { kind, title, statistics, displayUnit, series, metric, freshness, twins } = timeseries;
  if (points === 0) {
    return [`${title} of ${who(timeseries)} on ${chipId}: no results${span}.`, ...twinSentences(twins)].join(
      '\n',
    );
  }
  const noun = kind.toLowerCase();
  const measured = series.filter((each) => each.points.length > 0);
  const { median, min, max, count } = statistics.display;
  const head = `${title} on ${chipId}: ${countOf(points, 'result')} of ${countOf(measured.length, noun)}, at most ${lastN} of each${span}.`;
  const body =
    measured.length <= MAX_LINES
      ? measured.map((each) => seriesSentence(each, metric))
      : [
          `${countOf(count, noun)}, ${ofEach(measured)}: median ${formatQuantity(median, displayUnit)}, ${formatQuantity(min, displayUnit)} to ${formatQuantity(max, displayUnit)}.`,
          trendSentence(measured, metric),
        ];
  return [
    head,
    ...body,
    ...historySentences(pointsInOrder(measured)),
    ...twinSentences(twins),
    newestSentence(freshness),
  ].join('\n');
}

const pointsInOrder = (series: readonly ParameterSeries[]): readonly SeriesPoint[] =>
  series.flatMap(({ points }) => points).toSorted((a, b) => a.at.getTime() - b.at.getTime());

const who = ({ kind, series }: ChipTimeseries): string =>
  series.length <= MAX_LINES
    ? series.map(({ label }) => label).join(', ')
    : countOf(series.length, kind.toLowerCase());

function seriesSentence(series: ParameterSeries, metric: Metric | null): string {
  const { label, points, displayUnit, scale, min, max } = series;
  const display = (value: number | null) =>
    formatQuantity(value === null ? null : value * scale, displayUnit);
  const newest = newestOf(points, ({ at }) => at);
  const course = courseOf(series, metric);
  const shown = ({ value, displayError }: SeriesPoint): string =>
    `${display(value)}${displayError ? ` ${formatError(displayError, displayUnit)}` : ''}`;
  return `${label}: ${newest === null ? 'no results' : newestText(newest, shown)}, ${display(min)} to ${display(max)} over ${countOf(points.length, 'result')}${course === null ? '' : `, ${course}`}.`;
}

/** `newest of each`, which is what a series without all of its points is shown by. */
function ofEach(series: readonly ParameterSeries[]): string {
  const newest = series.map(({ points }) => newestOf(points, ({ at }) => at));
  const isEach = newest.every((each): each is Newest<SeriesPoint> => each !== null);
  const [some] = newest;
  return isEach && some ? newestText(some, () => 'of each') : 'one of each';
}

const courseOf = ({ points, trend }: ParameterSeries, metric: Metric | null): string | null =>
  courseWords({ trend, results: points.length }, metric);

/** How many series went which way; those that rise or fall by name. */
function trendSentence(series: readonly ParameterSeries[], metric: Metric | null): string {
  const counts = [...TRENDS, null].flatMap((trend) => {
    const own = series.filter((each) => each.trend === trend && courseOf(each, metric) !== null);
    const [some] = own;
    if (some === undefined) return [];
    const words = `${own.length} ${courseOf(some, metric)}`;
    if (trend === null || trend === 'STABLE') return [words];
    const claim = ranked(own, { order: 'largest change', descending: true, by: relativeChange });
    const first = own.length > 1 ? `, ${firstWords(claim)}` : '';
    return [`${words}${first}: ${someOf(claim.rows.map(({ row }) => row.label))}`];
  });
  return `Trends: ${counts.join('; ') || 'none, there are too few results of each'}.`;
}

/** How far the newer half of the points lies from the older, relative to all; for putting trends in order. */
function relativeChange({ points }: ParameterSeries): number {
  const values = points.map(({ value }) => value);
  const middle = Math.ceil(values.length / 2);
  const [all, older, newer] = [values, values.slice(0, middle), values.slice(middle)].map(medianOf);
  return !all || typeof older !== 'number' || typeof newer !== 'number' ? 0 : Math.abs((newer - older) / all);
}

/** A line for each qubit, or the newest values where there are too many; with a table unless one line shows all. */
function visualsOf(chipId: string, timeseries: ChipTimeseries, points: number): readonly Visual[] {
  const { kind, title, displayUnit, metric, series } = timeseries;
  if (points === 0) return [noDataNote(title, `${title} of ${who(timeseries)} on ${chipId}`)];
  const measured = series.filter((each) => each.points.length > 0);
  if (measured.length <= MAX_LINES) {
    const chart = seriesChart(timeseries);
    const table = seriesTable(`${title} on ${chipId}`, timeseries);
    return chart === null ? [table] : measured.length === 1 ? [chart] : [chart, table];
  }
  const newest = measured.flatMap(({ label, points: own }) => {
    const found = newestOf(own, ({ at }) => at);
    return found === null ? [] : [{ label, point: found.row }];
  });
  const [chart] = rankingVisuals({
    title: `${title} on ${chipId}, ${ofEach(measured)}`,
    metricTitle: title,
    unit: displayUnit,
    entity: kind === 'QUBIT' ? 'Qubit' : 'Coupling',
    rows: newest.map(({ label, point }) => ({
      label,
      value: point.displayValue,
      error: point.displayError,
      rating: rate(metric, point.displayValue),
      measuredAt: point.at,
    })),
  });
  const table = seriesTable(`${title} on ${chipId}`, timeseries);
  return chart === undefined ? [table] : [chart, table];
}
