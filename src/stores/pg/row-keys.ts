/** Columns are named as the domain's fields, in snake_case: these turn the one into the other, keys only. */

type CamelCase<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

type SnakeCase<Key> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Key;

/** A row with the keys of the domain. */
export type CamelKeys<Row> = { [Key in keyof Row as CamelCase<Key> & string]: Row[Key] };

/** An object with the names of columns. */
export type SnakeKeys<Source> = { [Key in keyof Source as SnakeCase<Key> & string]: Source[Key] };

/** `{session_id: 1}` as `{sessionId: 1}`. Nested objects stay as they are. */
export const camelKeys = <Row extends object>(row: Row): CamelKeys<Row> =>
  withKeys(row, (key) =>
    key.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase()),
  ) as CamelKeys<Row>;

/** `{sessionId: 1}` as `{session_id: 1}`. Nested objects stay as they are. */
export const snakeKeys = <Source extends object>(source: Source): SnakeKeys<Source> =>
  withKeys(source, (key) =>
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as SnakeKeys<Source>;

function withKeys(source: object, rename: (key: string) => string): object {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [rename(key), value]));
}
