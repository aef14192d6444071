/**
 * The state of each part of a chip: whether its qubits and couplings can be used, by the values that are current. What
 * a single value says about its part, `domain/values/current.ts` decides.
 */
import { formatTime } from '../text/display-text.ts';
import type { PartState, StateOf } from '../values/current.ts';
import {
  displayScale,
  isRated,
  type Metric,
  type MetricCatalog,
  type MetricScope,
} from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import { asPast, NO_NUMBER, PART_SWITCH } from '../values/switches.ts';
import { presentOf } from './chip.ts';

/** A part with its current values. `lastSeenAt`: see {@link Coupling} of `chip.ts`; null for all others. */
export type PartValues = {
  readonly qid: string;
  readonly parameters: readonly ParameterValue[];
  readonly lastSeenAt: Date | null;
};

/** A part and its state. */
export type PartStatus = StateOf & {
  readonly kind: MetricScope;
  readonly qid: string;
  readonly lastSeenAt: Date | null;
  /** Its parameters that are not simply enabled, missing ones included, in the order of the catalogue. */
  readonly parameters: readonly ParameterValue[];
};

/** Parts by state. */
export type PartCounts = Readonly<Record<PartState, number>>;

/** A parameter is missing on a part if at least this share of the parts of its kind have it. */
const USUAL_SHARE = 0.5;

/** States of all parts of one kind, in their order. */
export function partStates(
  kind: MetricScope,
  parts: readonly PartValues[],
  metrics: MetricCatalog,
): readonly PartStatus[] {
  const usual = usualMetrics(kind, parts, metrics);
  return parts.map(({ qid, parameters, lastSeenAt }) => {
    const names = new Set(parameters.map(({ name }) => name));
    const missing = lastSeenAt === null ? usual.filter(({ name }) => !names.has(name)).map(missingValue) : [];
    const unusual = [...parameters.filter(({ state }) => state !== 'ENABLED'), ...missing];
    const byName = new Map(unusual.map((each) => [each.name, each]));
    return {
      kind,
      qid,
      lastSeenAt,
      ...stateOfPart({ kind, parameters, missing, lastSeenAt, metrics }),
      parameters: metrics.inOrder([...byName.keys()]).flatMap((name) => byName.get(name) ?? []),
    };
  });
}

/** How many parts are in each state. */
export function countStates(parts: readonly PartStatus[]): PartCounts {
  const counts = { ENABLED: 0, DISABLED: 0, MISSING: 0, DOUBTFUL: 0 };
  for (const { state } of parts) counts[state] += 1;
  return counts;
}

/** The rated metrics that the parts of a chip usually have. */
function usualMetrics(
  kind: MetricScope,
  parts: readonly PartValues[],
  metrics: MetricCatalog,
): readonly Metric[] {
  const present = presentOf(parts);
  const counts = new Map<string, number>();
  for (const { parameters } of present)
    for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1);
  return metrics.metrics.filter(
    (metric) =>
      metric.scope === kind &&
      isRated(metric) &&
      (counts.get(metric.name) ?? 0) >= Math.max(1, USUAL_SHARE * present.length),
  );
}

/** What a part lacks, as a value without a number. */
function missingValue(metric: Metric): ParameterValue {
  return {
    name: metric.name,
    title: metric.title,
    ...NO_NUMBER,
    unit: '',
    displayUnit: metric.unit,
    scale: displayScale(metric, ''),
    calibratedAt: null,
    executionId: null,
    taskId: null,
    lastGood: null,
    state: 'MISSING',
    // no claim: compared with the share of others above
    stateReason: 'no value, though most others of the chip have one',
  };
}

/**
 * A part is disabled when it is switched off, or each gate that it has is disabled; a coupling whose CZ works is usable although its RZZ is disabled.
 // no claim: compared by services/calibration/couplings.ts
 * It is missing when the newest snapshot lacks it or it has no rated value though others have. It is doubtful as soon
 * as one value is.
 */
function stateOfPart({
  kind,
  parameters,
  missing,
  lastSeenAt,
  metrics,
}: {
  readonly kind: MetricScope;
  readonly parameters: readonly ParameterValue[];
  readonly missing: readonly ParameterValue[];
  readonly lastSeenAt: Date | null;
  readonly metrics: MetricCatalog;
}): StateOf {
  if (lastSeenAt !== null) return goneState(lastSeenAt);
  const off = parameters.find(({ name, state }) => name === PART_SWITCH && state === 'DISABLED');
  if (off !== undefined) return { state: 'DISABLED', stateReason: off.stateReason };
  const gates = parameters.filter(({ name }) => (metrics.find(name, kind)?.disabledAt ?? null) !== null);
  const disabled = gates.filter(({ state }) => state === 'DISABLED');
  if (gates.length > 0 && disabled.length === gates.length) {
    return { state: 'DISABLED', stateReason: reasonsOf(disabled) };
  }
  const rated = parameters.filter(({ rating }) => rating !== 'UNKNOWN');
  if (missing.length > 0 && rated.length === 0 && disabled.length === 0) {
    return { state: 'MISSING', stateReason: 'no rated value, though others of the chip have some' };
  }
  const doubtful = parameters.filter(({ state }) => state === 'DOUBTFUL');
  if (doubtful.length > 0) return { state: 'DOUBTFUL', stateReason: reasonsOf(doubtful) };
  const lacking = [...disabled, ...missing];
  return { state: 'ENABLED', stateReason: lacking.length === 0 ? null : reasonsOf(lacking) };
}

/** The state of a coupling that the newest snapshot of its chip lacks. */
export const goneState = (lastSeenAt: Date): StateOf => ({
  state: 'MISSING',
  // no claim: compared by services/calibration/couplings.ts
  stateReason: `the newest snapshot lacks it; last seen at ${formatTime(lastSeenAt)}`,
});

/** Values of a coupling that is gone: none is current. */
export const goneValues = (values: readonly ParameterValue[], lastSeenAt: Date): readonly ParameterValue[] =>
  values.map((value) => asPast(value, goneState(lastSeenAt)));

/** Reasons, those of several parameters once. */
function reasonsOf(values: readonly ParameterValue[]): string {
  const byReason = Map.groupBy(values, ({ stateReason }) => stateReason ?? '');
  return [...byReason]
    .map(([reason, of]) => `${of.map(({ title }) => title).join(', ')}: ${reason}`)
    .join('; ');
}
