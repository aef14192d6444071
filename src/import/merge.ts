/**
 * How a document that is already stored and one that is being imported become one. Every rule is commutative and
 * idempotent, so importing in any order, or twice, leaves the same database.
 */
import { compareCurrent } from '../domain/values/current.ts';
import {
  IMPORT_USERNAME,
  NO_NOTE,
  type ChipDocument,
  type EntityDocument,
  type ParameterDocument,
  type ParameterMap,
  type TaskResultDocument,
} from './documents.ts';

/** The current one of two; of one measurement reported twice, that of the earlier execution. */
export function newerParameter(a: ParameterDocument | undefined, b: ParameterDocument): ParameterDocument {
  if (a === undefined) return b;
  const order = compareCurrent(candidateOf(a), candidateOf(b)) || compareText(a.execution_id, b.execution_id);
  return order <= 0 ? a : b;
}

/** Whether a value takes the place of another that is current, by {@link newerParameter}'s rule. */
export const isNewer = (a: Measured, b: Measured): boolean =>
  compareCurrent({ counts: true, ...a }, { counts: true, ...b }) < 0;
type Measured = { readonly at: Date; readonly id: string };

const candidateOf = ({ calibrated_at: at, task_id: id }: ParameterDocument) => ({ counts: true, at, id });

/** Current values of both, per parameter the newer. */
export function mergeEntity(stored: EntityDocument, imported: EntityDocument): EntityDocument {
  const data: Record<string, ParameterDocument> = { ...stored.data };
  for (const [name, parameter] of Object.entries(imported.data)) {
    data[name] = newerParameter(data[name], parameter);
  }
  return {
    ...stored,
    data: inNameOrder(data),
    status: Object.keys(data).length > 0 ? 'completed' : stored.status,
    system_info: span(stored, imported),
  };
}

/** The chip of the newer source, with the layout that places more qubits: numbers of named qubits must stay. */
export function mergeChip(stored: ChipDocument, imported: ChipDocument): ChipDocument {
  const isOlder = stored.system_info.updated_at > imported.system_info.updated_at;
  const [newer, older] = isOlder ? [stored, imported] : [imported, stored];
  const layout = placesIn(older) > placesIn(newer) ? older.layout : newer.layout;
  const size = Math.max(newer.size, Object.keys(layout ?? {}).length);
  return { ...newer, size, layout, note: stored.note, system_info: span(stored, imported) };
}

const placesIn = ({ layout }: ChipDocument): number => Object.keys(layout ?? {}).length;

/**
 * A measurement of two executions belongs to the earlier. Notes and exclusions of people stay; those that earlier
 * versions of the importer wrote give way to what it writes now.
 */
export function mergeTaskResult(
  stored: TaskResultDocument,
  imported: TaskResultDocument,
): TaskResultDocument {
  const isOfEarlierVersion = (stored as Partial<TaskResultDocument>).import_doubt === undefined;
  const isStoredEarlier = compareText(stored.execution_id, imported.execution_id) <= 0;
  const kept = isStoredEarlier && !isOfEarlierVersion ? stored : imported;
  const { excluded, excluded_reason, excluded_by, excluded_at } =
    stored.excluded && stored.excluded_by !== IMPORT_USERNAME ? stored : kept;
  const user_note = stored.user_note.updated_by === IMPORT_USERNAME ? NO_NOTE : stored.user_note;
  return { ...kept, user_note, excluded, excluded_reason, excluded_by, excluded_at };
}

/** The same execution or machine note imported again is the stored one. */
export const keepStored = <D>(stored: D, _imported: D): D => stored;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same parameters in the order of their names, so that a document's bytes do not depend on its history. */
export const inNameOrder = (data: ParameterMap): ParameterMap =>
  Object.fromEntries(Object.entries(data).sort(([a], [b]) => compareText(a, b)));

type Dated = { readonly system_info: { readonly created_at: Date; readonly updated_at: Date } };
const span = (a: Dated, b: Dated) => ({
  created_at: new Date(Math.min(a.system_info.created_at.getTime(), b.system_info.created_at.getTime())),
  updated_at: new Date(Math.max(a.system_info.updated_at.getTime(), b.system_info.updated_at.getTime())),
});
