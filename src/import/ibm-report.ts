/** The report of an import: every record is counted as imported, or as left out and why. */
import { countOf, formatTime } from '../domain/text/display-text.ts';
import type { IbmImport } from './ibm-backend.ts';
import { remarkLines } from './remark-lines.ts';

/** Lines under a heading; the rest is counted. */
const LISTED_LINES = 30;
/** Places that a line names. */
const NAMED_PLACES = 5;

/** Lines about one snapshot. */
export function ibmReport(imported: IbmImport): readonly string[] {
  const { documents, values, layers, leftOut, impossiblePairs } = imported;
  const { chip, qubits, couplings } = documents;
  const snapshotAt = chip.system_info.updated_at;
  const taken = [...values.map(({ label }) => label), ...layers.map(() => 'lf')];
  const times = values.map(({ measuredAt }) => measuredAt).toSorted((a, b) => a.getTime() - b.getTime());
  const [oldest = snapshotAt, newest = snapshotAt] = [times.at(0), times.at(-1)];
  const remarks = (of: 'doubt' | 'unusable') =>
    values.flatMap((value) => (value[of] ? [`${value.parameter} of ${value.qid}: ${value[of]}`] : []));
  return [
    `${chip.chip_id}: snapshot of ${chip.source} from ${formatTime(snapshotAt)} into project ${chip.project_id}`,
    `  ${countOf(qubits.length, 'qubit')}, ${countOf(couplings.length, 'directed coupling')}`,
    `  ${countOf(taken.length + leftOut.length, 'record')}: ${taken.length} taken, ${leftOut.length} not taken`,
    `  measured between ${formatTime(oldest)} and ${formatTime(newest)}`,
    `  taken: ${kindsOf(taken)}`,
    ...groupLines('not taken', leftOut.map(leftOutRemark)),
    ...groupLines(
      'disabled by the vendor (a gate error of 1 or more, or not operational)',
      values.flatMap(markRemark),
    ),
    ...remarkLines('pairs of the coupling map that name missing qubits', impossiblePairs),
    ...remarkLines('kept, but implausible', remarks('doubt')),
    ...remarkLines('kept, but excluded from all statistics', remarks('unusable')),
  ];
}

/** `133 T1, 133 T2, …`, in the order in which the kinds first occur. */
const kindsOf = (labels: readonly string[]): string =>
  [...Map.groupBy(labels, (label) => label)].map(([label, { length }]) => `${length} ${label}`).join(', ') ||
  'nothing';

/** Why a record was left out, and where in the file it is; null where that does not matter. */
type Remark = { readonly text: string; readonly where: string | null };

const leftOutRemark = ({ record, where, reason, isFault }: IbmImport['leftOut'][number]): Remark => ({
  text: `${record}: ${reason}`,
  where: isFault ? where : null,
});

const markRemark = ({ mark, qid, origin }: IbmImport['values'][number]): readonly Remark[] =>
  mark === null ? [] : [{ text: origin.gate ?? 'qubit', where: qid }];

/** A heading with the count of remarks, and a line for those that say the same. */
function groupLines(title: string, remarks: readonly Remark[]): readonly string[] {
  if (remarks.length === 0) return [];
  const groups = [...Map.groupBy(remarks, ({ text }) => text)].map(([text, same]) => {
    const places = same.flatMap(({ where }) => where ?? []);
    const named = `${places.slice(0, NAMED_PLACES).join(', ')}${places.length > NAMED_PLACES ? ', …' : ''}`;
    return `${same.length} × ${text}${places.length > 0 ? ` (${named})` : ''}`;
  });
  const [, ...lines] = remarkLines('', groups, LISTED_LINES);
  return [`  ${title}: ${remarks.length}`, ...lines];
}
