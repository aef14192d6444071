/** What was understood of a table that does not say everything itself, for a person to agree to. */
import { qidLabel } from '../../domain/qid.ts';
import { countOf, formatTime } from '../../domain/text/display-text.ts';
import type { CsvValue, RowValues } from './row-values.ts';
import type { TablePlan } from './table-shape.ts';

/** A table with the way it was read. */
export type Table = RowValues & {
  readonly title: string;
  readonly rowCount: number;
  readonly plan: TablePlan;
};

/** Values that are shown, from the first on. */
const SHOWN_VALUES = 3;
/** Places that are listed; the rest is counted. */
const LISTED_PLACES = 12;

/** Lines for people; `values` as they will be stored, at least one. */
export function previewOf(
  fileName: string,
  { title, rowCount, empty, plan }: Table,
  values: readonly CsvValue[],
  badRows: number,
  legend: string | null,
): readonly string[] {
  const qids = [...new Set(values.map(({ qid }) => qid))];
  const names = qids.slice(0, LISTED_PLACES).map((qid) => qidLabel(qid, qids.length));
  const more = qids.length > names.length ? `, … ${qids.length - names.length} more` : '';
  const times = values.map(({ measuredAt }) => measuredAt.getTime());
  const oldest = times.reduce((a, b) => Math.min(a, b));
  const newest = times.reduce((a, b) => Math.max(a, b));
  const span =
    oldest === newest
      ? formatTime(new Date(oldest))
      : `${formatTime(new Date(oldest))} to ${formatTime(new Date(newest))}, ${orderOf(times)}`;
  const shown = values
    .slice(0, SHOWN_VALUES)
    .map(
      ({ qid, parameter, value, unit, written, measuredAt }) =>
        `    ${formatTime(measuredAt)} ${qidLabel(qid, qids.length)} ${parameter} ${value}${unit === 'a.u.' ? '' : ` ${unit}`} (written: ${written.value})`,
    );
  return [
    `${fileName}, as understood:`,
    ...(title === '' ? [] : [`  title: ${title}`]),
    ...plan.understood.map((line) => `  ${line}`),
    `  of: ${countOf(qids.length, 'place')}: ${names.join(', ')}${more}`,
    ...(legend === null ? [] : [`  numbers of the qubits: ${legend}`]),
    `  rows: ${rowCount}; values: ${values.length}; cells without a value: ${empty}; unusable: ${badRows}`,
    `  times: ${span}`,
    ...(plan.notTaken.length === 0 ? [] : [`  columns left out: ${plan.notTaken.join(', ')}`]),
    '  first values as they will be stored:',
    ...shown,
  ];
}

/** Order of rows that are not all of one time. */
function orderOf(times: readonly number[]): string {
  const ascends = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? time));
  const descends = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time));
  return ascends ? 'oldest first' : descends ? 'newest first' : 'in no order of time';
}
