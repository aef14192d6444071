/**
 * Lines of tools in Japanese. A tool's summary holds more than the data that a model is sent, so its lines are the
 * source: `japanese-lines.yaml` has a Japanese form of each, in which numbers, units, names and quotations stay as
 * they are. A line of an unknown form stays in English.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fill } from './messages.ts';

const GROUPS: Readonly<Record<string, string>> = { '': '\\S+', '#': '\\d+', '*': '.+', '~': '.+?' };

const lines = z.array(
  z.strictObject({ en: z.string(), ja: z.string() }).transform(({ en, ja }) => ({ form: formOf(en), ja })),
);
const replacement = z.tuple([z.string(), z.string()]).transform(([pattern, put]) => ({
  pattern: new RegExp(pattern, 'gu'),
  put,
}));
const file = z.strictObject({
  terms: z.record(z.string(), z.string()),
  filters: z.record(z.string(), z.array(z.union([z.string(), replacement]))),
  tools: lines,
  values: lines,
  results: lines,
  errors: lines,
  obstacles: lines,
  script: lines,
});
const { terms, filters, ...forms } = file.parse(
  parse(readFileSync(new URL('japanese-lines.yaml', import.meta.url), 'utf8')),
);

/** `{name}`, `{name#}`, `{name*}` and `{name~}` as named groups of a pattern for a whole line. */
function formOf(source: string): RegExp {
  const groups = source.replaceAll(
    /\{([a-z]\w*)([#*~]?)\}/gu,
    (_, name: string, kind: string) => `(?<${name}>${GROUPS[kind] ?? ''})`,
  );
  return new RegExp(`^${groups}$`, 'u');
}

/** A word or fixed expression in Japanese; as it is where it is not known. */
export const termInJapanese = (words: string): string => terms[words] ?? words;

/** A replacement with its groups and terms filled in. */
const filledIn = (put: string, groups: readonly string[]): string =>
  put.replaceAll(/<([^<>]*)>|\$(\d)/gu, (_, words: string | undefined, at: string) =>
    words === undefined ? (groups[Number(at)] ?? '') : termInJapanese(filledIn(words, groups)),
  );

/** What a filter of the file makes of a value. */
const filtered = (name: string, value: string): string =>
  (filters[name] ?? []).reduce<string>(
    (text, step) =>
      typeof step === 'string'
        ? filtered(step, text)
        : text.replaceAll(step.pattern, (...match: string[]) => filledIn(step.put, match)),
    value,
  );

const FILTERS = {
  ...Object.fromEntries(Object.keys(filters).map((name) => [name, (text: string) => filtered(name, text)])),
  cause: (reason: string) => translated(reason, ['obstacles']) ?? reason,
};

/** A longer line stays in English: forms with several gaps take long for it. */
const MOST_CHARACTERS = 4_000;

/** The line in Japanese by the first form that fits; null where none does. */
function translated(line: string, lists: readonly (keyof typeof forms)[]): string | null {
  if (line.length > MOST_CHARACTERS) return null;
  const words = line.replace(/\.$/u, '');
  for (const { form, ja } of lists.flatMap((list) => forms[list])) {
    const groups = form.exec(words)?.groups ?? (form.test(words) ? {} : null);
    if (groups === null) continue;
    const values = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text ?? '']));
    return fill(ja, values, { filters: FILTERS, join: String });
  }
  return null;
}

/** A line of a tool's summary. */
export const toolLineInJapanese = (line: string): string => translated(line, ['tools', 'values']) ?? line;

/** A line about a task result; what the lab wrote about tasks stays as it is. */
export const resultLineInJapanese = (line: string): string =>
  translated(line, ['results', ...(/^\S+: .*\(\S+\) -?\d/u.test(line) ? (['values'] as const) : [])]) ?? line;

/** Why a call failed; a reason of an unknown form is quoted. */
export const reasonInJapanese = (reason: string): string =>
  translated(reason, ['errors']) ?? `理由: ${reason}`;

/** A line that the script of an analysis printed. */
export const scriptLineInJapanese = (line: string): string => translated(line, ['script']) ?? line;
