/** How importers tell what they did. */

/** How many remarks of a kind are told before the rest is only counted. */
const TOLD_REMARKS = 5;

/** A heading with its count, and the first of its lines; nothing where there is none. */
export function remarkLines(
  title: string,
  remarks: readonly string[],
  most: number = TOLD_REMARKS,
): readonly string[] {
  if (remarks.length === 0) return [];
  const rest = remarks.length - most;
  return [
    `  ${title}: ${remarks.length}`,
    ...remarks.slice(0, most).map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … and ${rest} more`] : []),
  ];
}
