import type { ColumnType, Generated } from 'kysely';

/** A `json` column: written as JSON text, read parsed. */
export type Json<T> = ColumnType<T, string, string>;

/** Columns that are null until somebody writes them. */
export type LaterJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
export type Later<T> = Generated<T | null>;
