import { redactSecrets } from '../../base/redaction/redact.ts';
import { compareCurrent } from './current.ts';
import { isRecord, readDate, readJson, readNumber, readRecord, readText } from './stored-values.ts';
import { canonicalUnit } from './units.ts';

/** A parameter as a database holds it: `value` and `error` in `unit`. At most one of `value` and `text` is there. */
export type StoredParameter = {
  readonly name: string;
  readonly value: number | null;
  /** What is stored, where it is not a number: a word, `true`, a list as JSON. */
  readonly text: string | null;
  readonly unit: string;
  /** Null where none is stored; databases write 0 for that. */
  readonly error: number | null;
  readonly calibratedAt: Date | null;
  readonly executionId: string | null;
  readonly taskId: string | null;
};

/** One stored parameter: an object with value and unit, or, in old rows and manual imports, the bare value. */
export function readStoredParameter(name: string, raw: unknown): StoredParameter {
  const fields = isRecord(raw) ? raw : { value: raw };
  const value = readNumber(fields['value']);
  return {
    name,
    value,
    text: value === null ? textOf(fields['value']) : null,
    unit: canonicalUnit(readText(fields['unit']) ?? ''),
    error: readNumber(fields['error']) || null,
    calibratedAt: readDate(fields['calibrated_at']),
    executionId: readText(fields['execution_id']),
    taskId: readText(fields['task_id']),
  };
}

/** All parameters of a stored map, in its order. */
export function readStoredParameters(raw: unknown): readonly StoredParameter[] {
  return Object.entries(readRecord(raw)).map(([name, value]) => readStoredParameter(name, value));
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'number') return null;
  const json = readJson(value);
  if (json === null) return null;
  return redactSecrets(typeof json === 'string' ? json : JSON.stringify(json)) || null;
}

/** One stored row of a qubit's or coupling's current values. A database may hold one for each user that wrote. */
export type CurrentValuesRow = {
  readonly documentId: string;
  readonly chipId: string;
  readonly qid: string;
  readonly parameters: readonly StoredParameter[];
};

/**
 * One set of current values from the rows of one qubit: for each parameter the current one. Rows of other users are not
 * other qubits, so nothing is counted twice.
 */
export function mergeCurrentValues(rows: readonly CurrentValuesRow[]): readonly StoredParameter[] {
  const current = new Map<string, Stored>();
  for (const { documentId, parameters } of rows) {
    for (const parameter of parameters) {
      const held = current.get(parameter.name);
      const stored = { parameter, documentId };
      if (!held || compareCurrent(candidateOf(stored), candidateOf(held)) < 0) {
        current.set(parameter.name, stored);
      }
    }
  }
  return [...current.values()]
    .map(({ parameter }) => parameter)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

type Stored = { readonly parameter: StoredParameter; readonly documentId: string };

const candidateOf = ({ parameter: { value, text, calibratedAt }, documentId }: Stored) => ({
  counts: value !== null || text !== null,
  at: calibratedAt,
  id: documentId,
});
