/** `compare_qubits`: current values of several qubits side by side. */
import { z } from 'zod';
import type { Qubit } from '../../domain/chip/chip.ts';
import { formatNumber, formatQuantity } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { comparisonTable } from '../../domain/visual-rules/value-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { currentValues } from '../live/current-values.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';

/** All of a chip, and more. */
const MAX_QUBITS = 512;
/** Qubits that a title names. */
const NAMED_QUBITS = 8;
/** Qubits in a line of the summary. */
const QUBITS_IN_LINE = 100;
/** Parameters that the summary spells out. */
const SHOWN_PARAMETERS = 8;

export const compareQubits = defineTool({
  name: 'compare_qubits',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Comparing qubits',
  title: { en: 'Compare qubits', ja: '量子ビットの比較' },
  example: { qids: ['12', '13'], param_names: ['t1', 'qubit_frequency'] },
  description: `Current values of up to ${MAX_QUBITS} qubits side by side, one row a qubit.`,
  args: z.object({
    chip_id: chipIdArg,
    qids: z.array(z.string()).min(1).max(MAX_QUBITS),
    param_names: z.array(z.string()).nullable().describe('null for all'),
  }),
  describe: ({ chip_id, qids, param_names }) =>
    `${param_names?.length ? param_names.join(', ') : 'current values'} of ${namesOf(qids)} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, qids, param_names }, context) => {
    const chip = await chipOf(context, chip_id);
    const qubits = await context.services.qubits.getMany(chip, qids);
    const loaded = await Promise.all(qubits.map((qubit) => context.loaders.qubitParameters.load(qubit)));
    const names = param_names?.length ? param_names : null;
    const rows = qubits.map((qubit, index): Row => {
      const values = loaded[index] ?? [];
      return { qubit, values: new Map(values.map((value) => [value.name, value])) };
    });
    const parameters = parametersOf(rows, names);
    if (names !== null && parameters.length === 0) throw unknownParameters(names, rows);
    const values = rows.flatMap((row) => parameters.flatMap(({ name }) => row.values.get(name) ?? []));
    const metrics = parameters.map(({ name }) => context.services.metrics.find(name, 'QUBIT'));
    const freshness = freshnessOf(
      'SNAPSHOT',
      values.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds(metrics),
    );
    const title = `${namesOf(qubits.map(({ label }) => label))} on ${chip.chipId}`;
    return {
      data: {
        chip_id: chip.chipId,
        parameters: parameters.map((each) => fieldsOf(each, 'name', 'title', 'unit', 'scale', 'displayUnit')),
        qubits: rows.map(({ qubit, values: own }) => ({
          ...fieldsOf(qubit, 'qid', 'label'),
          ...Object.fromEntries(
            parameters.map(({ name }) => [name, own.get(name)?.value ?? own.get(name)?.text ?? null]),
          ),
        })),
      },
      shortData: {
        chip_id: chip.chipId,
        values: parameters.map(({ name, displayUnit: unit }) => ({
          name,
          unit,
          ...Object.fromEntries(rows.map((row) => [row.qubit.label, shortValue(row.values.get(name))])),
        })),
      },
      formattedSummary:
        parameters.length === 0
          ? `${title}: no calibrated values.`
          : [
              ...parameters.slice(0, SHOWN_PARAMETERS).flatMap((parameter) => sentencesOf(parameter, rows)),
              storedSentence(freshness),
            ].join('\n'),
      preview: `${qubits.length} qubits, ${parameters.length} parameters`,
      freshness,
      current: {
        chip,
        scope: 'QUBIT',
        values: rows.flatMap((row) => currentValues(row.qubit, [...row.values.values()], names)),
      },
      source: 'SNAPSHOT',
      visuals: [parameters.length === 0 ? noDataNote(title, title) : tableOf(title, rows, parameters)],
    };
  },
});

const namesOf = (qubits: readonly string[]): string =>
  qubits.length > NAMED_QUBITS ? `${qubits.length} qubits` : qubits.join(', ');

type Row = { readonly qubit: Qubit; readonly values: ReadonlyMap<string, ParameterValue> };

/** One value of each parameter that any of the qubits has, in the order asked for or of the first qubit. */
function parametersOf(rows: readonly Row[], names: readonly string[] | null): readonly ParameterValue[] {
  const found = new Map<string, ParameterValue>();
  for (const { values } of rows) {
    for (const [name, value] of values) if (!found.has(name)) found.set(name, value);
  }
  return names === null ? [...found.values()] : names.flatMap((name) => found.get(name) ?? []);
}

function unknownParameters(names: readonly string[], rows: readonly Row[]): InvalidInputError {
  const known = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))].sort();
  return new InvalidInputError([
    {
      path: ['param_names'],
      message: `none of these qubits has ${names.join(', ')}; they have ${known.join(', ')}`,
    },
  ]);
}

/** In display scale. */
const shortValue = (value: ParameterValue | undefined): number | string | null =>
  value === undefined
    ? null
    : value.displayValue === null
      ? value.text
      : Number(formatNumber(value.displayValue, value.displayUnit));

function sentencesOf({ name, title, displayUnit }: ParameterValue, rows: readonly Row[]): readonly string[] {
  const values = rows.map(
    ({ qubit, values: own }) => `${qubit.label} ${wordsOf(own.get(name), displayUnit)}`,
  );
  const lines = Math.ceil(values.length / QUBITS_IN_LINE);
  return Array.from({ length: lines }, (_, line) => {
    const shown = values.slice(line * QUBITS_IN_LINE, (line + 1) * QUBITS_IN_LINE);
    return `${title}: ${shown.join(', ')}.`;
  });
}

const wordsOf = (value: ParameterValue | undefined, unit: string): string =>
  value?.state === 'DISABLED' ? 'disabled' : formatQuantity(value?.displayValue ?? null, unit);

const tableOf = (title: string, rows: readonly Row[], parameters: readonly ParameterValue[]) =>
  comparisonTable(
    title,
    rows.map(({ qubit }) => qubit),
    parameters.map(({ name, title: header, displayUnit }) => ({
      name,
      title: header,
      displayUnit,
      values: new Map(rows.map(({ qubit, values }) => [qubit.qid, values.get(name)?.displayValue ?? null])),
    })),
  );
