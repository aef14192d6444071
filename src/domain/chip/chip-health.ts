/**
 * The health of a chip in one number, and what it is made of.
 *
 * The score is the mean worth of the chip's *places*: one for each rated parameter that a part has or should have. A
 * value is worth 3 (excellent), 2 (good), 1 (fair) or 0 (bad); a disabled or missing one is worth nothing. What is older
 * than its metric allows loses worth with the square root of its age, as the uncertainty of a random walk grows: nobody
 * knows what became of it. Qubits and two-qubit gates count half each, however many there are, since a circuit needs
 * both.
 */
import { countOf } from '../text/display-text.ts';
import type { Metric, MetricCatalog, MetricScope, Rating } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { PartStatus } from './part-state.ts';
import { problemsOf, type PartProblem } from './part-problems.ts';

/** Labels of a chip's score. */
export const HEALTH_LABELS = ['EXCELLENT', 'GOOD', 'FAIR', 'POOR', 'UNKNOWN'] as const;
export type HealthLabel = (typeof HEALTH_LABELS)[number];

/** What a score is made of. The first two add to it, the others take away what these would add. */
export const HEALTH_COMPONENTS = ['QUBITS', 'GATES', 'DISABLED', 'MISSING', 'AGE'] as const;
export type HealthComponentName = (typeof HEALTH_COMPONENTS)[number];

/** One part of a score; the contributions add up to the score. */
export type HealthComponent = {
  readonly name: HealthComponentName;
  /** Values, places or old values that it is about. */
  readonly count: number;
  /** Share of the score that it decides, 0 to 1. */
  readonly weight: number;
  readonly contribution: number;
  /** What it is about: `532 values of qubits`. */
  readonly title: string;
  /** Why it has this weight. */
  readonly reason: string;
};

/** `+1.05 532 values of qubits`. */
export function componentWords({ contribution, title }: HealthComponent): string {
  const size = Math.abs(contribution);
  // What one part of a large chip adds may be less than two decimals show.
  return `${contribution < 0 ? '−' : '+'}${size < 0.005 ? size.toPrecision(1) : size.toFixed(2)} ${title}`;
}

/** 0 to 3; null where nothing is rated, disabled or missing. */
export type ChipHealth = {
  readonly score: number | null;
  readonly label: HealthLabel;
  readonly components: readonly HealthComponent[];
  /** Current values of qubits and couplings by rating; `poor` counts FAIR and BAD. */
  readonly excellent: number;
  readonly good: number;
  readonly poor: number;
  readonly fair: number;
  readonly bad: number;
  /** Values of qubits and couplings that are worse than good, the furthest past their limits first. */
  readonly problems: readonly PartProblem[];
};

/** Current values of one qubit or coupling. */
export type PartParameters = { readonly qid: string; readonly parameters: readonly ParameterValue[] };

/** All that a score is made of; `status` is of the same parts, with what they lack. */
export type HealthInput = {
  readonly qubits: readonly PartParameters[];
  readonly couplings: readonly PartParameters[];
  readonly status: readonly PartStatus[];
  readonly metrics: MetricCatalog;
  readonly now: Date;
};

const POINTS: Readonly<Record<Rating, number | null>> = {
  EXCELLENT: 3,
  GOOD: 2,
  FAIR: 1,
  BAD: 0,
  UNKNOWN: null,
};

/** Scores the current state of a chip. */
export function chipHealth({ qubits, couplings, status, metrics, now }: HealthInput): ChipHealth {
  const groups = [
    placesOf('QUBIT', qubits, status, metrics, now),
    placesOf('COUPLING', couplings, status, metrics, now),
  ].filter(({ places }) => places > 0);
  const components = componentsOf(groups);
  const score =
    groups.length === 0 ? null : components.reduce((sum, { contribution }) => sum + contribution, 0);
  const count = (rating: Rating): number => groups.reduce((sum, group) => sum + group.ratings[rating], 0);
  return {
    // Rounding of the sum must not put a score outside its scale.
    score: score === null ? null : Math.min(3, Math.max(0, score)),
    label: labelOf(score),
    components,
    excellent: count('EXCELLENT'),
    good: count('GOOD'),
    poor: count('FAIR') + count('BAD'),
    fair: count('FAIR'),
    bad: count('BAD'),
    problems: problemsOf(qubits, couplings, metrics),
  };
}

function labelOf(score: number | null): HealthLabel {
  if (score === null) return 'UNKNOWN';
  if (score >= 2.5) return 'EXCELLENT';
  if (score >= 2) return 'GOOD';
  return score >= 1 ? 'FAIR' : 'POOR';
}

/** The places of one kind of part. */
type Places = {
  readonly kind: MetricScope;
  readonly ratings: Readonly<Record<Rating, number>>;
  readonly rated: number;
  /** Sum of the points of rated values, and of what these lose by age. */
  readonly points: number;
  readonly lostByAge: number;
  readonly old: number;
  /** Hours of the oldest value that is older than allowed. */
  readonly oldestHours: number;
  readonly disabled: number;
  readonly missing: number;
  readonly places: number;
  /** Gates that are disabled wherever the chip has them while another gate works: it does not offer them. */
  readonly notOffered: readonly string[];
};

