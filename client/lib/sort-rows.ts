/** By which column a table is sorted, and which way. */
export type Sorting = { readonly column: string; readonly descending: boolean };

/** Compares text with numbers in natural order: Q9 before Q10. */
const collator = new Intl.Collator(undefined, { numeric: true });

/** Rows by a value of each; those without one come last whichever way, and equal ones stay as they are. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * collator.compare(String(a), String(b));
  });
}
