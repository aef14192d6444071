/** Formats live values: in the units of stored ones, with the digits that their error supports. */
import { formatNumber, formatQuantity } from '../text/display-text.ts';
import { isDisabledMark, type Metric } from '../values/metric.ts';
import { judge } from '../values/plausibility.ts';
import { unitFactor } from '../values/units.ts';
import type { LiveValue } from './live-reading.ts';

/** Numbers without a dimension, as databases and servers write them. */
const DIMENSIONLESS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['a.u.', 1],
  ['%', 0.01],
]);

/** As `unitFactor`, and between the ways to write numbers without a dimension; null where units differ in kind. */
export function comparableFactor(from: string, to: string): number | null {
  const [left, right] = [DIMENSIONLESS.get(from), DIMENSIONLESS.get(to)];
  return left !== undefined && right !== undefined ? left / right : unitFactor(from, to);
}

/** A live value in the metric's unit; in its own where there is no metric or the units differ in kind. */
export function displayLive(
  live: LiveValue,
  metric: Metric | null,
): { readonly value: number; readonly error: number | null; readonly unit: string } {
  const factor = metric === null ? null : comparableFactor(live.unit, metric.unit);
  if (metric === null || factor === null || !Number.isFinite(live.value * factor)) return live;
  const { value, error } = live;
  return { value: value * factor, error: error === null ? null : error * factor, unit: metric.unit };
}

/** Why a live value is not a measurement; null for one that is. */
export function noMeasurement(live: LiveValue, metric: Metric | null): string | null {
  const marks = isDisabledMark(metric, displayLive(live, metric).value);
  return (
    live.unusable ?? (marks ? 'it marks a disabled gate' : judge(live.value, live.unit, metric).unusable)
  );
}

/** `4.806141 ± 0.000015 GHz`: the error with two digits and the value with as many decimals. */
export function formatMeasurement(value: number, error: number | null, unit: string): string {
  if (error === null || error === 0) return formatQuantity(value, unit);
  const decimals = decimalsOf(error);
  return withUnit(`${value.toFixed(decimals)} ± ${error.toFixed(decimals)}`, unit);
}

/** `-0.000104 GHz`: a difference, however small beside the values; `error` is that of both together. */
export function formatDifference(difference: number, error: number | null, unit: string): string {
  const text =
    error === null || error === 0 ? formatNumber(difference) : difference.toFixed(decimalsOf(error));
  return withUnit(text, unit);
}

const MAX_DECIMALS = 12;

const decimalsOf = (error: number): number =>
  Math.min(MAX_DECIMALS, Math.max(0, 1 - Math.floor(Math.log10(Math.abs(error)))));

const withUnit = (text: string, unit: string): string =>
  unit === '' || unit === 'a.u.' ? text : `${text} ${unit}`;