function placesOf(
  kind: MetricScope,
  parts: readonly PartParameters[],
  status: readonly PartStatus[],
  metrics: MetricCatalog,
  now: Date,
): Places {
  const notOffered = gatesNotOffered(kind, parts, metrics);
  const ratings = { EXCELLENT: 0, GOOD: 0, FAIR: 0, BAD: 0, UNKNOWN: 0 };
  let [points, lostByAge, old, oldestHours, disabled] = [0, 0, 0, 0, 0];
  for (const { parameters } of parts) {
    for (const parameter of parameters) {
      const metric = metrics.find(parameter.name, kind);
      if (parameter.state === 'DISABLED') {
        if (metric?.good != null && !notOffered.has(parameter.name)) disabled += 1;
        continue;
      }
      const own = POINTS[parameter.rating];
      if (own === null) continue;
      ratings[parameter.rating] += 1;
      points += own;
      if (!parameter.isStale) continue;
      const hours = hoursOld(parameter, now);
      old += 1;
      oldestHours = Math.max(oldestHours, hours);
      lostByAge += own * (1 - worthOf(hours, metric));
    }
  }
  const rated = ratings.EXCELLENT + ratings.GOOD + ratings.FAIR + ratings.BAD;
  const missing = status
    .filter((part) => part.kind === kind)
    .reduce((sum, { parameters }) => sum + parameters.filter(({ state }) => state === 'MISSING').length, 0);
  return {
    kind,
    ratings,
    rated,
    points,
    lostByAge,
    old,
    oldestHours,
    disabled,
    missing,
    places: rated + disabled + missing,
    notOffered: [...notOffered].map((name) => metrics.find(name, kind)?.title ?? name),
  };
}

const hoursOld = ({ calibratedAt }: ParameterValue, now: Date): number =>
  calibratedAt === null ? 0 : (now.getTime() - calibratedAt.getTime()) / 3_600_000;

const worthOf = (hours: number, metric: Metric | null): number =>
  Math.min(1, Math.sqrt((metric?.staleAfterHours ?? hours) / hours));

function gatesNotOffered(
  kind: MetricScope,
  parts: readonly PartParameters[],
  metrics: MetricCatalog,
): ReadonlySet<string> {
  const works = new Map<string, boolean>();
  for (const { parameters } of parts) {
    for (const { name, state } of parameters) {
      if ((metrics.find(name, kind)?.disabledAt ?? null) === null) continue;
      works.set(name, (works.get(name) ?? false) || state !== 'DISABLED');
    }
  }
  const anyWorks = [...works.values()].includes(true);
  return new Set(anyWorks ? [...works].flatMap(([name, does]) => (does ? [] : [name])) : []);
}

const PARTS = {
  QUBIT: { name: 'QUBITS', noun: 'qubits', gate: 'gate of one qubit' },
  COUPLING: { name: 'GATES', noun: 'two-qubit gates', gate: 'two-qubit gate' },
} as const;

function componentsOf(groups: readonly Places[]): readonly HealthComponent[] {
  const weight = 1 / Math.max(1, groups.length);
  const sum = (of: (group: Places) => number): number => groups.reduce((total, each) => total + of(each), 0);
  const shareOf = (of: (group: Places) => number): number => sum((each) => (weight * of(each)) / each.places);
  const meanOf = ({ points, rated }: Places): number => (rated === 0 ? 0 : points / rated);
  const lossOf = (count: (group: Places) => number): number => -shareOf((each) => meanOf(each) * count(each));
  const losses: readonly HealthComponent[] = [
    {
      name: 'DISABLED',
      count: sum(({ disabled }) => disabled),
      weight: shareOf(({ disabled }) => disabled),
      contribution: lossOf(({ disabled }) => disabled),
      title: countOf(
        sum(({ disabled }) => disabled),
        'disabled gate',
      ),
      reason: 'a disabled gate is worth nothing; its weight is its share of the places',
    },
    {
      name: 'MISSING',
      count: sum(({ missing }) => missing),
      weight: shareOf(({ missing }) => missing),
      contribution: lossOf(({ missing }) => missing),
      title: countOf(
        sum(({ missing }) => missing),
        'missing value',
      ),
      reason: 'a missing value is worth nothing; its weight is its share of the places',
    },
    {
      name: 'AGE',
      count: sum(({ old }) => old),
      weight: shareOf(({ old }) => old),
      contribution: -shareOf(({ lostByAge }) => lostByAge),
      title: `${countOf(
        sum(({ old }) => old),
        'value',
      )} older than allowed, up to ${ageWords(Math.max(...groups.map(({ oldestHours }) => oldestHours)))}`,
      reason: 'past its limit, the worth of a value falls with the square root of its age',
    },
  ];
  return [
    ...groups.map((group): HealthComponent => ({
      name: PARTS[group.kind].name,
      count: group.rated,
      weight,
      contribution: weight * meanOf(group),
      title: `${countOf(group.rated, 'value')} of ${PARTS[group.kind].noun}`,
      reason: `${Math.round(100 * weight)} % of the score, ${ratedWords(group)}`,
    })),
    ...losses.filter(({ count }) => count > 0),
  ];
}

function ratedWords({ kind, ratings, rated, disabled, notOffered }: Places): string {
  const without =
    notOffered.length === 0 ? '' : `; ${notOffered.join(', ')} does not count: disabled everywhere`;
  if (rated === 0)
    return `${disabled > 0 ? `every ${PARTS[kind].gate} is disabled` : 'nothing is rated'}${without}`;
  const { EXCELLENT, GOOD, FAIR, BAD } = ratings;
  return `the mean of ${EXCELLENT} excellent (3), ${GOOD} good (2), ${FAIR} fair (1) and ${BAD} bad values (0)${without}`;
}

const ageWords = (hours: number): string =>
  hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');
