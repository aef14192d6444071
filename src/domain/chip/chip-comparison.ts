/**
 * A chip at one point in time against the same chip at a later one: which parts appeared, disappeared, were disabled or
 * enabled, and which values moved. Pure; works on described values, so that "current" means here what it means
 * everywhere.
 */
import { compareQids, twinOf } from '../qid.ts';
import type { Metric, MetricCatalog, MetricScope } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import { statisticsOf } from '../values/statistics.ts';

/** What can happen to a part or to one of its values. */
export const CHIP_CHANGE_KINDS = ['APPEARED', 'DISAPPEARED', 'DISABLED', 'ENABLED', 'MOVED'] as const;
export type ChipChangeKind = (typeof CHIP_CHANGE_KINDS)[number];

/** A qubit or coupling, and its values at one point in time. */
export type PartValues = {
  readonly scope: MetricScope;
  readonly qid: string;
  readonly label: string;
  readonly parameters: readonly ParameterValue[];
};

/** One change. Numbers are in display scale. */
export type ChipChange = {
  readonly kind: ChipChangeKind;
  readonly scope: MetricScope;
  readonly qid: string;
  readonly label: string;
  /** Null where the part itself appeared or disappeared. */
  readonly parameter: string | null;
  readonly title: string | null;
  readonly unit: string | null;
  readonly before: ParameterValue | null;
  readonly after: ParameterValue | null;
  /** `after` minus `before`; null unless both have a number. */
  readonly difference: number | null;
  /** The difference in standard errors of both values combined; null where these are not recorded. */
  readonly sigma: number | null;
  /** By the metric's direction; null where neither way is better. */
  readonly better: boolean | null;
};

/** What happened to one parameter over all parts that have it. Numbers are in display scale. */
export type ParameterShift = {
  readonly scope: MetricScope;
  readonly parameter: string;
  readonly title: string;
  readonly unit: string;
  /** Parts with a current number at both times; medians and means are over these alone. */
  readonly compared: number;
  /** Of these, parts whose number differs. */
  readonly moved: number;
  /** Of these, parts that have the same result at both times: nothing was measured in between. */
  readonly notRemeasured: number;
  readonly better: number;
  readonly worse: number;
  /** Parts that moved by more than three standard errors; null where no moved part has errors. */
  readonly significant: number | null;
  readonly disabled: number;
  readonly enabled: number;
  /** Parts that have the parameter only at the later time. */
  readonly appeared: number;
  readonly medianBefore: number | null;
  readonly medianAfter: number | null;
  readonly meanBefore: number | null;
  readonly meanAfter: number | null;
};

/** A chip at `from` against the same chip at `to`. */
export type ChipComparison = {
  readonly from: Date;
  readonly to: Date;
  /** Parts at each time. */
  readonly partsBefore: number;
  readonly partsAfter: number;
  /** By kind in the order of {@link CHIP_CHANGE_KINDS}, then parameter, then part; moves by size, greatest first. */
  readonly changes: readonly ChipChange[];
  /** In the catalogue's order; qubits before couplings. */
  readonly parameters: readonly ParameterShift[];
};

/** Parts at both times: one that did not exist yet, or no longer, is not in the list. */
export type ChipComparisonInput = {
  readonly from: Date;
  readonly to: Date;
  readonly before: readonly PartValues[];
  readonly after: readonly PartValues[];
  readonly metrics: MetricCatalog;
};

/** Significance of a move, in standard errors. */
export const SIGNIFICANT_SIGMA = 3;

/** Compares two states of a chip. */
export function compareChip({ from, to, before, after, metrics }: ChipComparisonInput): ChipComparison {
  const pairs = pairsOf(before, after);
  const changes = pairs.flatMap((pair) => changesOf(pair, metrics));
  const names = (scope: MetricScope) =>
    metrics.inOrder(
      [...before, ...after].flatMap((part) =>
        part.scope === scope ? part.parameters.map(({ name }) => name) : [],
      ),
    );
  const shifts = (['QUBIT', 'COUPLING'] as const).flatMap((scope) =>
    names(scope).map((name) => shiftOf(name, scope, pairs, changes)),
  );
  return {
    from,
    to,
    partsBefore: before.length,
    partsAfter: after.length,
    changes: changes.toSorted((a, b) => compareChanges(a, b, metrics)),
    parameters: shifts,
  };
}

/** A part at both times; `after` decides its name. */
type Pair = { readonly before: PartValues | null; readonly after: PartValues | null };

/**
 * By id. A coupling that only changed its direction is the same part, and one of two directions that comes or goes is
 * neither new nor lost: its twin is there at both times.
 */
function pairsOf(before: readonly PartValues[], after: readonly PartValues[]): readonly Pair[] {
  const earlier = new Map(before.map((part) => [keyOf(part), part]));
  const later = new Map(after.map((part) => [keyOf(part), part]));
  const isOnly = (parts: ReadonlyMap<string, PartValues>, part: PartValues) => !parts.has(twinKeyOf(part));
  const exact = after.flatMap((part): Pair[] => {
    const same = earlier.get(keyOf(part));
    if (same) return [{ before: same, after: part }];
    const twin = earlier.get(twinKeyOf(part));
    if (twin === undefined) return [{ before: null, after: part }];
    return isOnly(later, part) ? [{ before: twin, after: part }] : [];
  });
  const gone = before.filter((part) => !later.has(keyOf(part)) && isOnly(later, part));
  return [...exact, ...gone.map((part) => ({ before: part, after: null }))];
}

const keyOf = ({ scope, qid }: PartValues): string => `${scope} ${qid}`;
const twinKeyOf = ({ scope, qid }: PartValues): string => `${scope} ${twinOf(qid)}`;

