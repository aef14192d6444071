/**
 * Whether lists and objects are nested no deeper than `depth`. Level by level: a recursion would overflow where this
 * matters.
 */
export function isWithinDepth(value: unknown, depth: number): boolean {
  let level = [value];
  for (let left = depth; level.length > 0; left--) {
    if (left === 0) return false;
    level = level.flatMap(childrenOf);
  }
  return true;
}

function childrenOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [];
}
