import type { ChipChange, ChipComparison } from '../chip/chip-comparison.ts';
import { formatTime } from '../text/display-text.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { TableSpec } from '../visuals.ts';
import { noDataNote, mixedColumn, numberColumn, tableOf, textColumn } from './table.ts';

/** Rows of a table of changes. */
const MAX_ROWS = 500;

/** `2024-05-27 12:00 UTC to 2025-02-26 00:00 UTC`. */
export const spanWords = ({ from, to }: Pick<ChipComparison, 'from' | 'to'>): string =>
  `${formatTime(from)} to ${formatTime(to)}`;

/** Every change of a comparison, a row each. The units differ from row to row and have a column of their own. */
export function changesTable(chipId: string, comparison: ChipComparison): TableSpec {
  const { changes } = comparison;
  const title = `Changes of ${chipId}, ${spanWords(comparison)}`;
  if (changes.length === 0) return noDataNote(title, title);
  const shown = changes.slice(0, MAX_ROWS);
  const cut = shown.length < changes.length ? ` (${shown.length} of ${changes.length})` : '';
  return tableOf(`${title}${cut}`, shown, [
    [textColumn('part', 'Part'), ({ label }) => label],
    [textColumn('parameter', 'Parameter'), ({ title: name }) => name],
    [textColumn('change', 'Change'), ({ kind }) => kind.toLowerCase()],
    [mixedColumn('before', 'Before'), ({ before }) => before?.displayValue ?? null],
    [mixedColumn('after', 'After'), ({ after }) => after?.displayValue ?? null],
    [textColumn('unit', 'Unit'), ({ unit }) => unit],
    [mixedColumn('difference', 'Difference'), ({ difference }) => difference],
    [numberColumn('sigma', 'Difference', 'σ'), ({ sigma }) => sigma],
    [textColumn('verdict', 'Verdict'), verdictOf],
    [textColumn('measured_before', 'Measured before'), ({ before }) => timeOf(before)],
    [textColumn('measured_after', 'Measured after'), ({ after }) => timeOf(after)],
  ]);
}

const verdictOf = ({ better }: ChipChange): string | null =>
  better === null ? null : better ? 'better' : 'worse';

const timeOf = (value: ParameterValue | null): string | null =>
  value?.calibratedAt ? formatTime(value.calibratedAt) : null;
