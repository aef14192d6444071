/** `list_available_parameters`: which parameters a chip or qubit has. */
import { z } from 'zod';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords } from './chip-argument.ts';

export const listAvailableParameters = defineTool({
  name: 'list_available_parameters',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Listing available parameters',
  title: { en: 'Parameters that are stored', ja: '保存されているパラメーターの一覧' },
  example: { qid: '12' },
  description:
    'Names of all parameters stored for a chip, or for one qubit or coupling, with unit and meaning.',
  args: z.object({
    chip_id: chipIdArg,
    qid: z.string().nullable().describe('Qubit or coupling; null for the whole chip'),
  }),
  describe: ({ chip_id, qid }) => `parameters of ${qid || 'all qubits'} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, qid }, context) => {
    const chip = await chipOf(context, chip_id);
    const { metrics, parameterNames, cooldowns } = context.services;
    const [names, summary, cooldownStart] = await Promise.all([
      parameterNames.list(chip, qid || null),
      qid ? null : context.loaders.chipSummary.load({ chip, parameters: null }),
      qid ? null : cooldowns.startOf(context.viewer, chip),
    ]);
    const parameters = names.map((name) => {
      const metric = metrics.find(name, 'QUBIT') ?? metrics.find(name, 'COUPLING');
      return { name, title: metric?.title ?? null, display_unit: metric?.unit ?? null };
    });
    const where = `${qid ? `${qid} on ` : ''}${chip.chipId}`;
    const rated = names.flatMap((name): Metric[] => {
      const metric = metrics.find(name, 'QUBIT') ?? metrics.find(name, 'COUPLING');
      return metric === null ? [] : [metric];
    });
    return {
      data: {
        chip_id: chip.chipId,
        qid: qid || null,
        parameters,
        count: names.length,
        ...(qid ? {} : { newest_at: summary?.freshness.newestAt?.toISOString() ?? null }),
        ...(cooldownStart === null ? {} : { cooled_down_at: cooldownStart.toISOString() }),
      },
      formattedSummary:
        names.length === 0
          ? `No parameters are stored for ${where}.`
          : `${where} has ${countOf(names.length, 'parameter')}: ${joinWords(names)}. ${catalogueSentence(rated)}`,
      preview: countOf(names.length, 'parameter'),
      freshness: freshnessOf('SNAPSHOT', [], null),
      source: 'SNAPSHOT',
      visuals: [],
    };
  },
});

const catalogueSentence = (metrics: readonly Metric[]): string =>
  metrics.length === 0
    ? 'None of them is in the metrics catalogue.'
    : `In the metrics catalogue: ${joinWords(metrics.map(({ title, unit }) => (unit === '' ? title : `${title} (${unit})`)))}.`;
