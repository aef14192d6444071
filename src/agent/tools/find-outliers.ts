/** `find_outliers`: qubits whose current value is far from those of the rest of the chip. */
import { z } from 'zod';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import { qidLabel } from '../../domain/qid.ts';
import { countOf, formatQuantity, joinWords } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import { findOutliers as outliersOf, OUTLIER_SCORE } from '../../domain/values/outliers.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import {
  mixedColumn,
  numberColumn,
  noDataNote,
  ratingText,
  textColumn,
} from '../../domain/visual-rules/table.ts';
import type { TableSpec } from '../../domain/visuals.ts';
import { NotFoundError } from '../../base/errors.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';

/** Outliers that the summary names; the table has all. */
const SHOWN_OUTLIERS = 10;

export const findOutliers = defineTool({
  name: 'find_outliers',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Looking for outliers',
  title: { en: 'Find outliers', ja: '外れ値の検出' },
  example: { metric_name: 'average_readout_fidelity' },
  description:
    'Qubits and couplings whose current values differ strongly from the rest of the chip (modified z-score).',
  args: z.object({
    chip_id: chipIdArg,
    metric_name: z.string().nullable().describe('null for every metric of the catalogue'),
    min_score: z.number().positive().nullable().describe('null for 3.5'),
  }),
  describe: ({ chip_id, metric_name }) => `${metric_name || 'all metrics'} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, metric_name, min_score }, context) => {
    const chip = await chipOf(context, chip_id);
    const names = metric_name ? [metric_name] : null;
    const summary = await context.loaders.chipSummary.load({ chip, parameters: names });
    if (summary === null) throw new NotFoundError(`chip ${chip.chipId} has no qubits`);
    const { metrics } = context.services;
    const kinds = [
      { scope: 'QUBIT', statistics: summary.parameters, rows: summary.rows },
      { scope: 'COUPLING', statistics: summary.couplingParameters, rows: summary.couplingRows },
    ] as const;
    const fields = kinds.flatMap(({ scope, statistics, rows }) =>
      statistics
        .filter(({ name }) => names !== null || metrics.find(name, scope) !== null)
        .map(({ name }) => ({ scope, name, rows })),
    );
    const searched = fields.map(({ name }) => name);
    const found = fields.flatMap(({ name, rows }) =>
      ofParameter(rows, name, chip.size, min_score ?? OUTLIER_SCORE),
    );
    // Live values are of one kind of part.
    const scope = fields[0]?.scope ?? 'QUBIT';
    const current = (scope === 'QUBIT' ? summary.rows : summary.couplingRows).map(({ qid, parameters }) => ({
      qid,
      label: qidLabel(qid, chip.size),
      parameters: parameters.filter(({ name }) => searched.includes(name)),
    }));
    const values = [...summary.rows, ...summary.couplingRows].flatMap(({ parameters }) =>
      parameters.filter(({ name, displayValue }) => displayValue !== null && searched.includes(name)),
    );
    const freshness = freshnessOf(
      'SNAPSHOT',
      values.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds(fields.map(({ name, scope: of }) => metrics.find(name, of))),
    );
    const title = `Outliers of ${chip.chipId}`;
    const where = `${joinWords(fields.map(({ name, scope: of }) => metrics.find(name, of)?.title ?? name))} on ${chip.chipId}`;
    return {
      data: {
        chip_id: chip.chipId,
        metrics: searched,
        min_score: min_score ?? OUTLIER_SCORE,
        outliers: found.map(({ qid, label, parameter, score }) => ({
          qid,
          label,
          parameter: parameter.name,
          ...fieldsOf(parameter, 'value', 'unit', 'scale', 'displayUnit'),
          score,
          rating: parameter.rating,
        })),
      },
      formattedSummary: [
        wordsOf(found, where),
        limitSentence(min_score ?? OUTLIER_SCORE),
        storedSentence(freshness),
      ].join('\n'),
      preview: found.length === 0 ? 'no outliers' : countOf(found.length, 'outlier'),
      freshness,
      current: {
        chip,
        scope,
        values: current.flatMap((row) => currentValues(row, row.parameters, names)),
      },
      source: 'SNAPSHOT',
      visuals: [found.length === 0 ? noDataNote(title, `outliers of ${where}`) : tableOf(title, found)],
    };
  },
});

type Found = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: ParameterValue;
  readonly displayValue: number;
  readonly score: number;
};

function ofParameter(
  rows: ChipSummary['rows'],
  name: string,
  chipSize: number,
  minScore: number,
): readonly Found[] {
  const measured = rows.flatMap(({ qid, parameters }) => {
    const parameter = parameters.find((each) => each.name === name);
    const displayValue = parameter?.displayValue ?? null;
    return parameter === undefined || displayValue === null ? [] : [{ qid, parameter, displayValue }];
  });
  return outliersOf(measured, ({ displayValue }) => displayValue, minScore).map(({ row, score }) => ({
    ...row,
    label: qidLabel(row.qid, chipSize),
    score,
  }));
}

const limitSentence = (score: number): string =>
  `Outliers are values more than ${score} deviations from the median.`;

function wordsOf(found: readonly Found[], where: string): string {
  if (found.length === 0) return `No outliers among ${where}.`;
  const words = found
    .slice(0, SHOWN_OUTLIERS)
    .map(
      ({ label, parameter, displayValue, score }) =>
        `${label} ${parameter.title} ${formatQuantity(displayValue, parameter.displayUnit)} (${Math.abs(score).toFixed(1)} deviations ${score < 0 ? 'below' : 'above'} the median)`,
    );
  const more = found.length > SHOWN_OUTLIERS ? ` and ${found.length - SHOWN_OUTLIERS} more` : '';
  return `${countOf(found.length, 'outlier')} among ${where}: ${words.join('; ')}${more}.`;
}

const tableOf = (title: string, found: readonly Found[]): TableSpec => ({
  type: 'table',
  title,
  columns: [
    textColumn('label', 'Qubit or coupling'),
    textColumn('parameter', 'Parameter'),
    mixedColumn('value', 'Value'),
    textColumn('unit', 'Unit'),
    numberColumn('score', 'Deviations from the median', ''),
    textColumn('rating', 'Rating'),
  ],
  rows: found.map(({ label, parameter, displayValue, score }) => ({
    label,
    parameter: parameter.title,
    value: displayValue,
    unit: parameter.displayUnit,
    score: Number(score.toFixed(2)),
    rating: ratingText(parameter.rating),
  })),
});
