/** Numbers that a seed repeats. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(all: readonly T[]): T[];
};

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(next() * from.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  };
  const shuffled = <T>(all: readonly T[]): T[] => {
    const rest = [...all];
    return all.map(() => rest.splice(Math.floor(next() * rest.length), 1)[0] as T);
  };
  return { next, pick, shuffled };
}
