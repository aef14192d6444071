/** What a line of a model's words begins: text, or a JSON document at `start`. */
export type Opening = { readonly type: 'text' } | { readonly type: 'document'; readonly start: number };

/** Keys that a document may begin with: those of the blocks schema, and of the one that came before it. */
const KEYS = ['blocks', 'assessment', 'summary', 'explanation', 'potential_issues', 'recommendations'];
/** Behind other words only a document of blocks is one; the other keys may well be those of an example. */
const LATER_KEYS = ['blocks'];

const FENCE = /^`{3,}[ \t]*(?:json\w{0,2})?[ \t]*\r?\n/iu;
const FENCE_TO_COME = /^(?:`{1,2}|`{3,}[ \t]*(?:j|js|jso|json\w{0,2})?[ \t]*\r?)$/iu;
const FIRST_KEY = /^\{\s*"(?<key>[^"]*)"\s*:/u;

const TEXT: Opening = { type: 'text' };

/**
 * Says from its first characters what a line begins, a fence around a document or not; null while more of it must come.
 * `isFirst`: nothing was said before it.
 */
export function openingOf(line: string, isFirst: boolean): Opening | null {
  const start = (isFirst ? /\S/u : /[^ \t]/u).exec(line)?.index;
  if (start === undefined || FENCE_TO_COME.test(line.slice(start))) return null;
  const fence = FENCE.exec(line.slice(start))?.[0] ?? '';
  const inner = fence === '' ? line.slice(start) : line.slice(start + fence.length).trimStart();
  if (inner === '') return null;
  if (!inner.startsWith('{')) return TEXT;
  const keys = isFirst ? KEYS : LATER_KEYS;
  const key = FIRST_KEY.exec(inner)?.groups?.['key'];
  if (key !== undefined) {
    return keys.includes(key) ? { type: 'document', start: line.length - inner.length } : TEXT;
  }
  const begun = inner.slice(1).trim();
  return keys.some((name) => `"${name}"`.startsWith(begun)) ? null : TEXT;
}

/** Whether a line that ended before it said what it is was going to be a document. */
export const isBegunDocument = (line: string): boolean => /^\s*(?:`{3,}.*\n\s*)?\{/u.test(line);
