/** What was understood of a table that does not say everything itself, for a person to agree to. */
import { qidLabel } from '../../domain/qid.ts';
import { countOf, formatTime } from '../../domain/text/display-text.ts';
import type { TableSurvey } from './table-survey.ts';
import type { TablePlan } from './table-shape.ts';

/** A table with the way it was read. */
export type Table = {
  readonly title: string;
  readonly rowCount: number;
  readonly plan: TablePlan;
};

/** Places that are listed; the rest is counted. */
const LISTED_PLACES = 12;

/** Lines for people; `survey` is of the values as they will be stored, at least one. */
export function previewOf(
  fileName: string,
  { title, rowCount, plan }: Table,
  survey: TableSurvey,
  legend: string | null,
): readonly string[] {
  const qids = [...survey.qids];
  const names = qids.slice(0, LISTED_PLACES).map((qid) => qidLabel(qid, qids.length));
  const more = qids.length > names.length ? `, … ${qids.length - names.length} more` : '';
  const { oldest, newest } = survey;
  const span =
    oldest === newest
      ? formatTime(new Date(oldest))
      : `${formatTime(new Date(oldest))} to ${formatTime(new Date(newest))}, ${orderOf(survey)}`;
  const shown = survey.first.map(
    ({ qid, parameter, value, unit, written, measuredAt }) =>
      `    ${formatTime(measuredAt)} ${qidLabel(qid, qids.length)} ${parameter} ${value}${unit === 'a.u.' ? '' : ` ${unit}`} (written: ${written.value})`,
  );
  return [
    `${fileName}, as understood:`,
    ...(title === '' ? [] : [`  title: ${title}`]),
    ...plan.understood.map((line) => `  ${line}`),
    `  of: ${countOf(qids.length, 'place')}: ${names.join(', ')}${more}`,
    ...(legend === null ? [] : [`  numbers of the qubits: ${legend}`]),
    `  rows: ${rowCount}; values: ${survey.count}; cells without a value: ${survey.empty}; unusable: ${survey.issues}`,
    `  times: ${span}`,
    ...(plan.notTaken.length === 0 ? [] : [`  columns left out: ${plan.notTaken.join(', ')}`]),
    '  first values as they will be stored:',
    ...shown,
  ];
}

/** Order of rows that are not all of one time. */
const orderOf = ({ ascends, descends }: TableSurvey): string =>
  ascends ? 'oldest first' : descends ? 'newest first' : 'in no order of time';
