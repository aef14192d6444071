const END_OF_SENTENCE = /[.!?](?=\s)|[。！？]|\n{2,}/g;

/**
 * What a live region may announce of a growing text: whole sentences. `announced` is how much of it was announced, and
 * what is left comes when it is whole, or with `isDone`.
 */
export function sentencesToSay(
  text: string,
  announced: number,
  isDone: boolean,
): { readonly words: string; readonly announced: number } {
  const rest = text.slice(announced);
  const ends = [...rest.matchAll(END_OF_SENTENCE)];
  const last = ends.at(-1);
  const length = isDone ? rest.length : last ? last.index + last[0].length : 0;
  return { words: spoken(rest.slice(0, length)), announced: announced + length };
}

/** Markdown as it is read aloud. */
const spoken = (text: string): string =>
  text
    .replaceAll(/[*_`#>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
