/**
 * Runs every variant once a round, in alternating order, so that whatever else the machine does falls on all of them.
 * Round 0 warms caches and compilers up and is not kept. Returns each variant's results, oldest first.
 */
export async function interleave<Name extends string, Result>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, readonly Result[]>> {
  const names = Object.keys(variants) as Name[];
  const results = new Map<Name, Result[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await variants[name]();
      if (round > 0) results.get(name)?.push(result);
    }
  }
  return Object.fromEntries(results) as Record<Name, Result[]>;
}

/** The value below which the given share of the numbers lies; 0.5 is the median. NaN for none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Median of one figure of several results. */
export function medianOf<Result>(results: readonly Result[], figure: (result: Result) => number): number {
  return quantile(results.map(figure), 0.5);
}

/** Median of the ratios of two variants, round by round: what slowed a whole round down falls out of it. */
export function ratioOf<Result>(
  results: readonly Result[],
  baseline: readonly Result[],
  figure: (result: Result) => number,
): number {
  const ratios = results.flatMap((result, round) => {
    const other = baseline[round];
    return other === undefined ? [] : [figure(result) / figure(other)];
  });
  return quantile(ratios, 0.5);
}
