/** Determines what a number of a text is about: qubit, parameter, statistic. */
import type { FactKind } from './fact.ts';
import type { SubjectMention, Vocabulary } from './mentions.ts';
import { groupOf, inOrderOf, nearest, type NumberInText, type NumberPlace, type Place } from './near.ts';
import type { Reading, ReadSentence } from './reading.ts';
import { statisticFor } from './statistic-binding.ts';

/** What a number is about. Null where the text does not say; any source may then match. */
export type Binding = {
  /** Any of these; null when neither the sentence nor what it continues names a qubit or coupling. */
  readonly subjects: readonly string[] | null;
  /** Whether the sentence itself names them; figures of the chip fit where it does not. */
  readonly isSubjectNamed: boolean;
  readonly parameters: readonly string[] | null;
  readonly isParameterNamed: boolean;
  readonly statistic: FactKind | 'extreme' | null;
};

/** Words by which a sentence without a subject refers to the whole chip. */
const CHIP_WORDS =
  /\b(?:chip|all|overall|every|each|across|whole|device|others?|best|worst|range|spread)\b|全体|全て|すべて|各/iu;

/** Binds a number of a sentence. */
export function bind(place: NumberInText & { readonly reading: Reading }, vocabulary: Vocabulary): Binding {
  const { reading, sentence, number } = place;
  const scope = scopeOf(reading, sentence, number);
  const statistic = statisticFor(place);
  const own = subjectsFor(place, scope);
  const inherited = inheritedSubjects(reading, sentence, statistic !== null);
  // `Its T1 is 9.7, whereas Q12 has …`: what comes in a later clause is not what this one continues.
  const subjects = own !== null && own.isLater && inherited !== null ? null : (own?.ids ?? null);
  const fits = (names: readonly string[]): boolean => fitsUnit(names, number, vocabulary);
  const parameters = parametersFor(place, scope, fits);
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
  place: NumberInText,
  scope: Scope,
): { readonly ids: readonly string[]; readonly isLater: boolean } | null {
  const {
    reading: { plain },
    sentence,
    number,
  } = place;
  if (scope.subjects.length === 0) return null;
  const own = scope.subjects.filter(({ isComparison }) => !isComparison);
  const mention = nearest(own.length > 0 ? own : scope.subjects, place);
  if (mention === null) return null;
  const group = groupOf(plain, scope.subjects, mention);
  const ids = group.length > 1 ? inOrderOf(group, sentence, number).flatMap((each) => each.ids) : mention.ids;
  return { ids, isLater: /[,;、]/u.test(plain.slice(number.unitEnd, mention.start)) };
}

function parametersFor(
  place: NumberInText,
  scope: Scope,
  fits: (names: readonly string[]) => boolean,
): readonly string[] | null {
  const fitting = scope.parameters.filter(({ names }) => fits(names));
  const mention = nearest(fitting, place);
  // A percentage next to T1 is not the fidelity of another sentence.
  if (mention === null) return scope.parameters.length > 0 && fitting.length === 0 ? [] : null;
  const group = groupOf(place.reading.plain, fitting, mention);
  return group.length > 1
    ? inOrderOf(group, place.sentence, place.number).flatMap(({ names }) => names)
    : mention.names;
}

/** How many sentences back a continued sentence may be. */
const MAX_LEADS = 40;

function inheritedSubjects(
  reading: Reading,
  sentence: ReadSentence,
  hasStatistic: boolean,
): readonly string[] | null {
  const lead = hasStatistic ? null : leadWith(reading, sentence, ({ subjects }) => subjects.length > 0);
  if (lead === null || CHIP_WORDS.test(reading.plain.slice(sentence.start, sentence.end))) return null;
  return lead.subjects.flatMap(({ ids }: SubjectMention) => ids);
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
