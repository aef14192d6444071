import { type RawBuilder, sql } from 'kysely';
import { v7, validate } from 'uuid';
import type { Viewer } from '../../domain/conversation/session.ts';

/** A new id. Later ids sort after earlier ones, so new rows land at the end of an index. */
export const newId = (): string => v7();

/**
 * Condition: `column` is one of `ids`; false for an empty list. Strings that are not ids are skipped, because
 * Postgres would reject the whole statement for one of them.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const real = ids.filter((id) => validate(id));
  return sql<boolean>`${sql.ref(column)} = any(${real}::uuid[])`;
}

/** Condition: the row belongs to the viewer. `table` qualifies the columns in a join. */
export function isOwnedBy({ id, projectId }: Viewer, table?: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  return sql<boolean>`${column('project_id')} = ${projectId} and ${column('viewer_id')} = ${id}`;
}

/**
 * Condition: the viewer may read the row. It is theirs, or of a session that is shared with the project, or by a link that
 * the viewer opened. `table`: which has the owner and the project; `session`: the column with the id of the session.
 */
export function isReadableBy(viewer: Viewer, table: string, session: string): RawBuilder<boolean> {
  const projectId = sql.ref(`${table}.project_id`);
  const viewerId = sql.ref(`${table}.viewer_id`);
  return sql<boolean>`${projectId} = ${viewer.projectId} and (${viewerId} = ${viewer.id} or exists (
    select from sessions as shared where shared.id = ${sql.ref(session)} and ${isSharedWith(viewer, 'shared')}))`;
}

/** Whose sessions a list has: the viewer's, or what others share with the viewer. */
export type Whose = 'own' | 'shared';

/** Condition: a session is one of such a list. `sessions`: the table, or its name in a join. */
export function isOf(viewer: Viewer, whose: Whose, sessions: string): RawBuilder<boolean> {
  if (whose === 'own') return isOwnedBy(viewer, sessions);
  const column = (name: string) => sql.ref(`${sessions}.${name}`);
  return sql<boolean>`${column('project_id')} = ${viewer.projectId} and ${column('viewer_id')} <> ${viewer.id}
    and ${column('visibility')} <> 'PRIVATE' and ${isSharedWith(viewer, sessions)}`;
}

/** Condition: a session of the viewer's project is shared with the viewer. */
export function isSharedWith({ id }: Pick<Viewer, 'id'>, sessions: string): RawBuilder<boolean> {
  const visibility = sql.ref(`${sessions}.visibility`);
  return sql<boolean>`(${visibility} = 'PROJECT' or ${visibility} = 'LINK' and exists (
    select from session_readers where session_id = ${sql.ref(`${sessions}.id`)} and user_id = ${id}))`;
}

/** The rows in the order of `ids`, null where there is none. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | null)[] {
  return inOrderOf(ids, rows, ({ id }) => id);
}

/** As {@link inOrder}, by another key than `id`. */
export function inOrderOf<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}

/** For each of `keys` its rows, in their order. */
export function inGroups<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const groups = Map.groupBy(rows, keyOf);
  return keys.map((key) => groups.get(key) ?? []);
}
