/** Says what a number of a text is about: which qubit, which parameter, which statistic. */
import type { FactKind } from './fact.ts';
import type { TextNumber } from './find-numbers.ts';
import type { SubjectMention, Vocabulary } from './mentions.ts';
import type { Reading, ReadSentence } from './reading.ts';

/** What a number is about. Null means that the text does not say; a source may then be about anything. */
export type Binding = {
  /** Any of these; null when neither the sentence nor what it continues names a qubit or coupling. */
  readonly subjects: readonly string[] | null;
  /** Whether the sentence itself names them; figures of the chip fit where it does not. */
  readonly isSubjectNamed: boolean;
  readonly parameters: readonly string[] | null;
  readonly isParameterNamed: boolean;
  readonly statistic: FactKind | 'extreme' | null;
};

type Place = { readonly start: number; readonly end: number };
/** The number with its unit as a place in the text. */
type NumberPlace = Pick<TextNumber, 'start' | 'unitEnd' | 'group' | 'unit'>;

const TIGHT_BEFORE =
  /^(?:'s|’s)?[\s:=(≈~<>≤≥–-]*(?:(?:is|was|are|were|at|of|has|have|had|with|shows?|reads?|to|about|around|roughly|only|just|now|a|an|the|its|newest|latest|current|value|stored|live|equals?|は|が|の|で|も|値|現在|最新)[\s:=(≈~]*)*$/iu;
const TIGHT_AFTER =
  /^[\s]*(?:\([\s]*)?(?:(?:for|at|on|of|in|from|by|の|\(in)[\s]+)?(?:(?:the|its|their|qubits?|couplings?|pair)[\s]+)*(?:の)?$/iu;
const LIST_LINK = /^\s*(?:,|,?\s*(?:and|or)|&|\/|、|と|や|および|vs\.?|versus|→|-|–)\s*$/iu;
/** Words by which a sentence without a subject of its own speaks of the whole chip. */
const CHIP_WORDS =
  /\b(?:chip|all|overall|every|each|across|whole|device|others?|best|worst|range|spread)\b|全体|全て|すべて|各/iu;

/** Binds a number of a sentence. */
export function bind(
  reading: Reading,
  sentence: ReadSentence,
  number: NumberPlace,
  vocabulary: Vocabulary,
): Binding {
  const scope = scopeOf(reading, sentence, number);
  const statistic = statisticFor(reading.plain, sentence, number);
  const own = subjectsFor(reading.plain, scope, sentence, number);
  const inherited = inheritedSubjects(reading, sentence, statistic !== null);
  // `Its T1 is 9.7, whereas Q12 has …`: what comes in a later clause is not what this one continues.
  const subjects = own !== null && own.isLater && inherited !== null ? null : (own?.ids ?? null);
  const fits = (names: readonly string[]): boolean => fitsUnit(names, number, vocabulary);
  const parameters = parametersFor(reading.plain, scope, sentence, number, fits);
  return {
    subjects: subjects ?? inherited,
    isSubjectNamed: subjects !== null,
    parameters: parameters ?? inheritedParameters(reading, sentence, fits),
    isParameterNamed: parameters !== null,
    statistic,
  };
}

/** Mentions that may be about a number: of its sentence, or of its cell, row and column. */
type Scope = Pick<ReadSentence, 'subjects' | 'parameters'>;

function scopeOf({ sentences }: Reading, sentence: ReadSentence, number: NumberPlace): Scope {
  if (sentence.kind !== 'row') return sentence;
  const column = sentence.cells.findIndex(({ start, end }) => number.start >= start && number.start < end);
  const header = sentence.headerIndex === null ? undefined : sentences[sentence.headerIndex];
  const cell = sentence.cells[column];
  const headerCell = header?.cells[column];
  const inside = <Item extends Place>(items: readonly Item[], within: Place | undefined): readonly Item[] =>
    within === undefined ? [] : items.filter(({ start }) => start >= within.start && start < within.end);
  const first = <Item>(...lists: readonly (readonly Item[])[]): readonly Item[] =>
    lists.find((list) => list.length > 0) ?? [];
  return {
    subjects: first(
      inside(sentence.subjects, cell),
      sentence.subjects.slice(0, 1),
      inside(header?.subjects ?? [], headerCell),
    ),
    parameters: first(
      inside(sentence.parameters, cell),
      inside(header?.parameters ?? [], headerCell),
      sentence.parameters.slice(0, 1),
    ),
  };
}

function subjectsFor(
  plain: string,
  scope: Scope,
  sentence: ReadSentence,
  number: NumberPlace,
): { readonly ids: readonly string[]; readonly isLater: boolean } | null {
  if (scope.subjects.length === 0) return null;
  const own = scope.subjects.filter(({ isComparison }) => !isComparison);
  const mention = nearest(plain, own.length > 0 ? own : scope.subjects, sentence, number);
  if (mention === null) return null;
  const group = groupOf(plain, scope.subjects, mention);
  const ids = group.length > 1 ? ofGroup(group, sentence, number).flatMap((each) => each.ids) : mention.ids;
  return { ids, isLater: /[,;、]/u.test(plain.slice(number.unitEnd, mention.start)) };
}

function parametersFor(
  plain: string,
  scope: Scope,
  sentence: ReadSentence,
  number: NumberPlace,
  fits: (names: readonly string[]) => boolean,
): readonly string[] | null {
  const fitting = scope.parameters.filter(({ names }) => fits(names));
  const mention = nearest(plain, fitting, sentence, number);
  // A percentage beside T1 is no fidelity of another sentence.
  if (mention === null) return scope.parameters.length > 0 ? [] : null;
  const group = groupOf(plain, fitting, mention);
  return group.length > 1 ? ofGroup(group, sentence, number).flatMap(({ names }) => names) : mention.names;
}

/** `Q12 and Q13 have 59.5 and 78.1`: as many numbers as things are told in their order, else each may be about all. */
function ofGroup<Item>(
  group: readonly Item[],
  { numbers }: ReadSentence,
  number: NumberPlace,
): readonly Item[] {
  const listed = numbers.filter((each) => each.group === number.group && !each.isError);
  const index = listed.findIndex(({ start }) => start === number.start);
  const own = listed.length === group.length ? group[index] : undefined;
  return own === undefined ? group : [own];
}

/** Right before it, else right behind it, else the last one before it, else the next one. In another cell, the first. */
function nearest<Item extends Place>(
  plain: string,
  items: readonly Item[],
  sentence: ReadSentence,
  number: NumberPlace,
): Item | null {
  const before = items.findLast(({ end }) => end <= number.start);
  const after = items.find(({ start }) => start >= number.unitEnd);
  const blanked = (from: number, to: number): string => withoutMentions(plain, from, to, sentence);
  if (before !== undefined && before.start < sentence.start) return before;
  if (before !== undefined && TIGHT_BEFORE.test(blanked(before.end, number.start))) return before;
  if (after !== undefined && TIGHT_AFTER.test(blanked(number.unitEnd, after.start))) return after;
  if (before !== undefined || after === undefined) return before ?? null;
  // In brackets behind another number it is that number's.
  const isTaken = sentence.numbers.some(
    ({ unitEnd }) =>
      unitEnd > number.unitEnd &&
      unitEnd <= after.start &&
      /^\s*\(\s*$/u.test(plain.slice(unitEnd, after.start)),
  );
  return isTaken ? null : after;
}

function withoutMentions(
  plain: string,
  from: number,
  to: number,
  { parameters, statistics }: ReadSentence,
): string {
  let text = plain.slice(from, to);
  for (const { start, end } of [...parameters, ...statistics]) {
    if (start >= from && end <= to)
      text = text.slice(0, start - from) + ' '.repeat(end - start) + text.slice(end - from);
  }
  return text;
}

/** The enumeration that a mention stands in. */
function groupOf<Item extends Place>(plain: string, items: readonly Item[], mention: Item): readonly Item[] {
  const at = items.indexOf(mention);
  const isLinked = (index: number): boolean => {
    const [a, b] = [items[index], items[index + 1]];
    return (
      a !== undefined &&
      b !== undefined &&
      LIST_LINK.test(plain.slice(a.end, b.start).replace(/(?:qubit|its|the)\s/giu, ''))
    );
  };
  let [from, to] = [at, at];
  while (from > 0 && isLinked(from - 1)) from -= 1;
  while (isLinked(to)) to += 1;
  return items.slice(from, to + 1);
}

/** A statistic right beside the number, before it in the same clause, or at the head of the sentence: `On average, …`. */
function statisticFor(plain: string, sentence: ReadSentence, number: NumberPlace): Binding['statistic'] {
  const before = sentence.statistics.findLast(({ end }) => end <= number.start);
  const after = sentence.statistics.find(({ start }) => start >= number.unitEnd);
  if (before !== undefined) {
    const gap = withoutMentions(plain, before.end, number.start, sentence);
    const isSubjectBetween = sentence.subjects.some(
      ({ start, end }) => start >= before.end && end <= number.start,
    );
    const isClause = !/[,;(\d、]/u.test(gap) && gap.length <= 60;
    const isOwn = !isSubjectBetween || TIGHT_BEFORE.test(gap) || STATISTIC_OF.test(gap);
    const isOfAll =
      /^\s*,/u.test(gap) &&
      /^\W*(?:on|in|taken as)?\s*(?:the|an)?\s*$/iu.test(plain.slice(sentence.start, before.start));
    if ((isClause && isOwn) || isOfAll) return before.statistic;
  }
  const isAfter =
    after !== undefined && /^\s*(?:\(|on |as |in |の)?\s*$/u.test(plain.slice(number.unitEnd, after.start));
  return isAfter ? after.statistic : null;
}

/** `the mean of Q12 is`: the statistic is the qubit's own. */
const STATISTIC_OF = /^\s*(?:values?\s)?\s*(?:of|for|の)\s/iu;

/** Longest way back to what a sentence continues. */
const MAX_LEADS = 40;

function inheritedSubjects(
  reading: Reading,
  sentence: ReadSentence,
  hasStatistic: boolean,
): readonly string[] | null {
  if (hasStatistic || CHIP_WORDS.test(reading.plain.slice(sentence.start, sentence.end))) return null;
  const lead = leadWith(reading, sentence, ({ subjects }) => subjects.length > 0);
  return lead === null ? null : lead.subjects.flatMap(({ ids }: SubjectMention) => ids);
}

function inheritedParameters(
  reading: Reading,
  sentence: ReadSentence,
  fits: (names: readonly string[]) => boolean,
): readonly string[] | null {
  const lead = leadWith(reading, sentence, ({ parameters }) => parameters.some(({ names }) => fits(names)));
  return lead?.parameters.filter(({ names }) => fits(names)).flatMap(({ names }) => names) ?? null;
}

function leadWith(
  { sentences }: Reading,
  sentence: ReadSentence,
  isFound: (lead: ReadSentence) => boolean,
): ReadSentence | null {
  let index = sentence.leadIndex;
  for (let steps = 0; index !== null && steps < MAX_LEADS; steps += 1) {
    const lead: ReadSentence | undefined = sentences[index];
    if (lead === undefined) return null;
    if (isFound(lead)) return lead;
    index = lead.leadIndex;
  }
  return null;
}

/** Whether a number in its unit can be a value of one of these parameters; a ratio of any. */
function fitsUnit(names: readonly string[], { unit }: NumberPlace, { parameters }: Vocabulary): boolean {
  const comparable = new Set(['ratio', 'factor', 'sigma', 'points']);
  if (unit === null) return true;
  return names.some((name) => {
    const known = parameters.get(name)?.unit;
    return (
      known === undefined ||
      known === null ||
      known.dimension === unit.dimension ||
      (comparable.has(unit.dimension) && unit.symbol !== '%')
    );
  });
}
