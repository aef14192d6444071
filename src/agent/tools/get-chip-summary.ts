/**
 * `get_chip_summary`: every qubit's current values with statistics and health; kept whole in the session's data
 * store.
 */
import { z } from 'zod';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { qidLabel } from '../../domain/qid.ts';
import { compactNumber } from '../../domain/text/compact.ts';
import { countOf, formatQuantity, joinWords } from '../../domain/text/display-text.ts';
import { statisticsTable } from '../../domain/visual-rules/value-tables.ts';
import { healthCard } from '../../domain/visual-rules/value-card.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { NotFoundError } from '../../base/errors.ts';
import { dataKey, summariseStored } from '../data/stored-result.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import {
  chipIdArg,
  chipOf,
  chipWords,
  SESSION_DATA,
  sessionChipOf,
  storedSentence,
} from './chip-argument.ts';
import { fieldsOf, statisticsData } from './row-data.ts';

/** Parameters and problems that the summary spells out; tables and data have all. */
const SHOWN_PARAMETERS = 8;
const SHOWN_PROBLEMS = 8;

export const getChipSummary = defineTool({
  name: 'get_chip_summary',
  category: 'calibration',
  reads: 'STORED',
  label: 'Fetching chip summary',
  title: { en: 'Summary and health of a chip', ja: 'チップの概要と健全性' },
  example: {},
  description:
    'Current values of all qubits of a chip with statistics, health score and problem list. Start here for questions about a whole chip. The full table is kept for execute_python_analysis.',
  args: z.object({
    chip_id: chipIdArg,
    param_names: z.array(z.string()).nullable().describe('null for all'),
  }),
  describe: ({ chip_id, param_names }) =>
    `${param_names?.length ? param_names.join(', ') : 'all parameters'} of ${chipWords(chip_id)}`,
  conflictKey: () => SESSION_DATA,
  run: async ({ chip_id, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const parameters = param_names?.length ? param_names : null;
    const summary = await context.loaders.chipSummary.load({ chip, parameters });
    if (summary === null) throw new NotFoundError(`chip ${chip.chipId} has no qubits`);
    const data = dataOf(chip.chipId, summary);
    const key = dataKey({
      name: 'chip_summary',
      chipId: chip.chipId,
      sessionChipId: sessionChipOf(context, chip_id, chip),
      otherArguments: parameters === null ? {} : { param_names: parameters },
    });
    await context.dataStore.put(key, JSON.stringify(data), summary.freshness);
    const { label, score } = summary.health;
    const card = parameters === null ? healthCard(chip.chipId, summary.health) : null;
    const table = statisticsTable(`Parameters of ${chip.chipId}`, summary.parameters);
    return {
      data,
      modelData: summariseStored(dataOf(chip.chipId, summary, compactNumber), key),
      // The summary has figures and problems.
      shortData: summariseStored({ ...data, statistics: null, problems: null, health: null }, key),
      formattedSummary: wordsOf(chip, summary, parameters),
      preview: `${countOf(summary.qubitCount, 'qubit')}, ${countOf(summary.parameters.length, 'parameter')}, health ${label.toLowerCase()}${score === null ? '' : ` (${score.toFixed(2)} of 3)`}`,
      freshness: summary.freshness,
      current: {
        chip,
        scope: 'QUBIT',
        values: summary.rows.flatMap(({ qid, parameters: values }) =>
          currentValues({ qid, label: qidLabel(qid, chip.size) }, values, parameters),
        ),
      },
      source: 'SNAPSHOT',
      visuals: card === null ? [table] : [card, table],
    };
  },
});

/** Values as stored; problems in display scale, as their unit shows. */
function dataOf(chipId: string, summary: ChipSummary, round?: (value: number) => number): JsonObject {
  const { health, parameters, rows, qubitCount } = summary;
  return {
    chip_id: chipId,
    num_qubits: qubitCount,
    statistics: Object.fromEntries(parameters.map((each) => [each.name, statisticsData(each, round)])),
    health: fieldsOf(health, 'score', 'label', 'excellent', 'good', 'poor'),
    problems: health.problems.map((problem) => ({ ...problem })),
    num_problems_shown: namedProblems(health).length,
    qubits: rows.map(({ qid, parameters: values }) => {
      const byName = new Map(values.map((value) => [value.name, value.value ?? value.text]));
      return {
        qid,
        ...Object.fromEntries(parameters.map(({ name }) => [name, byName.get(name) ?? null])),
      };
    }),
  };
}

function wordsOf({ chipId, size }: Chip, summary: ChipSummary, asked: readonly string[] | null): string {
  const { health, parameters, qubitCount, freshness } = summary;
  const titles = asked === null ? null : joinWords(parameters.map(({ title }) => title));
  const { score, label, excellent, good, poor } = health;
  const headline =
    score === null
      ? `${chipId}: ${countOf(qubitCount, 'qubit')}; no value${titles === null ? '' : ` of ${titles}`} is rated, so it has no health score.`
      : `${chipId}: ${countOf(qubitCount, 'qubit')}, health${titles === null ? '' : ` by ${titles}`} ${label.toLowerCase()} (${score.toFixed(2)} of 3: ${excellent} excellent, ${good} good, ${poor} fair or bad of ${excellent + good + poor} rated values).`;
  const lines = parameters
    .filter(({ stored }) => stored.count > 0)
    .slice(0, SHOWN_PARAMETERS)
    .map(({ title, display, displayUnit, missing }) => {
      const of =
        missing > 0 ? `${display.count} of ${display.count + missing} qubits` : `${display.count} qubits`;
      return `${title}: median ${formatQuantity(display.median, displayUnit)}, ${formatQuantity(display.min, displayUnit)} to ${formatQuantity(display.max, displayUnit)} (${of}).`;
    });
  return [headline, ...lines, ...problemLines(summary, size), storedSentence(freshness)].join('\n');
}

/** The problems of `data` that the summary names. */
function namedProblems({ problems }: ChipSummary['health']): ChipSummary['health']['problems'] {
  const worst = problems.filter(({ rating }) => rating === 'BAD');
  return (worst.length > 0 ? worst : problems).slice(0, SHOWN_PROBLEMS);
}

function problemLines(
  { health, rows }: Pick<ChipSummary, 'health' | 'rows'>,
  chipSize: number,
): readonly string[] {
  const named = namedProblems(health);
  if (named.length === 0) return [];
  const titles = new Map(
    rows.flatMap(({ parameters }) => parameters.map(({ name, title }) => [name, title] as const)),
  );
  const words = named.map(
    ({ qid, parameter, value, unit, rating, threshold }) =>
      `${qidLabel(qid, chipSize)} ${titles.get(parameter) ?? parameter} ${formatQuantity(value, unit)} (${rating.toLowerCase()}, limit ${formatQuantity(threshold, unit)})`,
  );
  return [`Problems: ${named.length} of ${health.problems.length} shown, worst first: ${words.join('; ')}.`];
}
