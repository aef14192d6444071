/**
 * Sentences that the server writes, such as those of a report of an import, in another language. A pattern is the
 * English with `{names}` for what differs: `{name}` is anything, `{name#}` a number and `{name!}` one word, which may be
 * quoted, and `{name~}` the name of a file; `[s]` may be missing. What fills a hole may be a sentence itself.
 */

/** By the pattern of the English, the same in another language. The first that fits is taken. */
export type Sentences = Readonly<Record<string, string>>;

const HOLES: Readonly<Record<string, string>> = {
  '#': '-?[\\d,.]*\\d(?:e[+-]?\\d+)?',
  '!': '(?:"[^"]*"|\\S+)',
  '~': '[^:]+\\.(?:csv|tsv|txt|json|gz)',
  '': '.+?',
};

const PARTS = /\{(?<name>\w+)(?<kind>[#!~]?)\}|\[(?<optional>[^\]]+)\]|[^{[]+/gu;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

function regExpOf(pattern: string): RegExp {
  const seen = new Set<string>();
  const source = [...pattern.matchAll(PARTS)].map(([literal, name, kind = '', optional]) => {
    if (optional !== undefined) return `(?:${escaped(optional)})?`;
    if (name === undefined) return escaped(literal);
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>${HOLES[kind] ?? ''})`;
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}

/** Reads texts of any number of lines; a line without a pattern, and a name without a word, stay as they are. */
export function sentenceReader(
  sentences: Sentences,
  wordOf: (name: string) => string,
): (text: string) => string {
  const patterns = Object.entries(sentences).map(([english, other]) => ({ is: regExpOf(english), other }));
  const read = (line: string): string => {
    const word = wordOf(line);
    if (word !== line) return word;
    for (const { is, other } of patterns) {
      const found = is.exec(line);
      if (found)
        return other.replaceAll(/\{(\w+)\}/gu, (_hole, name: string) => read(found.groups?.[name] ?? ''));
    }
    return line;
  };
  return (text) => text.replaceAll(/[^\s].*$/gmu, (line) => read(line));
}
