/** Remarks of a kind that are listed; the rest is counted. */
const LISTED_REMARKS = 5;

/**
 * A heading with its count, and the first of its lines; nothing without remarks.
 * @param count - of all remarks, where only the first are at hand
 */
export function remarkLines(
  title: string,
  remarks: readonly string[],
  most: number = LISTED_REMARKS,
  count: number = remarks.length,
): readonly string[] {
  if (count === 0) return [];
  const rest = count - most;
  return [
    `  ${title}: ${count}`,
    ...remarks.slice(0, most).map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … and ${rest} more`] : []),
  ];
}
