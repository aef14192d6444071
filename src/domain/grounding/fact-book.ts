/** The evidence for an answer, indexed: facts of tool results, thresholds, and the user's words. */
import { isRated, type Metric } from '../values/metric.ts';
import { bind } from './binding.ts';
import {
  fact,
  nounAt,
  unitOrNull,
  type Fact,
  type FactKind,
  type KnownParameter,
  type TimeFact,
} from './fact.ts';
import type { TextNumber } from './find-numbers.ts';
import type { TextTime } from './find-times.ts';
import { createVocabulary, type Vocabulary } from './mentions.ts';
import type { NumberInText } from './near.ts';
import { noFacts, readEvidence, type EvidenceText, type ReadFacts, type ToolEvidence } from './read-facts.ts';
import { readText, type Reading } from './reading.ts';

/** Evidence for an answer. */
export type Evidence = {
  /** Calls of the answer's own turn. */
  readonly calls: readonly ToolEvidence[];
  /** Words of the user: the question and earlier ones. */
  readonly userTexts: readonly string[];
  /** The catalogue; every prompt states its thresholds. */
  readonly metrics: readonly Metric[];
  /** When the turn was asked. */
  readonly now: Date;
};

/** Facts in a form in which many numbers are looked up in one pass. */
export type FactBook = {
  readonly facts: readonly Fact[];
  /** Sizes of the values of {@link facts}, without signs: a first sieve that most facts do not pass. */
  readonly sizes: FactSizes;
  readonly times: readonly TimeFact[];
  readonly userNumbers: readonly TextNumber[];
  readonly userTimes: readonly TextTime[];
  readonly vocabulary: Vocabulary;
  readonly chipIds: ReadonlySet<string>;
  /** Calls whose results other programs gave. */
  readonly outside: ReadonlySet<string>;
  /** Names of the catalogue's parameters, preferred over others. */
  readonly catalogued: ReadonlySet<string>;
  readonly now: Date;
};

/**
 * By index of the fact: as shown, as stored (not a number where that is the same), in the base unit of its dimension.
 */
export type FactSizes = Readonly<Record<'shown' | 'stored' | 'base', Float64Array>>;

/** Longest text of all results together that is read for numbers. */
const MAX_TEXTS = 200_000;

/** Reads the evidence; takes time in proportion to it. */
export function createFactBook({ calls, userTexts, metrics, now }: Evidence): FactBook {
  const read = noFacts();
  for (const call of calls) readEvidence(call, now, read);
  const vocabulary = createVocabulary(withCatalogue(read.parameters, metrics), read.couplings);
  const facts = [...read.facts, ...textFacts(read, vocabulary, now), ...metrics.flatMap(thresholdFacts)];
  const userReadings = userTexts.map((text) => readText(text, vocabulary).sentences).flat();
  return {
    facts,
    sizes: sizesOf(facts),
    times: read.times,
    userNumbers: userReadings.flatMap(({ numbers }) => numbers),
    userTimes: userReadings.flatMap(({ times }) => times),
    vocabulary,
    chipIds: read.chipIds,
    outside: read.outside,
    catalogued: new Set(metrics.map(({ name }) => name)),
    now,
  };
}

function sizesOf(facts: readonly Fact[]): FactSizes {
  const empty = (): Float64Array => new Float64Array(facts.length);
  const sizes = { shown: empty(), stored: empty(), base: empty() };
  for (const [index, { value, unit, stored }] of facts.entries()) {
    const size = Math.abs(value);
    sizes.shown[index] = size;
    sizes.stored[index] = stored === null ? Number.NaN : Math.abs(stored.value);
    sizes.base[index] = size * (unit?.factor ?? 1);
  }
  return sizes;
}

function withCatalogue(
  described: ReadonlyMap<string, KnownParameter>,
  metrics: readonly Metric[],
): ReadonlyMap<string, KnownParameter> {
  const all = new Map(described);
  for (const { name, title, unit } of metrics) {
    const known = all.get(name);
    // A result may describe a parameter without its title.
    if (known === undefined) all.set(name, { name, title, unit: unitOrNull(unit) });
    else if (known.title === name) all.set(name, { ...known, title });
  }
  return all;
}

const thresholdFacts = (metric: Metric): readonly Fact[] =>
  [metric.good, metric.excellent, metric.bad].flatMap((value) =>
    value === null || !isRated(metric)
      ? []
      : [fact({ kind: 'threshold', value, unit: unitOrNull(metric.unit), parameter: metric.name })],
  );

/** Numbers in the text of results, bound by their sentences just as those of an answer. */
function textFacts({ texts, times }: ReadFacts, vocabulary: Vocabulary, now: Date): readonly Fact[] {
  const facts: Fact[] = [];
  let room = MAX_TEXTS;
  for (const text of texts) {
    room -= text.text.length;
    if (room < 0) break;
    const reading = readText(text.text, vocabulary);
    for (const sentence of reading.sentences) {
      for (const number of sentence.numbers)
        facts.push(textFact({ reading, sentence, number }, text, vocabulary));
      for (const time of sentence.times) times.push(...textTime(time, text, now));
    }
  }
  return facts;
}

function textFact(
  place: NumberInText & { readonly reading: Reading; readonly number: TextNumber },
  { callId, chipId, subject }: EvidenceText,
  vocabulary: Vocabulary,
): Fact {
  const { reading, number } = place;
  const binding = bind(place, vocabulary);
  const noun = nounAt(reading.plain.slice(number.unitEnd, number.unitEnd + 40).trimStart());
  const { value, unit } = number;
  const subjects = binding.subjects ?? [];
  return fact({
    callId,
    chipId,
    kind: number.isError ? 'error' : kindOfText(number, noun !== null, binding.statistic),
    value,
    unit,
    noun,
    parameter: binding.parameters?.[0] ?? null,
    subject:
      subjects.length > 0 && (subjects.length === 1 || subjects[0]?.includes('-'))
        ? (subjects[0] ?? null)
        : subject,
    isText: true,
    resolution: number.resolution,
  });
}

function kindOfText(
  { isInteger, unit, value, isSigned }: TextNumber,
  isCounted: boolean,
  statistic: FactKind | 'extreme' | null,
): FactKind {
  if (isInteger && unit === null && isCounted) return 'count';
  if (statistic === 'extreme') return 'value';
  if (statistic === 'min' || statistic === 'max') return 'value';
  if (statistic !== null) return statistic;
  if (unit?.dimension === 'sigma') return 'sigma';
  return isSigned && value > 0 ? 'change' : 'other';
}

/** A full date with a time of day; less does not identify a moment. */
function textTime(time: TextTime, { callId, chipId, subject }: EvidenceText, now: Date): readonly TimeFact[] {
  const { year, month, day, hour, minute, second, offsetMinutes } = time;
  if (month === null || day === null) return [];
  const at = Date.UTC(year ?? now.getUTCFullYear(), month - 1, day, hour ?? 0, minute ?? 0, second ?? 0);
  const atMs = at - offsetMinutes * 60_000;
  return [{ callId, chipId, recordId: null, measuredAtMs: null, atMs, subject, parameter: null }];
}
