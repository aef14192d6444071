/** Distinguishes lines of a tool's summary that are about live values from those about stored ones. */

/** Live values next to stored ones. */
const LIVE = /^(?:Live |The live source was not asked again: )/u;
/** Live values of one or more parameters; the line before them gives the reason and the time. */
const LIVE_VALUE = /^Live (?!values were read )/u;
/** Why stored values are shown instead of live ones. */
const FALLBACK = /^(?:The live source of |What follows is stored, not live)/u;

/** Whether a line is about live values. */
export const isLive = (line: string): boolean => LIVE.test(line);

/** Whether a line explains why there are stored values only. */
export const isFallback = (line: string): boolean => FALLBACK.test(line);

/** The lines about live values; of `titles` only, where there are any. */
export const liveLines = (lines: readonly string[], titles: readonly string[]): readonly string[] =>
  lines
    .filter(isLive)
    .filter(
      (line) =>
        titles.length === 0 ||
        !LIVE_VALUE.test(line) ||
        titles.some((title) => line.startsWith(`Live ${title}: `)),
    );
