/** Draws questions by a seed: the same seed gives the same questions on every machine. */
import { uniform } from '../../../src/import/demo/random.ts';
import type { ChipRecord } from '../data/chip-record.ts';
import type { AskedParameter } from '../data/parameters.ts';

/** Which phrasings are asked: those that anything may be tuned to, or those that are kept for examining. */
export type Phrasing = 'known' | 'held-out';

/** Choices for one question. */
export type Draw = {
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** So many different ones, in the order drawn; all when there are fewer. */
  readonly some: <Item>(items: readonly Item[], count: number) => readonly Item[];
  /** A whole number from `low` to `high`. */
  readonly number: (low: number, high: number) => number;
  /**
   * A phrasing with its `{words}` replaced, written as people write: carefully, casually or with a
   * slip, though nobody misspells `{name}`.
   */
  readonly say: (
    known: readonly string[],
    heldOut: readonly string[],
    words?: Readonly<Record<string, string | number>>,
  ) => string;
  /** What a person calls a parameter, and a qubit or coupling. */
  readonly call: (parameter: AskedParameter) => string;
  readonly label: (qid: string) => string;
  /** A parameter of `parameters` that the chip has values of. */
  readonly parameter: (record: ChipRecord, parameters: readonly AskedParameter[]) => AskedParameter;
};

/** Choices that hang on `seed` and `name` alone. */
export function createDraw(seed: number, phrasing: Phrasing, name: string): Draw {
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
    say: (known, heldOut, words = {}) => {
      const text = pick(phrasing === 'known' ? known : heldOut).replaceAll(
        /\{(\w+)\}/gu,
        (_, key: string) => {
          const word = words[key];
          if (word === undefined) throw new Error(`${name} has no word for {${key}}`);
          return String(word);
        },
      );
      return asWritten(text, chance, String(words['name'] ?? ''));
    },
    call: (parameter) => pick(phrasing === 'known' ? parameter.words : parameter.heldOutWords),
    label: (qid) =>
      qid.includes('-')
        ? pick([qid, `Q${qid.replace('-', '-Q')}`])
        : pick(
            phrasing === 'known'
              ? [`Q${qid}`, `qubit ${qid}`, `q${qid}`]
              : [`Q${qid}`, `Qubit ${qid}`, `Q${qid.padStart(2, '0')}`],
          ),
    parameter: (record, parameters) =>
      pick(
        parameters.filter(({ name: stored }) =>
          record.readings.some(({ parameter }) => parameter === stored),
        ),
      ),
  };
}

/** Three in five as it stands, one without capitals and marks, one with two letters of a long word swapped; never in `name`. */
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
