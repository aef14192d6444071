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
