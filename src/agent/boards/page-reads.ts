/** Parts of the page of a chip as boards read them anew. No model is shown these tools. */
import { z } from 'zod';
import { rankingDistribution } from '../../domain/visual-rules/ranking.ts';
import { generateChipHeatmap } from '../tools/generate-chip-heatmap.ts';
import { chipIdArg, chipOf, chipWords } from '../tools/chip-argument.ts';
import {
  measuredRows,
  metricNameArg,
  selectionArg,
  selectionOf,
  withinHoursArg,
} from '../tools/metric-values.ts';
import { defineTool, type Tool } from '../tool.ts';

const metricArgs = z.object({
  chip_id: chipIdArg,
  metric_name: metricNameArg,
  selection_mode: selectionArg,
  within_hours: withinHoursArg,
});

/** How the values of a metric are distributed over the qubits of a chip. */
const showDistribution = defineTool({
  name: 'show_distribution',
  category: null,
  rule: 'viewer: project',
  label: 'Reading a distribution',
  title: { en: 'Distribution of a metric', ja: '指標の分布' },
  example: { metric_name: 't1', selection_mode: 'latest' },
  description: 'Histogram of one qubit metric of a chip, for boards.',
  args: metricArgs,
  describe: ({ chip_id, metric_name }) => `${metric_name} over ${chipWords(chip_id)}`,
  run: async (args, context) => {
    const chip = await chipOf(context, args.chip_id);
    const { metric_name: name, selection_mode: selection, within_hours: withinHours } = args;
    const request = { chip, name, selection: selectionOf(selection), withinHours };
    const values = await context.loaders.chipMetric.load(request);
    const { title: metricTitle, unit } = values.metric;
    const rows = measuredRows(values);
    const title = `${metricTitle}: distribution on ${chip.chipId}`;
    const drawn = rankingDistribution({ title, metricTitle, unit, entity: 'Qubit', rows });
    return { ...(await generateChipHeatmap.run(args, context)), visuals: rows.length === 0 ? [] : [drawn] };
  },
});

/** What a map shows, as a table of its qubits; the web client draws the map by the same arguments. */
const showChipMap = defineTool({
  name: 'show_chip_map',
  category: null,
  rule: 'viewer: project',
  label: 'Reading the map of a chip',
  title: { en: 'Map of a chip', ja: 'チップのマップ' },
  example: { metric_name: 't1', selection_mode: 'latest' },
  description:
    'Map of the qubits and couplings of a chip, for boards: as values, as states, or as the difference to a time or to another chip. As data it is a table of the qubits.',
  args: metricArgs.extend({
    coupling_metric: z.string().nullable().describe('null for uncoloured couplings'),
    by_state: z.boolean().nullable().describe('true to colour by the state of values; null for no'),
    since: z
      .string()
      .regex(/^(?:\d{1,5}h|\d{4}-\d{2}-\d{2})$/, 'must be hours such as "24h", or a day such as "2026-05-18"')
      .nullable()
      .describe('Compared with: hours ago, such as 24h, or a day; null for nothing'),
    other_chip: z.string().nullable().describe('Compared with another chip; null for none'),
  }),
  describe: ({ chip_id, metric_name }) => `${metric_name} over ${chipWords(chip_id)}`,
  run: async ({ coupling_metric, other_chip, by_state: _state, since: _since, ...args }, context) => {
    const chip = await chipOf(context, args.chip_id);
    if (other_chip !== null) await chipOf(context, other_chip);
    if (coupling_metric !== null)
      await context.loaders.couplingMetric.load({
        chip,
        name: coupling_metric,
        selection: 'LATEST',
        withinHours: null,
      });
    const result = await generateChipHeatmap.run(args, context);
    return { ...result, visuals: result.visuals.filter(({ type }) => type === 'table') };
  },
});

export const PAGE_READS: readonly Tool[] = [showChipMap, showDistribution];
