/** Remarks of a kind that are listed; the rest is counted. */
const LISTED_REMARKS = 5;

/** A heading with its count, and the first of its lines; nothing without remarks. */
export function remarkLines(
  title: string,
  remarks: readonly string[],
  most: number = LISTED_REMARKS,
): readonly string[] {
  if (remarks.length === 0) return [];
  const rest = remarks.length - most;
  return [
    `  ${title}: ${remarks.length}`,
    ...remarks.slice(0, most).map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … and ${rest} more`] : []),
  ];
}
