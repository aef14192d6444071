/** Reads the record of the demo chip from its documents. */
import type { Db, Document } from 'mongodb';
import type { ChipRecord, Reading } from './chip-record.ts';
import { shownValue } from './parameters.ts';

type Output = { readonly value: unknown; readonly calibrated_at: Date };

/** Reads one chip of a database that QPilot's demo was written into. */
export async function readDemoRecord(db: Db, chipId: string): Promise<ChipRecord> {
  const all = (collection: string) => db.collection(collection).find({ chip_id: chipId }).toArray();
  const [chip, qubits, couplings, runs, executions, versions] = await Promise.all([
    db.collection('chip').findOne({ chip_id: chipId }),
    all('qubit'),
    all('coupling'),
    all('task_result_history'),
    all('execution_history'),
    all('parameter_versions'),
  ]);
  const qids = qubits.map(({ qid }) => String(qid)).toSorted((a, b) => Number(a) - Number(b));
  const ids = couplings.map(({ qid }) => String(qid));
  return {
    chipId,
    qids,
    readings: runs.flatMap(readingsOf),
    runs: runs.map((run) => ({
      task: String(run['name']),
      qid: String(run['qid']),
      status: String(run['status']),
      excludedReason: run['excluded'] === true ? String(run['excluded_reason']) : null,
      message: String(run['message']),
      at: run['end_at'] as Date,
    })),
    executions: executions.map((execution) => ({
      executionId: String(execution['execution_id']),
      status: String(execution['status']),
      message: String(execution['message']),
      at: execution['start_at'] as Date,
    })),
    remarks: [...remarkIn(chip, null), ...qubits.flatMap((qubit) => remarkIn(qubit, String(qubit['qid'])))],
    versions: versions.map((version) => ({
      parameter: String(version['parameter_name']),
      qid: String(version['qid']),
      version: Number(version['version']),
      executionId: String(version['execution_id']),
    })),
    neighbours: new Map(qids.map((qid) => [qid, neighboursIn(ids, qid)])),
  };
}

function readingsOf(run: Document): readonly Reading[] {
  if (run['status'] !== 'completed' || run['excluded'] === true) return [];
  return Object.entries(run['output_parameters'] as Record<string, Output>).flatMap(
    ([parameter, { value, calibrated_at: at }]) =>
      typeof value === 'number' && Number.isFinite(value)
        ? [{ qid: String(run['qid']), parameter, value: shownValue(parameter, value), at }]
        : [],
  );
}

const remarkIn = (document: Document | null, about: string | null) => {
  const text: unknown = (document?.['note'] as { content?: unknown } | undefined)?.content;
  return typeof text === 'string' && text !== '' ? [{ about, text }] : [];
};

const neighboursIn = (couplings: readonly string[], qid: string): readonly string[] =>
  [
    ...new Set(
      couplings.flatMap((id) => {
        const [a = '', b = ''] = id.split('-');
        return a === qid ? [b] : b === qid ? [a] : [];
      }),
    ),
  ].toSorted((a, b) => Number(a) - Number(b));
