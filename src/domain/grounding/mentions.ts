/** Finds what a text is about: qubits and couplings, parameters, and the statistics that it names. */
import { twinOf } from '../qid.ts';
import { METRIC_WORDS } from '../values/parameter-words.ts';
import type { FactKind, KnownParameter } from './fact.ts';
import { unitAt } from './text-units.ts';

type Place = { readonly start: number; readonly end: number };

/** Qubits or couplings named at one place; `Q04-Q01` may mean the coupling in either direction. */
export type SubjectMention = Place & {
  readonly ids: readonly string[];
  /** Only what another one is compared with: `than Q13`, `unlike Q13`. */
  readonly isComparison: boolean;
};

/** Parameters that the words at one place may mean. */
export type ParameterMention = Place & { readonly names: readonly string[] };

/** A statistic named at one place; `extreme` is the best or worst, either end. */
export type StatisticMention = Place & { readonly statistic: FactKind | 'extreme' };

/** The words that a conversation's results know. */
export type Vocabulary = {
  readonly parameters: ReadonlyMap<string, KnownParameter>;
  /** Finds names and titles of {@link parameters}; null where there are none. */
  readonly names: RegExp | null;
  readonly byWord: ReadonlyMap<string, readonly string[]>;
  /** Ids of couplings as stored. */
  readonly couplings: ReadonlySet<string>;
};

