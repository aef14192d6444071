/** How many names an error lists before it counts the rest. */
const LISTED = 10;

/** The names that would have been right, for the message of an error: `t1, t2_echo and 7 more`. */
export function knownNames(names: readonly string[], nothing = 'none'): string {
  if (names.length === 0) return nothing;
  const more = names.length - LISTED;
  const listed = names.slice(0, LISTED).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}
