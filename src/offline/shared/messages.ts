/**
 * Message catalogues in English and Japanese, and the templates that they are written in:
 *
 * - `{name}`: a value; lists are joined with “and”.
 * - `{count qubit}`: a number with its noun, `1 qubit` or `5 qubits`.
 * - `{name:filter}`: a value as one of {@link FILTERS} of the language prints it; `{name:list}` joins with commas
 *   alone.
 * - `{name?then|else}`: one of two templates; the second may be left out. `{name=text?then|else}` compares.
 */
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { WrittenLanguage } from '../../domain/text/language.ts';
import { sentence } from './text.ts';

/** Values of a template. */
export type Values = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | undefined>
>;

/** Prints the message of a key. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

type Filters = Readonly<Record<string, (value: string) => string>>;

const inDays = (hours: number, day: string, hour: string): string =>
  hours < 48 ? `${Math.round(hours)}${hour}` : `${Math.round(hours / 24)}${day}`;

const FILTERS: Readonly<Record<WrittenLanguage, Filters>> = {
  en: {
    age: (hours) =>
      Number(hours) < 48
        ? countOf(Math.round(Number(hours)), 'hour')
        : countOf(Math.round(Number(hours) / 24), 'day'),
    days: (hours) => countOf(Math.round(Number(hours) / 24), 'day'),
    lower: (text) => text.toLowerCase(),
    sentence,
    window: (hours) =>
      hours === '168'
        ? 'week'
        : hours === '24'
          ? 'day'
          : Number(hours) % 24 === 0
            ? countOf(Number(hours) / 24, 'day')
            : countOf(Number(hours), 'hour'),
  },
  ja: {
    age: (hours) => inDays(Number(hours), '日', '時間'),
    days: (hours) => `${Math.round(Number(hours) / 24)}日`,
    window: (hours) =>
      hours === '168' ? '1週間' : Number(hours) % 24 === 0 ? `${Number(hours) / 24}日間` : `${hours}時間`,
  },
};

/** A catalogue in both languages, with filters of its own. */
export const catalogue = <Key extends string>(
  texts: Readonly<Record<WrittenLanguage, Readonly<Record<Key, string>>>>,
  filters: Partial<Record<WrittenLanguage, Filters>> = {},
): Readonly<Record<WrittenLanguage, Translate<Key>>> => {
  const translateIn = (language: WrittenLanguage): Translate<Key> => {
    const known = { ...FILTERS[language], ...filters[language] };
    const join = language === 'ja' ? (items: readonly string[]) => items.join('、') : joinWords;
    return (key, values = {}) => fill(texts[language][key], values, { filters: known, join });
  };
  return { en: translateIn('en'), ja: translateIn('ja') };
};

type Printing = { readonly filters: Filters; readonly join: (items: readonly string[]) => string };

/** Fills in a template; throws for a value that is missing, an unknown filter, and a brace that is not closed. */
export function fill(template: string, values: Values, printing: Printing): string {
  const at = template.indexOf('{');
  if (at < 0) return template;
  const end = closingBrace(template, at);
  const filled = evaluate(template.slice(at + 1, end), values, printing);
  return `${template.slice(0, at)}${filled}${fill(template.slice(end + 1), values, printing)}`;
}

function evaluate(expression: string, values: Values, printing: Printing): string {
  const [, name = '', sign = '', rest = ''] = /^(\w+)([\s\S]?)([\s\S]*)$/u.exec(expression) ?? [];
  const value = values[name];
  if (value === undefined) throw new Error(`a message needs a value of "${name}": {${expression}}`);
  const text = Array.isArray(value) ? printing.join(value) : String(value ?? '');
  switch (sign) {
    case '':
      return text;
    case ' ':
      return countOf(Number(value), rest);
    case ':': {
      if (rest === 'list' && Array.isArray(value)) return value.join(', ');
      const filter = printing.filters[rest];
      if (filter === undefined) throw new Error(`messages have no filter "${rest}"`);
      return filter(text);
    }
    case '?':
      return fill(branches(rest)[isSet(value) ? 0 : 1], values, printing);
    case '=': {
      const [wanted = '', then = ''] = rest.split(/\?([\s\S]*)/u);
      return fill(branches(then)[text === wanted ? 0 : 1], values, printing);
    }
    default:
      throw new Error(`a message is malformed: {${expression}}`);
  }
}

const isSet = (value: Values[string]): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** The two sides of the `|` that is not within braces. */
function branches(text: string): readonly [string, string] {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') at = closingBrace(text, at);
    else if (text[at] === '|') return [text.slice(0, at), text.slice(at + 1)];
  }
  return [text, ''];
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`a message has a brace that is not closed: ${text}`);
}
