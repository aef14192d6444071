/** `get_parameter_timeseries`: history of one parameter on one qubit or coupling. */
import { z } from 'zod';
import type { ParameterSeries, SeriesPoint } from '../../domain/chip/chip-timeseries.ts';
import { courseWords, newestOf, newestText, newestWords } from '../../domain/claims/timed.ts';
import { countOf, formatError, formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { seriesTable } from '../../domain/visual-rules/value-tables.ts';
import { seriesChart } from '../../domain/visual-rules/series.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, newestSentence } from './chip-argument.ts';
import { lastNArg } from './list-arguments.ts';
import { historySentences, twinSentences } from './words.ts';
import { fieldsOf } from './row-data.ts';

const DEFAULT_LAST_N = 10;

export const getParameterTimeseries = defineTool({
  name: 'get_parameter_timeseries',
  category: 'timeseries',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching parameter timeseries',
  title: { en: 'A parameter of one qubit over time', ja: '量子ビットの時系列' },
  example: { parameter_name: 't1', qid: '12', last_n: 5 },
  description:
    'History of one parameter of one qubit, or of one coupling (4-1). For several use get_chip_parameter_timeseries.',
  args: z.object({
    chip_id: chipIdArg,
    parameter_name: z.string(),
    qid: z.string(),
    last_n: lastNArg(DEFAULT_LAST_N, 200),
  }),
  describe: ({ chip_id, parameter_name, qid, last_n }) =>
    `${parameter_name} of ${qid} on ${chipWords(chip_id)}, last ${last_n ?? DEFAULT_LAST_N}`,
  run: async ({ chip_id, parameter_name, qid, last_n }, context) => {
    const chip = await chipOf(context, chip_id);
    const lastN = last_n ?? DEFAULT_LAST_N;
    const timeseries = await context.loaders.chipTimeseries.load({
      chip,
      parameter: parameter_name,
      qids: [qid],
      lastN,
    });
    const { title, metric, freshness, twins } = timeseries;
    const [series] = timeseries.series;
    if (series === undefined) throw new Error(`the series of ${qid} is not there although it was asked for`);
    const { points, label, trend } = series;
    const who = `${title} of ${label} on ${chip.chipId}`;
    const shared = {
      chip_id: chip.chipId,
      parameter_name,
      qid: series.qid,
      ...fieldsOf(timeseries, 'unit', 'scale', 'displayUnit'),
      trend: trend ?? courseWords({ trend, results: points.length }, metric),
    };
    return {
      data: { ...shared, values: points.map(pointData) },
      // What does not fit is left out from the end.
      shortData: {
        ...shared,
        newest_first: points.toReversed().map(({ at, value: v, error }) => ({ t: at, v, error })),
      },
      formattedSummary:
        points.length === 0
          ? [`${who}: no results.`, ...twinSentences(twins)].join('\n')
          : [
              ...sentences(who, series, metric, lastN),
              ...twinSentences(twins),
              newestSentence(freshness),
            ].join('\n'),
      preview: points.length === 0 ? 'no results' : countOf(points.length, 'result'),
      freshness,
      source: 'SNAPSHOT',
      visuals:
        points.length === 0
          ? [noDataNote(who, who)]
          : [seriesChart(timeseries) ?? seriesTable(who, timeseries)],
    };
  },
});

const pointData = (point: SeriesPoint): JsonObject => ({
  t: point.at.toISOString(),
  v: point.value,
  ...fieldsOf(point, 'error', 'taskName', 'taskId', 'executionId'),
  ...(point.cooldownId === null ? {} : fieldsOf(point, 'cooldownId')),
});

function sentences(
  who: string,
  series: ParameterSeries,
  metric: Metric | null,
  lastN: number,
): readonly string[] {
  const { points, displayUnit, scale, min, max, trend } = series;
  const display = (value: number | null) =>
    formatQuantity(value === null ? null : value * scale, displayUnit);
  const newest = newestOf(points, ({ at }) => at);
  const course = courseWords({ trend, results: points.length }, metric);
  const shown = ({ value, displayError, at }: SeriesPoint): string =>
    `${display(value)}${displayError ? ` ${formatError(displayError, displayUnit)}` : ''} (${formatTime(at)})`;
  return [
    `${who}: ${newest === null ? 'no results' : newestText(newest, shown)}.`,
    `${newestWords(points.toReversed(), { at: ({ at }) => at, noun: 'result', hasMore: points.length === lastN })}, ${display(min)} to ${display(max)}${course === null ? '' : `, ${course}`}.`,
    ...historySentences(points),
  ];
}
