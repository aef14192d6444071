/** How many names an error lists before it counts the rest. */
const LISTED = 10;

/** The valid names, for an error message: `t1, t2_echo and 7 more`. */
export function knownNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - LISTED;
  const listed = names.slice(0, LISTED).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}
