/**
 * The top-level fields that a query reads. Each part of a query records its fields when it is compiled; scans
 * then decode only these. Recording too many is slow, too few is wrong.
 */
export type Needs = {
  readonly fields: Set<string>;
  /** Set when the whole document is read. */
  all: boolean;
};

/** Nothing read yet. */
export function createNeeds(...fields: readonly string[]): Needs {
  return { fields: new Set(fields), all: false };
}

/** Records that the dotted `path` is read. */
export function needPath(needs: Needs, path: string): void {
  const dot = path.indexOf('.');
  needs.fields.add(dot < 0 ? path : path.slice(0, dot));
}

/** Records all that `other` records. */
export function needAllOf(needs: Needs, other: Needs): void {
  for (const field of other.fields) needs.fields.add(field);
  needs.all ||= other.all;
}
