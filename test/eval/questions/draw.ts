/** Draws questions by a seed: the same seed gives the same questions on every machine. */
import { uniform } from '../../../src/import/demo/random.ts';
import type { ChipRecord } from '../data/chip-record.ts';
import type { AskedParameter } from '../data/parameters.ts';
import type { Phrasing } from './phrases.ts';

/** Choices for one question. */
export type Draw = {
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** So many different ones, in the order drawn; all when there are fewer. */
  readonly some: <Item>(items: readonly Item[], count: number) => readonly Item[];
  /** A whole number from `low` to `high`. */
  readonly number: (low: number, high: number) => number;
  /**
   * A phrase of the template with its `{words}` filled in, written carefully, casually or with a typo, though never in
   * `{name}`. Shorthand stays as it is.
   */
  readonly say: (words?: Readonly<Record<string, string | number>>) => string;
  /** What a person calls a parameter, and a qubit or coupling. */
  readonly call: (parameter: AskedParameter) => string;
  readonly label: (qid: string) => string;
  /** A parameter of `parameters` that the chip has values of. */
  readonly parameter: (record: ChipRecord, parameters: readonly AskedParameter[]) => AskedParameter;
};

/** What a draw depends on: nothing else makes a difference. */
export type DrawOptions = {
  readonly seed: number;
  readonly phrasing: Phrasing;
  /** Id of the question. */
  readonly name: string;
  /** Phrases to choose from; of shorthand, the one to ask. */
  readonly phrases: readonly string[];
};

/** Reproducible choices for one question. */
export function createDraw({ seed, phrasing, name, phrases }: DrawOptions): Draw {
  const isShorthand = phrasing === 'shorthand';
  let drawn = 0;
  const chance = () => uniform(seed, phrasing, name, (drawn += 1));
  const pick: Draw['pick'] = (items) => {
    const item = items[Math.floor(chance() * items.length)];
    if (item === undefined) throw new Error(`${name} draws from nothing`);
    return item;
  };
  const some: Draw['some'] = (items, count) => {
    const left = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => {
      const [taken] = left.splice(Math.floor(chance() * left.length), 1);
      if (taken === undefined) throw new Error(`${name} drew beyond the end`);
      return taken;
    });
  };
  return {
    pick,
    some,
    number: (low, high) => low + Math.floor(chance() * (high - low + 1)),
    say: (words = {}) => {
      const phrase = isShorthand ? (phrases[0] ?? '') : pick(phrases);
      const text = phrase.replaceAll(/\{(\w+)\}/gu, (_, key: string) => {
        const word = words[key];
        if (word === undefined) throw new Error(`${name} has no word for {${key}}`);
        return String(word);
      });
      return isShorthand ? text : asWritten(text, chance, String(words['name'] ?? ''));
    },
    call: (parameter) => pick(parameter.words[phrasing]),
    label: (qid) => pick(qid.includes('-') ? [qid, `Q${qid.replace('-', '-Q')}`] : labelsOf(qid, phrasing)),
    parameter: (record, parameters) =>
      pick(
        parameters.filter(({ name: stored }) =>
          record.readings.some(({ parameter }) => parameter === stored),
        ),
      ),
  };
}

function labelsOf(qid: string, phrasing: Phrasing): readonly string[] {
  switch (phrasing) {
    case 'known':
      return [`Q${qid}`, `qubit ${qid}`, `q${qid}`];
    case 'held-out':
      return [`Q${qid}`, `Qubit ${qid}`, `Q${qid.padStart(2, '0')}`];
    case 'shorthand':
      return [`q${qid}`, `Q${qid}`, `qubit${qid}`];
    default:
      return phrasing satisfies never;
  }
}

/**
 * Three in five unchanged, one without capitals and marks, one with two letters of a long word swapped; never in
 * `name`.
 */
function asWritten(text: string, chance: () => number, name: string): string {
  const manner = chance();
  if (manner < 0.6 || /[^\p{ASCII}μ]/u.test(text)) return text;
  if (manner < 0.8) return text.replace(/[?.!]+$/u, '').toLowerCase();
  const words = [...text.matchAll(/(?<![\w-])[a-z]{7,}(?![\w-])/gu)].filter(([word]) => !name.includes(word));
  const word = words[Math.floor(chance() * words.length)];
  if (word === undefined) return text;
  const at = word.index + 2 + Math.floor(chance() * (word[0].length - 4));
  return `${text.slice(0, at)}${text.charAt(at + 1)}${text.charAt(at)}${text.slice(at + 2)}`;
}
