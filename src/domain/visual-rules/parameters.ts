/** Several parameters at once, as tables (rule C5). */
import type { ParameterValue } from '../values/parameter-value.ts';
import type { ParameterStatistics } from '../values/statistics.ts';
import type { JsonObject, TableSpec } from '../visuals.ts';
import { numberColumn, ratingText, textColumn, timeColumn } from './table.ts';

/** One qubit's parameters, a row each, in display scale; units differ, so they stand in a column. */
export function parametersTable(title: string, parameters: readonly ParameterValue[]): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('parameter', 'Parameter'),
      numberColumn('value', 'Value', ''),
      numberColumn('error', 'Error', ''),
      textColumn('unit', 'Unit'),
      textColumn('rating', 'Rating'),
      timeColumn('calibratedAt', 'Calibrated (UTC)'),
    ],
    rows: parameters.map((parameter) => ({
      parameter: parameter.title,
      value: parameter.displayValue ?? parameter.text,
      error: parameter.displayError,
      unit: parameter.displayUnit,
      rating: ratingText(parameter.rating),
      calibratedAt: parameter.calibratedAt?.toISOString() ?? null,
    })),
  };
}

/** A parameter to compare by; `values` by qubit id, in display scale. */
export type ComparedParameter = {
  readonly name: string;
  readonly title: string;
  readonly displayUnit: string;
  readonly values: ReadonlyMap<string, number | null>;
};

/** A row a qubit, a column a parameter (rule C5). */
export function comparisonTable(
  title: string,
  qubits: readonly { readonly qid: string; readonly label: string }[],
  parameters: readonly ComparedParameter[],
): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('label', 'Qubit'),
      ...parameters.map(({ name, title: header, displayUnit }) => numberColumn(name, header, displayUnit)),
    ],
    rows: qubits.map(({ qid, label }): JsonObject => {
      const cells = parameters.map(({ name, values }) => [name, values.get(qid) ?? null] as const);
      return { label, ...Object.fromEntries(cells) };
    }),
  };
}

/** A chip's statistics, a row a parameter. */
export function statisticsTable(title: string, statistics: readonly ParameterStatistics[]): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('parameter', 'Parameter'),
      textColumn('unit', 'Unit'),
      ...['median', 'mean', 'stdev', 'min', 'max', 'count', 'missing'].map((key) =>
        numberColumn(key, key, ''),
      ),
    ],
    rows: statistics.map(({ title: parameter, displayUnit: unit, missing, display }) => ({
      parameter,
      unit,
      ...display,
      missing,
    })),
  };
}
