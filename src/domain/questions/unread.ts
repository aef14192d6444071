/** Which words of a clause nothing has read: they are fillers, or the question is not understood. */
import english from './english.json' with { type: 'json' };
import japanese from './japanese.json' with { type: 'json' };
import { isFillerWord } from './lexicon.ts';

/** Words that change what is asked in any position; they are never fillers. */
const MEANING = new RegExp([...english.meaning, ...japanese.meaning].join('|'), 'giu');

/** Whether a word changes what is asked in any position. */
export const hasMeaning = (word: string): boolean => word.search(MEANING) >= 0;

/** Latin words, numbers, and runs of kanji or katakana. */
const WORD = /[a-z][a-z0-9'’_-]*|-?\d[\d.,]*\s*%?|[\p{Script=Han}\p{Script=Katakana}ー]+/giu;

const JAPANESE_FILLERS: ReadonlySet<string> = new Set(japanese.fillers);
const LONGEST_FILLER = Math.max(...japanese.fillers.map(({ length }) => length));

/** The words of `rest` that were not read, in their order; `rest` has what was read blanked. */
export function unreadWords(rest: string): readonly string[] {
  const meaning = rest.match(MEANING) ?? [];
  const others = rest.replaceAll(MEANING, (match) => ' '.repeat(match.length)).match(WORD) ?? [];
  const unread = others.map((word) => word.trim()).filter((word) => !isFiller(word));
  return [...new Set([...meaning.map((word) => word.trim()), ...unread])];
}

const isFiller = (word: string): boolean =>
  /^[a-z]/iu.test(word)
    ? word.length === 1 || word.split(/['’-]/u).every((part) => part.length < 2 || isFillerWord(part))
    : isOfFillers(word);

/** Whether fillers alone make up a run without spaces; a pattern would try all the ways to part it. */
function isOfFillers(run: string): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < run.length; at += 1) {
    if (!ends.has(at)) continue;
    for (let to = at + 1; to <= Math.min(run.length, at + LONGEST_FILLER); to += 1) {
      if (JAPANESE_FILLERS.has(run.slice(at, to))) ends.add(to);
    }
  }
  return ends.has(run.length);
}
