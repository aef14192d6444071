import type { Db, Document } from 'mongodb';
import { byQid, SHOWN_TIMES, type LabRecord, type Reading } from './lab-record.ts';

/**
 * The chip `chipId` of project `projectId` of a QDash database, read from its documents. `now` is when it is asked
 * about.
 */
export async function readQdashRecord(
  db: Db,
  { projectId, chipId, now }: { readonly projectId: string; readonly chipId: string; readonly now: Date },
): Promise<LabRecord> {
  const rows = (collection: string): Promise<Document[]> =>
    db.collection(collection).find({ project_id: projectId, chip_id: chipId }).toArray();
  const [chips, qubits, couplings, results, executions, versions] = await Promise.all(
    ['chip', 'qubit', 'coupling', 'task_result_history', 'execution_history', 'parameter_versions'].map(rows),
  );
  const [chipNotes, targetNotes, metricNotes] = await Promise.all(
    ['chip_note', 'target_note', 'metric_note'].map(rows),
  );
  const qids = [...new Set(qubits!.map(({ qid }) => qid as string))].toSorted(byQid);
  return {
    chipId,
    projectId,
    now,
    subject: '1',
    qids,
    readings: [...results!.flatMap(readingsOfRun), ...couplings!.flatMap(readingsOfCoupling)],
    runs: results!.map((run) => ({
      taskId: run['task_id'],
      task: run['name'],
      qid: run['qid'],
      status: run['status'],
      excluded: run['excluded'] === true,
      endAt: run['end_at'],
      t1: numberIn(run['output_parameters']['t1']),
    })),
    executionStatuses: executions!.map(({ status }) => status as string),
    remarks: remarksIn([
      ...chips!.map(({ note }) => [note, null] as const),
      ...chipNotes!.map(({ note }) => [note, null] as const),
      ...[...qubits!, ...couplings!].map(({ note, qid }) => [note, qid] as const),
      ...qubits!.flatMap(({ metric_notes, qid }) =>
        Object.values(metric_notes ?? {}).map((note) => [note as Document, qid] as const),
      ),
      ...results!.map(({ user_note, qid }) => [user_note, qid] as const),
      ...[...targetNotes!, ...metricNotes!].map(({ note, target_id }) => [note, target_id] as const),
    ]),
    versions: versions!.map(({ qid, version, value, valid_until }) => ({
      qid,
      version,
      value,
      isCurrent: valid_until === null,
    })),
    neighbours: Object.fromEntries(
      qids.map((qid) => [qid, neighboursOnSquareLattice(qid, 16).filter((near) => qids.includes(near))]),
    ),
    parameters: [
      ...new Set([...qubits!, ...couplings!].flatMap(({ data }) => Object.keys(data as object))),
    ].toSorted(),
  };
}

/** Old rows hold the bare number where new ones hold an object. */
function numberIn(stored: unknown): number | null {
  const value = typeof stored === 'object' && stored !== null ? (stored as Document)['value'] : stored;
  return typeof value === 'number' ? value : null;
}

function readingsOf(data: Document, qid: string, atOf: (stored: Document) => Date): readonly Reading[] {
  return Object.entries(data).flatMap(([parameter, stored]) => {
    const value = numberIn(stored);
    if (value === null) return [];
    return [{ qid, parameter, value: value * (SHOWN_TIMES[parameter] ?? 1), at: atOf(stored as Document) }];
  });
}

const readingsOfRun = ({ status, excluded, output_parameters, qid, end_at }: Document): readonly Reading[] =>
  status === 'completed' && excluded !== true
    ? readingsOf(output_parameters as Document, qid as string, () => end_at as Date)
    : [];

const readingsOfCoupling = ({ data, qid }: Document): readonly Reading[] =>
  readingsOf(data as Document, qid as string, ({ calibrated_at }) => calibrated_at as Date);

/** What each remark is about; rows of two users that say the same of the same count once. */
function remarksIn(
  found: readonly (readonly [note: Document | undefined, about: string | null])[],
): readonly (string | null)[] {
  const remarks = found.filter(([note]) => note?.['content']);
  const distinct = new Map(remarks.map(([note, about]) => [`${note?.['content']} ${about}`, about]));
  return [...distinct.values()];
}

/** Units of four qubits, numbered like the qubits in them: left to right, then down. */
function neighboursOnSquareLattice(qid: string, size: number): readonly string[] {
  const units = Math.sqrt(size) / 2;
  const place = (index: number): readonly [row: number, column: number] => {
    const unit = Math.floor(index / 4);
    return [
      2 * Math.floor(unit / units) + Math.floor((index % 4) / 2),
      2 * (unit % units) + ((index % 4) % 2),
    ];
  };
  const [row, column] = place(Number(qid));
  return Array.from({ length: size }, (_, index) => index)
    .filter((index) => {
      const [otherRow, otherColumn] = place(index);
      return Math.abs(row - otherRow) + Math.abs(column - otherColumn) === 1;
    })
    .map(String);
}
