/** Puts items into another order each time. */
export type Shuffle = <Item>(items: Iterable<Item>) => Item[];

/** Shuffles by a seed, so that a run can be repeated (mulberry32 and Fisher–Yates). */
export function createShuffle(seed: number): Shuffle {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
  return (items) => {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [mixed[last], mixed[other]] = [mixed[other] as never, mixed[last] as never];
    }
    return mixed;
  };
}
