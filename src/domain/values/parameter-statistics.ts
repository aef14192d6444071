import { displayScale, type Metric } from './metric.ts';
import { scaled } from './parameter-value.ts';
import { statisticsOf, type ParameterStatistics } from './statistics.ts';
import { canonicalUnit, unitFactor } from './units.ts';

/** A reduced value, one a qubit. */
export type UnitValue = { readonly value: number | null; readonly unit: string };

/**
 * Statistics of one parameter over qubits. Values stored in other units of the same kind are converted to the unit
 * that most of them have; one that cannot be converted is as good as missing, since mixing it in would be wrong
 * silently.
 */
export function parameterStatistics(
  name: string,
  metric: Metric | null,
  values: readonly UnitValue[],
  entityCount: number,
): ParameterStatistics {
  const unit = commonUnit(values);
  const stored = values.flatMap(({ value, unit: own }) => {
    const factor = own === '' ? 1 : unitFactor(own, unit);
    const converted = factor === null ? null : scaled(value, factor);
    return converted === null ? [] : [converted];
  });
  const scale = displayScale(metric, unit);
  const display = stored.map((value) => value * scale).filter(Number.isFinite);
  return {
    name,
    title: metric?.title ?? name,
    unit,
    displayUnit: metric?.unit ?? unit,
    scale,
    missing: Math.max(0, entityCount - stored.length),
    stored: statisticsOf(stored),
    display: statisticsOf(display),
  };
}

/** The unit that most values have; the first in order of text among equals, empty for none. */
export function commonUnit(values: readonly UnitValue[]): string {
  const counts = new Map<string, number>();
  for (const { value, unit } of values) {
    const canonical = canonicalUnit(unit);
    if (value !== null && canonical !== '') counts.set(canonical, (counts.get(canonical) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return ranked.at(0)?.[0] ?? '';
}