function changesOf({ before, after }: Pair, metrics: MetricCatalog): readonly ChipChange[] {
  if (before === null && after !== null) return [ofPart('APPEARED', after)];
  if (after === null && before !== null) return [ofPart('DISAPPEARED', before)];
  if (before === null || after === null) return [];
  const held = new Map(before.parameters.map((value) => [value.name, value]));
  return after.parameters.flatMap((value) => {
    const metric = metrics.find(value.name, after.scope);
    return changeOf(after, held.get(value.name) ?? null, value, metric) ?? [];
  });
}

const ofPart = (kind: ChipChangeKind, { scope, qid, label }: PartValues): ChipChange => ({
  kind,
  scope,
  qid,
  label,
  parameter: null,
  title: null,
  unit: null,
  before: null,
  after: null,
  difference: null,
  sigma: null,
  better: null,
});

/** Null where the value is the same. */
function changeOf(
  part: PartValues,
  before: ParameterValue | null,
  after: ParameterValue,
  metric: Metric | null,
): ChipChange | null {
  const kind = kindOf(before, after);
  if (kind === null) return null;
  const difference = kind === 'MOVED' ? differenceOf(before, after) : null;
  const better = difference === null ? null : isBetter(difference, metric);
  return {
    kind,
    scope: part.scope,
    qid: part.qid,
    label: part.label,
    parameter: after.name,
    title: after.title,
    unit: after.displayUnit,
    before,
    after,
    difference,
    sigma: difference === null ? null : sigmaOf(difference, before, after),
    better,
  };
}

function kindOf(before: ParameterValue | null, after: ParameterValue): ChipChangeKind | null {
  if (before === null) return 'APPEARED'; // also where its first result marks it as disabled
  const [was, is] = [before.state === 'DISABLED', after.state === 'DISABLED'];
  if (is) return was ? null : 'DISABLED';
  if (was) return 'ENABLED';
  return before.displayValue === after.displayValue && before.text === after.text ? null : 'MOVED';
}

/** In the unit that is shown; null for words, and for units of different kinds. */
function differenceOf(before: ParameterValue | null, after: ParameterValue): number | null {
  if (before === null || before.displayValue === null || after.displayValue === null) return null;
  if (before.displayUnit !== after.displayUnit) return null;
  const difference = after.displayValue - before.displayValue;
  return Number.isFinite(difference) ? difference : null;
}

function sigmaOf(difference: number, before: ParameterValue | null, after: ParameterValue): number | null {
  if (!before?.displayError || !after.displayError) return null;
  const sigma = difference / Math.hypot(before.displayError, after.displayError);
  return Number.isFinite(sigma) ? sigma : null;
}

function isBetter(difference: number, metric: Metric | null): boolean | null {
  if (metric === null || metric.direction === 'NEUTRAL' || difference === 0) return null;
  return difference > 0 === (metric.direction === 'HIGHER_IS_BETTER');
}

function shiftOf(
  parameter: string,
  scope: MetricScope,
  pairs: readonly Pair[],
  changes: readonly ChipChange[],
): ParameterShift {
  const valueIn = (part: PartValues | null) =>
    part?.scope === scope ? (part.parameters.find(({ name }) => name === parameter) ?? null) : null;
  const values = pairs.map(({ before, after }) => ({ before: valueIn(before), after: valueIn(after) }));
  const [named] = values.flatMap(({ before, after }) => after ?? before ?? []);
  const compared = values.flatMap(({ before, after }) =>
    before !== null && after !== null && differenceOf(before, after) !== null ? [{ before, after }] : [],
  );
  const own = changes.filter((change) => change.parameter === parameter && change.scope === scope);
  const count = (isCounted: (change: ChipChange) => boolean) => own.filter(isCounted).length;
  const moved = own.filter(({ kind, difference }) => kind === 'MOVED' && difference !== null);
  const sigmas = moved.flatMap(({ sigma }) => (sigma === null ? [] : [Math.abs(sigma)]));
  const figuresAt = (side: 'before' | 'after') =>
    statisticsOf(compared.flatMap(({ [side]: { displayValue } }) => displayValue ?? []));
  const [earlier, later] = [figuresAt('before'), figuresAt('after')];
  return {
    scope,
    parameter,
    title: named?.title ?? parameter,
    unit: named?.displayUnit ?? '',
    compared: compared.length,
    moved: moved.length,
    notRemeasured: compared.filter(({ before, after }) => isSameResult(before, after)).length,
    better: count(({ better }) => better === true),
    worse: count(({ better }) => better === false),
    significant: sigmas.length === 0 ? null : sigmas.filter((sigma) => sigma > SIGNIFICANT_SIGMA).length,
    disabled: count(({ kind }) => kind === 'DISABLED'),
    enabled: count(({ kind }) => kind === 'ENABLED'),
    appeared: count(({ kind }) => kind === 'APPEARED'),
    medianBefore: earlier.median,
    medianAfter: later.median,
    meanBefore: earlier.mean,
    meanAfter: later.mean,
  };
}

const isSameResult = (before: ParameterValue, after: ParameterValue): boolean =>
  before.taskId !== null && before.taskId === after.taskId;

function compareChanges(a: ChipChange, b: ChipChange, metrics: MetricCatalog): number {
  const byKind = CHIP_CHANGE_KINDS.indexOf(a.kind) - CHIP_CHANGE_KINDS.indexOf(b.kind);
  if (byKind !== 0) return byKind;
  if (a.scope !== b.scope) return a.scope === 'QUBIT' ? -1 : 1;
  if (a.parameter !== b.parameter) {
    const [first] = metrics.inOrder([a.parameter ?? '', b.parameter ?? '']);
    return first === (a.parameter ?? '') ? -1 : 1;
  }
  const size = Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0);
  return size || compareQids(a.qid, b.qid);
}
