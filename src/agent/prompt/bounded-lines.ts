/** As many of `lines` as fit `maxCharacters`; if any are omitted, a last line gives the counts. */
export function boundedLines(
  lines: readonly string[],
  maxCharacters: number,
  noun: string,
): readonly string[] {
  let left = maxCharacters;
  const fits = (line: string): boolean => (left -= line.length + 1) >= 0;
  const cut = lines.findIndex((line) => !fits(line));
  return cut < 0 ? lines : [...lines.slice(0, cut), `(${cut} of ${lines.length} ${noun} shown)`];
}
