/** A place that one can go to. */
export type Place = { readonly path: string; readonly name: string };

/** Places of one kind, under their heading. */
export type PlaceGroup = { readonly heading: string; readonly places: readonly Place[] };

/** Of one kind at most; more are found by more letters. */
const MOST = 7;

/** `Q0027` as people type it: `q27`. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/(?<=\D)0+(?=\d)/gu, '');

/**
 * Places with all words of the search in their names, those that begin with it first; empty groups are left
 * out. Zeros before a number need not be typed.
 */
export function findPlaces(groups: readonly PlaceGroup[], search: string): readonly PlaceGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const sought = words.join(' ');
  const has = (name: string, word: string): boolean =>
    name.toLowerCase().includes(word) || plain(name).includes(plain(word));
  return groups.flatMap(({ heading, places }) => {
    const found = places.filter(({ name }) => words.every((word) => has(name, word)));
    const begins = ({ name }: Place): boolean =>
      name.toLowerCase().startsWith(sought) || plain(name).startsWith(plain(sought));
    const ordered = [...found.filter(begins), ...found.filter((place) => !begins(place))];
    return ordered.length === 0 ? [] : [{ heading, places: ordered.slice(0, MOST) }];
  });
}