/** The vocabulary of these parameters and couplings. */
export function createVocabulary(
  parameters: ReadonlyMap<string, KnownParameter>,
  couplings: ReadonlySet<string>,
): Vocabulary {
  const byWord = new Map<string, string[]>();
  for (const { name, title } of parameters.values()) {
    for (const word of new Set([name, title, name.replaceAll('_', ' ')])) {
      byWord.set(word.toLowerCase(), [...(byWord.get(word.toLowerCase()) ?? []), name]);
    }
  }
  const words = [...byWord.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  const names =
    words.length === 0 ? null : new RegExp(`(?<![A-Za-z0-9_])(?:${words.join('|')})(?![A-Za-z0-9_*])`, 'giu');
  return { parameters, names, byWord, couplings };
}

/** Takes a place unless it overlaps a taken one; returns whether it was taken. */
function createOccupancy(length: number): (place: Place) => boolean {
  const taken = new Uint8Array(length);
  return ({ start, end }) => {
    if (taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    return true;
  };
}

/** Words for a family of parameters, by what their names contain. */
const FAMILIES: readonly (readonly [part: string, pattern: RegExp])[] = [
  ['fidelity', /\bfidelit(?:y|ies)\b|忠実度|フィデリティ|\binfidelit(?:y|ies)\b/giu],
  ['frequency', /\bfrequenc(?:y|ies)\b|周波数/giu],
  ['amplitude', /\bamplitudes?\b|振幅/giu],
];

/** Every parameter that is named, in order; of overlapping names the longest first one. */
export function findParameters(plain: string, vocabulary: Vocabulary): readonly ParameterMention[] {
  const found: ParameterMention[] = [];
  const isFree = createOccupancy(plain.length);
  const take = (pattern: RegExp, namesOf: (word: string) => readonly string[]): void => {
    for (const match of plain.matchAll(pattern)) {
      const place = { start: match.index, end: match.index + match[0].trimEnd().length };
      const names = namesOf(match[0].toLowerCase());
      if (names.length > 0 && isFree(place)) found.push({ ...place, names });
    }
  };
  if (vocabulary.names !== null) take(vocabulary.names, (word) => vocabulary.byWord.get(word) ?? []);
  for (const [name, pattern] of METRIC_WORDS) take(pattern, () => [name, `${name}_average`]);
  const known = [...vocabulary.parameters.keys()];
  for (const [part, pattern] of FAMILIES) take(pattern, () => known.filter((name) => name.includes(part)));
  return found.toSorted((a, b) => a.start - b.start);
}

const QUBIT_WORD = '(?:qubits?|qids?|量子ビット|キュービット)';
const PAIR = /(?<![A-Za-z0-9])[Qq](\d{1,4})\s?(?:-|–|—|→|->|↔|⇔|to)\s?[Qq](\d{1,4})(?![A-Za-z0-9])/gu;
const LABEL = /(?<![A-Za-z0-9])[Qq](\d{1,4})(?![A-Za-z0-9])/gu;
const LISTED = new RegExp(
  `${QUBIT_WORD}\\s{0,9}#?\\s{0,9}(\\d{1,4})(?![\\d.]*\\d)((?:\\s*(?:,\\s*and|,|and|&|or|\\/|、|と|や)\\s*#?\\d{1,4}(?![.,]?\\d))*)`,
  'giu',
);
const NUMBERED = new RegExp(`(?<![\\d.])(\\d{1,4})番(?:目の)?(?:${QUBIT_WORD})?`, 'gu');
const BARE_PAIR = /(?<![\w.-])(\d{1,4})\s?(?:-|–|→|->|↔|⇔)\s?(\d{1,4})(?![\w.-]*\d)/gu;
const COMPARISON =
  /(?:\bthan|\bunlike|\bcompared (?:to|with)|\brelative to|\bversus|\bvs\.?|\bagainst|\bto that of|\bcontrast to)\s*(?:(?:the|that|of|qubit)\s)*$/iu;

/** Every qubit and coupling that is named, in order. */
export function findSubjects(plain: string, { couplings }: Vocabulary): readonly SubjectMention[] {
  const found: SubjectMention[] = [];
  const isFree = createOccupancy(plain.length);
  const take = (start: number, end: number, ids: readonly string[]): void => {
    if (!isFree({ start, end })) return;
    const isComparison =
      COMPARISON.test(plain.slice(Math.max(0, start - 30), start)) ||
      /^\s*(?:より|に比べ)/u.test(plain.slice(end, end + 6));
    found.push({ start, end, ids, isComparison });
  };
  const pair = (a: string, b: string): readonly string[] | null => {
    const id = `${Number(a)}-${Number(b)}`;
    return couplings.has(id) || couplings.has(twinOf(id)) ? [id, twinOf(id)] : null;
  };
  for (const { index, 0: whole, 1: a = '', 2: b = '' } of plain.matchAll(PAIR)) {
    const ids = /\sto\s/iu.test(whole) ? null : pair(a, b);
    if (ids !== null) take(index, index + whole.length, ids);
  }
  for (const { index, 0: whole, 1: a = '', 2: b = '' } of plain.matchAll(BARE_PAIR)) {
    const ids = pair(a, b);
    if (ids !== null && unitAt(plain, index + whole.length) === null) take(index, index + whole.length, ids);
  }
  for (const { index, 0: whole, 1: id = '' } of plain.matchAll(LABEL))
    take(index, index + whole.length, [String(Number(id))]);
  for (const { index, 0: whole } of plain.matchAll(LISTED)) {
    for (const digits of whole.matchAll(/\d+/gu)) {
      const start = index + digits.index;
      const end = start + digits[0].length;
      if (digits.index > 0 && unitAt(plain, end) !== null) break;
      take(start, end, [String(Number(digits[0]))]);
    }
  }
  for (const { index, 0: whole, 1: id = '' } of plain.matchAll(NUMBERED))
    take(index, index + whole.length, [String(Number(id))]);
  return found.toSorted((a, b) => a.start - b.start);
}

const STATISTICS: readonly (readonly [StatisticMention['statistic'], RegExp])[] = [
  ['stdev', /\bstandard deviations?\b|(?<!\d\s?)σ(?=\s*[=:≈])|\bstd(?:ev)?\.?(?![a-z])|標準偏差/giu],
  ['quantile', /\bquartiles?\b|\b(?:\d+(?:st|nd|rd|th)?[ -])?percentiles?\b|パーセンタイル|四分位/giu],
  ['median', /\bmedians?\b|中央値/giu],
  ['mean', /\bmeans?\b|\baverages?\b|\bavg\.?(?![a-z])|平均/giu],
  ['min', /\bmin(?:imum)?\b|\blowest\b|\bsmallest\b|\bshortest\b|最小|最低|最短/giu],
  ['max', /\bmax(?:imum)?\b|\bhighest\b|\blargest\b|\blongest\b|最大|最高|最長/giu],
  ['extreme', /\bbest\b|\bworst\b|最良|最悪|最も/giu],
];

/** Every statistic that is named, in order; words inside the name of a parameter are not among them. */
export function findStatistics(plain: string, parameters: readonly Place[]): readonly StatisticMention[] {
  const found: StatisticMention[] = [];
  const isFree = createOccupancy(plain.length);
  for (const place of parameters) isFree(place);
  for (const [statistic, pattern] of STATISTICS) {
    for (const match of plain.matchAll(pattern)) {
      const place = { start: match.index, end: match.index + match[0].length };
      if (isFree(place)) found.push({ ...place, statistic });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}
