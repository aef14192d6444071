/**
 * Tables of values: several parameters at once (C5 of docs/chart-rules.md), histories, and stored beside live values.
 */
import type { ChipTimeseries } from '../chip/chip-timeseries.ts';
import type { Verification } from '../live/verification.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { ParameterStatistics } from '../values/statistics.ts';
import type { TableSpec } from '../visuals.ts';
import { mixedColumn, numberColumn, ratingText, tableOf, textColumn, timeColumn } from './table.ts';

/** One qubit's parameters, a row each, in display scale; units differ, so they have a column of their own. */
export const parametersTable = (title: string, parameters: readonly ParameterValue[]): TableSpec =>
  tableOf(title, parameters, [
    [textColumn('parameter', 'Parameter'), (parameter) => parameter.title],
    [mixedColumn('value', 'Value'), (each) => shownValue(each)],
    [mixedColumn('error', 'Error'), ({ displayError }) => displayError],
    [textColumn('unit', 'Unit'), ({ displayUnit }) => displayUnit],
    [textColumn('rating', 'Rating'), ({ rating }) => ratingText(rating)],
    [timeColumn('calibratedAt', 'Calibrated (UTC)'), ({ calibratedAt }) => calibratedAt],
  ]);

/** A number, what is stored instead of one, or that there is none because the part is disabled. */
const shownValue = ({ displayValue, text, state }: ParameterValue) =>
  displayValue ?? text ?? (state === 'DISABLED' ? 'disabled' : null);

/** A parameter to compare by; `values` by qubit id, in display scale. */
export type ComparedParameter = {
  readonly name: string;
  readonly title: string;
  readonly displayUnit: string;
  readonly values: ReadonlyMap<string, number | null>;
};

/** A row a qubit, a column a parameter. */
export function comparisonTable(
  title: string,
  qubits: readonly { readonly qid: string; readonly label: string }[],
  parameters: readonly ComparedParameter[],
): TableSpec {
  return tableOf(title, qubits, [
    [textColumn('label', 'Qubit'), ({ label }) => label],
    ...parameters.map(
      ({ name, title: header, displayUnit, values }) =>
        [
          numberColumn(name, header, displayUnit),
          ({ qid }: { readonly qid: string }) => values.get(qid) ?? null,
        ] as const,
    ),
  ]);
}

const FIGURES = ['median', 'mean', 'stdev', 'min', 'max', 'count'] as const;

/** A chip's statistics, a row a parameter. */
export const statisticsTable = (title: string, statistics: readonly ParameterStatistics[]): TableSpec =>
  tableOf(title, statistics, [
    [textColumn('parameter', 'Parameter'), (each) => each.title],
    [textColumn('unit', 'Unit'), ({ displayUnit }) => displayUnit],
    ...FIGURES.map(
      (key) =>
        [
          key === 'count' ? numberColumn(key, key, '') : mixedColumn(key, key),
          ({ display }: ParameterStatistics) => display[key],
        ] as const,
    ),
    [numberColumn('missing', 'missing', ''), ({ missing }) => missing],
  ]);

/** The history of one parameter in figures, a row a qubit or coupling, in display scale. */
export function seriesTable(title: string, { kind, displayUnit: unit, series }: ChipTimeseries): TableSpec {
  const figure = (key: 'latest' | 'min' | 'mean' | 'max', label: string) =>
    [
      numberColumn(key, label, unit),
      (each: (typeof series)[number]) => (each[key] === null ? null : each[key] * each.scale),
    ] as const;
  return tableOf(title, series, [
    [textColumn('label', kind === 'QUBIT' ? 'Qubit' : 'Coupling'), ({ label }) => label],
    figure('latest', 'Newest'),
    figure('min', 'Minimum'),
    figure('mean', 'Mean'),
    figure('max', 'Maximum'),
    [numberColumn('count', 'Results', ''), ({ points }) => points.length],
    [textColumn('trend', 'Trend'), ({ trend }) => trend?.toLowerCase() ?? null],
    [timeColumn('newestAt', 'Measured (UTC)'), ({ points }) => points.at(-1)?.at ?? null],
  ]);
}

/** Stored beside live values, a row each, in display scale. */
export const verificationTable = (title: string, rows: readonly Verification[]): TableSpec =>
  tableOf(title, rows, [
    [textColumn('label', 'Qubit or coupling'), ({ label }) => label],
    [textColumn('parameter', 'Parameter'), (row) => row.title],
    [textColumn('unit', 'Unit'), ({ displayUnit }) => displayUnit],
    [mixedColumn('stored', 'Stored'), ({ stored }) => stored?.value ?? null],
    [mixedColumn('storedError', 'Stored error'), ({ stored }) => stored?.error ?? null],
    [timeColumn('storedAt', 'Stored as of (UTC)'), ({ stored }) => stored?.at ?? null],
    [mixedColumn('live', 'Live'), ({ live }) => live?.value ?? null],
    [mixedColumn('liveError', 'Live error'), ({ live }) => live?.error ?? null],
    [timeColumn('liveAt', 'Live as of (UTC)'), ({ live }) => live?.at ?? null],
    [mixedColumn('difference', 'Live − stored'), ({ difference }) => difference],
    [
      numberColumn('sigma', 'Difference in standard deviations', ''),
      ({ sigma }) => (sigma === null ? null : Number(sigma.toFixed(2))),
    ],
    [textColumn('verdict', 'Verdict'), ({ verdict }) => verdict],
    [textColumn('reason', 'Why'), ({ reason }) => reason],
  ]);
