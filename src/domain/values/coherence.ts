/** What values of one qubit say about each other. */
import { formatQuantity } from '../text/display-text.ts';
import type { ParameterValue } from './parameter-value.ts';

/** Coherence cannot outlive twice the relaxation, so a T2 above 2·T1 is doubtful, or the T1 is. */
export function withCoherenceDoubts(values: readonly ParameterValue[]): readonly ParameterValue[] {
  const t1 =
    values.find(({ name }) => name === 't1') ?? values.find(({ name }) => name === 't1_average') ?? null;
  if (t1 === null || t1.displayValue === null) return values;
  const limit = 2 * t1.displayValue;
  return values.map((value) => {
    const { name, displayValue, displayUnit } = value;
    const isTooLong =
      name.startsWith('t2_') &&
      displayUnit === t1.displayUnit &&
      displayValue !== null &&
      displayValue > limit;
    if (!isTooLong) return value;
    const stateReason = `${formatQuantity(displayValue, displayUnit)} is above twice the ${t1.title} of ${formatQuantity(t1.displayValue, t1.displayUnit)}`;
    return { ...value, state: 'DOUBTFUL', stateReason };
  });
}
