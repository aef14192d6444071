/** Sentences about the health of a chip and the states of its parts. */
import { componentWords, type ChipHealth } from '../../domain/chip/chip-health.ts';
import type { Falls, PartFall } from '../../domain/chip/part-falls.ts';
import type { PartProblem } from '../../domain/chip/part-problems.ts';
import type { PartStatus } from '../../domain/chip/part-state.ts';
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import { firstWords, front, ranked, tiedSentences } from '../../domain/claims/ranked.ts';
import { qidLabel } from '../../domain/qid.ts';
import { countOf, formatQuantity, joinWords } from '../../domain/text/display-text.ts';
import { isOnlyOld, type PartState } from '../../domain/values/current.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { tellingOf } from '../../domain/values/switches.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { pastSentences } from './words.ts';

/** Parts with problems that are named, problems of each, and parts of one state. */
const NAMED_TROUBLED = 6;
const NAMED_PROBLEMS = 2;
const NAMED_PARTS = 4;

/** What the score is made of; nothing for one that is only of ratings. */
export function componentSentences({ components }: ChipHealth): readonly string[] {
  if (components.length === 0) return [];
  return [`The score: ${components.map(componentWords).join('; ')}.`];
}

type Size = Pick<Chip, 'size'>;

/** What is wrong with a part, in words, and how urgent it is. */
type Trouble = { readonly severity: number; readonly words: string };
type Troubled = { readonly qid: string; readonly troubles: readonly Trouble[] };

/**
 * The parts that need attention: those whose values are furthest past their limits, and those that fell furthest, on one
 * scale.
 */
export function problemSentences(
  { problems }: ChipHealth,
  { falls, notJudged }: Falls,
  { size }: Size,
): readonly string[] {
  const all = [
    ...problems.map((problem) => ({ ...problem, words: problemWords(problem) })),
    ...falls.map((fall) => ({ ...fall, words: fallWords(fall) })),
  ];
  const parts = [...Map.groupBy(all, ({ kind, qid }) => `${kind} ${qid}`).values()].flatMap(
    (troubles): Troubled[] => {
      const [first] = troubles;
      const worstFirst = troubles.toSorted((a, b) => b.severity - a.severity);
      return first === undefined ? [] : [{ qid: first.qid, troubles: worstFirst }];
    },
  );
  const claim = ranked(parts, {
    order: 'worst',
    descending: true,
    by: ({ troubles }) => Math.max(...troubles.map(({ severity }) => severity)),
  });
  const { shown, tiedBehind } = front(claim, NAMED_TROUBLED);
  if (shown.length === 0) return notJudgedSentences(notJudged);
  const words = shown.map(({ row }) => `${qidLabel(row.qid, size)} ${troubleWords(row.troubles)}`);
  const fallen =
    falls.length === 0
      ? ''
      : `; ${countOf(falls.length, 'value')} ${falls.length === 1 ? 'is' : 'are'} much worse than a week before`;
  const by =
    falls.length === 0 ? 'By the distance past the limits' : 'By the distance past the limits or the fall';
  return [
    `Problems: ${countOf(problems.length, 'value')} worse than good, on ${countOf(parts.length, 'part')}${fallen}. ${by}, ${firstWords(claim)}: ${words.join('; ')}.`,
    ...tiedSentences(tiedBehind),
    ...notJudgedSentences(notJudged),
  ];
}

/** Why nothing is claimed of values that got worse. */
const notJudgedSentences = (titles: readonly string[]): readonly string[] =>
  titles.length === 0
    ? []
    : [`Falls not judged, without recorded errors and with too few earlier changes: ${joinWords(titles)}.`];

const problemWords = ({ title, value, unit, rating, threshold }: PartProblem): string =>
  `${title} ${formatQuantity(value, unit)} (${rating.toLowerCase()}, limit ${formatQuantity(threshold, unit)})`;

const FALL_UNITS = { ERRORS: 'standard errors', EARLIER_CHANGES: 'usual changes' } as const;

const fallWords = ({ title, before, after, unit, basis, sigma }: PartFall): string =>
  `${title} from ${formatQuantity(before, unit)} to ${formatQuantity(after, unit)} (${sigma.toFixed(1)} ${FALL_UNITS[basis]})`;

function troubleWords(troubles: readonly Trouble[]): string {
  const named = troubles.slice(0, NAMED_PROBLEMS).map(({ words }) => words);
  const more = troubles.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type TroubledState = Exclude<PartState, 'ENABLED'>;
const TROUBLED_STATES = ['DISABLED', 'MISSING', 'DOUBTFUL'] as const;

/** Which parts are disabled, missing or doubtful; doubts of age alone show in the score. */
export const partSentences = (parts: readonly PartStatus[], chip: Size): readonly string[] => [
  ...TROUBLED_STATES.flatMap((state) => stateSentence(state, presentOf(parts), chip)),
  ...pastSentences(parts.map(({ qid, lastSeenAt }) => ({ label: qidLabel(qid, chip.size), lastSeenAt }))),
];

/** The counts of {@link partSentences}. */
export const stateCounts = (parts: readonly PartStatus[]): JsonObject[] =>
  TROUBLED_STATES.flatMap((state) =>
    partsIn(state, presentOf(parts)).flatMap((found) => {
      const [first] = found;
      return first === undefined
        ? []
        : [{ state: state.toLowerCase(), parameter: first.value.name, count: found.length }];
    }),
  );

/** Parts in a state, by kind and parameter. */
function partsIn(state: TroubledState, parts: readonly PartStatus[]): readonly (readonly Found[])[] {
  const found = parts.flatMap(({ kind, qid, parameters }) =>
    tellingOf(parameters).flatMap((value) =>
      value.state === state && !isOnlyOld(value) ? [{ kind, qid, value }] : [],
    ),
  );
  return [...Map.groupBy(found, ({ kind, value }) => `${kind} ${value.name}`).values()];
}

const STATE_WORDS: Readonly<Record<TroubledState, string>> = {
  DISABLED: 'Disabled',
  MISSING: 'Missing',
  DOUBTFUL: 'Doubtful',
};

function stateSentence(state: TroubledState, parts: readonly PartStatus[], chip: Size): readonly string[] {
  const byName = partsIn(state, parts);
  // Parameters of the same parts share one sentence.
  const groups = Map.groupBy(byName, ([first, ...rest]) =>
    [first?.kind, ...[first, ...rest].map((each) => each?.qid)].join(' '),
  );
  const words = [...groups.values()].map((group) => groupWords(group, parts, chip));
  return words.length === 0 ? [] : [`${STATE_WORDS[state]}: ${words.join('; ')}.`];
}

type Found = { readonly kind: MetricScope; readonly qid: string; readonly value: ParameterValue };

/** `CZ Gate Fidelity on 22 of 300 couplings (Q032-Q033, Q033-Q032 and 20 more)`. */
function groupWords(
  group: readonly (readonly Found[])[],
  parts: readonly PartStatus[],
  { size }: Size,
): string {
  const [of = []] = group;
  const kind = of[0]?.kind ?? 'QUBIT';
  const titles = group.flatMap(([first]) => first?.value.title ?? []);
  const all = parts.filter((part) => part.kind === kind).length;
  const labels = of.slice(0, NAMED_PARTS).map(({ qid }) => qidLabel(qid, size));
  const more = of.length - labels.length;
  const named = of.length === all ? '' : ` (${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
  return `${titles.join(', ')} on ${of.length} of ${countOf(all, kind === 'QUBIT' ? 'qubit' : 'coupling')}${named}`;
}
