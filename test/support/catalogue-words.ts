/** A text of a catalogue, or the function that makes it. */
export type Leaf = string | ((...given: readonly never[]) => string);

/** Every text of a catalogue with its path, in the order of the paths. */
export const leavesOf = (words: object, path = ''): (readonly [string, Leaf])[] =>
  Object.entries(words)
    .flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? leavesOf(value, `${path}${name}.`)
        : [[`${path}${name}`, value as Leaf] as const],
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The texts that depend on nothing. */
export const textsOf = (words: object): (readonly [string, string])[] =>
  leavesOf(words).flatMap(([path, leaf]) => (typeof leaf === 'string' ? [[path, leaf] as const] : []));
