/** Tells the lines of a tool's summary that are about live values from those about stored ones. */

/** Live values that stand beside stored ones. */
const LIVE = /^(?:Live |The live source was not asked again: )/u;
/** Live values of one or more parameters; the line before them says why and when. */
const LIVE_VALUE = /^Live (?!values were read )/u;
/** Why stored values stand in the place of live ones. */
const FALLBACK = /^(?:The live source of |What follows is stored, not live)/u;

/** Whether a line says what the live source said. */
export const isLive = (line: string): boolean => LIVE.test(line);

/** Whether a line says that stored values stand in. */
export const isFallback = (line: string): boolean => FALLBACK.test(line);

/** What the live source said; of `titles` only, where there are any. */
export const liveLines = (lines: readonly string[], titles: readonly string[]): readonly string[] =>
  lines
    .filter(isLive)
    .filter(
      (line) =>
        titles.length === 0 ||
        !LIVE_VALUE.test(line) ||
        titles.some((title) => line.startsWith(`Live ${title}: `)),
    );
