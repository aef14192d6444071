/** `generate_chip_heatmap`: one metric over the chip's layout. */
import { z } from 'zod';
import { extremes, extremeWords } from '../../domain/claims/ranked.ts';
import type { ChipMetric, QubitValue } from '../../domain/chip/chip-metric.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { countOf, formatQuantity } from '../../domain/text/display-text.ts';
import { rankingVisuals } from '../../domain/visual-rules/ranking.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject, Visual } from '../../domain/visuals.ts';
import { currentOfMetric } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import {
  besideRows,
  failureSentences,
  measuredRows,
  metricNameArg,
  selectionArg,
  selectionOf,
  selectionWords,
  withinHoursArg,
} from './metric-values.ts';
import { fieldsOf, statisticsData } from './row-data.ts';
import { absentSentences, originSentences, disabledSentences } from './words.ts';

export const generateChipHeatmap = defineTool({
  name: 'generate_chip_heatmap',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Generating chip heatmap',
  title: { en: 'Heatmap of a chip', ja: 'チップのヒートマップ' },
  example: { metric_name: 't1', selection_mode: 'latest' },
  description:
    'Heatmap of one qubit metric over the chip layout, with statistics. The chart and its table are shown to the user; do not repeat them.',
  args: z.object({
    chip_id: chipIdArg,
    metric_name: metricNameArg,
    selection_mode: selectionArg,
    within_hours: withinHoursArg,
  }),
  describe: ({ chip_id, metric_name }) => `${metric_name} over ${chipWords(chip_id)}`,
  run: async ({ chip_id, metric_name, selection_mode, within_hours }, context) => {
    const chip = await chipOf(context, chip_id);
    const chipMetric = await context.loaders.chipMetric.load({
      chip,
      name: metric_name,
      selection: selectionOf(selection_mode),
      withinHours: within_hours,
    });
    const { metric, statistics, values, freshness } = chipMetric;
    const data = dataOf(chip.chipId, chipMetric);
    return {
      data: { ...data, values: values.map(valueData) },
      modelData: {
        ...data,
        statistics: statisticsData(statistics, compactNumber),
        shown: 'The heatmap and its table are shown to the user.',
      },
      formattedSummary: wordsOf(chip.chipId, chipMetric),
      preview: `${metric.title} of ${statistics.stored.count} of ${countOf(values.length, 'qubit')}`,
      freshness,
      current: currentOfMetric(chip, chipMetric),
      source: 'SNAPSHOT',
      visuals: visualsOf(chip.chipId, chipMetric),
    };
  },
});

const dataOf = (chipId: string, { metric, selection, withinHours, statistics, values }: ChipMetric) => ({
  chip_id: chipId,
  metric_name: metric.name,
  selection_mode: selection,
  within_hours: withinHours,
  total_qubits: values.length,
  statistics: statisticsData(statistics),
  ...besideRows(values),
});

const valueData = (value: QubitValue): JsonObject =>
  fieldsOf(value, 'qid', 'value', 'unit', 'error', 'rating', 'measuredAt', 'taskId');

function wordsOf(chipId: string, chipMetric: ChipMetric): string {
  const { metric, statistics, values, freshness } = chipMetric;
  const what = `${metric.title} on ${chipId} (${selectionWords(chipMetric)})`;
  const rows = measuredRows(chipMetric);
  const ends = extremes(rows, ({ value }) => value);
  if (ends === null) {
    return [`${what}: no qubit of ${values.length} has a usable result.`, ...disabledSentences(values)].join(
      '\n',
    );
  }
  const { median, mean } = statistics.display;
  const show = (value: number | null) => formatQuantity(value, metric.unit);
  return [
    `${what}: ${rows.length} of ${countOf(values.length, 'qubit')}, median ${show(median)}, mean ${show(mean)}, ${extremeWords(ends, show)}.`,
    ...absentSentences(values),
    ...disabledSentences(values),
    ...originSentences(values),
    ...failureSentences(values),
    storedSentence(freshness),
  ].join('\n');
}

function visualsOf(chipId: string, chipMetric: ChipMetric): readonly Visual[] {
  const { metric, heatmap, withinHours } = chipMetric;
  const rows = measuredRows(chipMetric);
  const title = `${metric.title} on ${chipId}`;
  if (rows.length === 0) {
    const within = withinHours === null ? '' : ` within ${countOf(withinHours, 'hour')}`;
    return [noDataNote(title, `${title}${within}`)];
  }
  const ranking = { title, metricTitle: metric.title, unit: metric.unit, entity: 'Qubit', rows } as const;
  return [heatmap, ...rankingVisuals(ranking).filter(({ type }) => type === 'table')];
}
