import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { v7, validate } from 'uuid';

/** A new id; ids made later sort after earlier ones, so that rows land at the end of an index. */
export const newId = (): string => v7();

/**
 * Condition that `column` is one of `ids`; true of nothing for an empty list. Texts that are no ids at all are passed
 * over: Postgres would refuse the whole statement for one of them.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const real = ids.filter((id) => validate(id));
  return sql<boolean>`${sql.ref(column)} = any(${real}::uuid[])`;
}

/** The rows of `ids` in their order, null where there is none. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}
