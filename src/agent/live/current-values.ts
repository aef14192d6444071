/** The current values behind a tool's result, named so that live ones can be set beside them. */
import type { MetricValues } from '../../domain/chip/chip-metric.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';

/** One value of a qubit or coupling, stored or not. */
export type CurrentValue = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: string;
  /** False for a value that was asked for and is not there. */
  readonly isStored: boolean;
  /** When it was measured; null where nobody knows. */
  readonly measuredAt: Date | null;
  /** The task result that it is from; null where none is named. */
  readonly taskId: string | null;
};

/** The values that a result stands on. History is not among them: nobody expects it to be of today. */
export type CurrentValues = {
  readonly chip: Chip;
  readonly scope: MetricScope;
  readonly values: readonly CurrentValue[];
};

/** Of one qubit or coupling: those of `names` whether stored or not, else all that are stored. */
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

/** Of a metric over a chip's qubits or couplings; null where the best, a mean or a time window was asked for, which live values cannot tell. */
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
