/** The current values behind a tool's result, identified so that live ones can be added to them. */
import type { MetricValues } from '../../domain/chip/chip-metric.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';

/** One value of a qubit or coupling, stored or not. */
export type CurrentValue = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: string;
  /** False for a requested value that is not stored. */
  readonly isStored: boolean;
  /** Null where unknown. */
  readonly measuredAt: Date | null;
  /** The task result that it came from; null where unknown. */
  readonly taskId: string | null;
};

/** The current values that a result is based on. History is excluded, because it need not be current. */
export type CurrentValues = {
  readonly chip: Chip;
  readonly scope: MetricScope;
  readonly values: readonly CurrentValue[];
};

/** Values of one qubit or coupling: those of `names`, stored or not; without names all stored ones. */
export function currentValues(
  { qid, label }: { readonly qid: string; readonly label: string },
  parameters: readonly ParameterValue[],
  names: readonly string[] | null = null,
): readonly CurrentValue[] {
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return (names ?? [...byName.keys()]).map((parameter) => {
    const stored = byName.get(parameter);
    const isStored = stored !== undefined && (stored.value !== null || stored.text !== null);
    return {
      qid,
      label,
      parameter,
      isStored,
      measuredAt: stored?.calibratedAt ?? null,
      taskId: stored?.taskId ?? null,
    };
  });
}

/** Values of a metric over a chip; null for a best, mean or time-window selection, which live values cannot answer. */
export function currentOfMetric(chip: Chip, { metric, selection, withinHours, values }: MetricValues) {
  if (selection !== 'LATEST' || withinHours !== null) return null;
  return {
    chip,
    scope: metric.scope,
    values: values.map(({ qid, label, value, measuredAt, taskId }): CurrentValue => ({
      qid,
      label,
      parameter: metric.name,
      isStored: value !== null,
      measuredAt,
      taskId,
    })),
  } satisfies CurrentValues;
}
