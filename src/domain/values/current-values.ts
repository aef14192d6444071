import type { StoredParameter } from './stored-parameter.ts';

/** One stored row of a qubit's or coupling's current values. A database may hold one for each user that wrote. */
export type CurrentValuesRow = {
  readonly documentId: string;
  readonly chipId: string;
  readonly qid: string;
  readonly parameters: readonly StoredParameter[];
};

/**
 * One set of current values from the rows of one qubit: for each parameter the newest usable value. Rows of other users are not
 * other qubits, so nothing is counted twice; without a time a row loses, and of equals the greater document id wins.
 */
export function mergeCurrentValues(rows: readonly CurrentValuesRow[]): readonly StoredParameter[] {
  const newest = new Map<string, { readonly parameter: StoredParameter; readonly documentId: string }>();
  for (const { documentId, parameters } of rows) {
    for (const parameter of parameters) {
      const held = newest.get(parameter.name);
      if (!held || isBetter({ parameter, documentId }, held))
        newest.set(parameter.name, { parameter, documentId });
    }
  }
  return [...newest.values()]
    .map(({ parameter }) => parameter)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

type Candidate = { readonly parameter: StoredParameter; readonly documentId: string };

function isBetter(a: Candidate, b: Candidate): boolean {
  const [usableA, usableB] = [isUsable(a.parameter), isUsable(b.parameter)];
  if (usableA !== usableB) return usableA;
  const [timeA, timeB] = [timeOf(a.parameter), timeOf(b.parameter)];
  return timeA === timeB ? a.documentId > b.documentId : timeA > timeB;
}

const isUsable = ({ value, text }: StoredParameter): boolean => value !== null || text !== null;
const timeOf = ({ calibratedAt }: StoredParameter): number =>
  calibratedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
