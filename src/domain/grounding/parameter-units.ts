/** How a result shows its parameters: name, title, unit and the factor from stored values to shown ones. */
import { isRecord, readNumber, readText } from '../values/stored-values.ts';
import { unitOrNull, type Fact, type KnownParameter } from './fact.ts';

/** A parameter as one result describes it. */
export type DescribedParameter = KnownParameter & {
  readonly storedUnit: string | null;
  readonly displayUnit: string | null;
  readonly scale: number;
};

/** Keys under which an object is a part of its owner and not a parameter of that name. */
const STRUCTURE = new Set(
  'statistics last_good current previous total stored live result newer_run freshness health data columns state records'.split(
    ' ',
  ),
);

type JsonNode = Readonly<Record<string, unknown>>;

/** The parameter that an object names; the key of an object with a value or a unit is one. */
export function parameterOf(node: JsonNode, key: string | null): string | null {
  const given = ['parameter_name', 'parameter', 'metric_name', 'metric']
    .map((name) => readText(node[name]))
    .find((text) => text !== null);
  if (given !== undefined) return given;
  const isDescribed = 'value' in node || 'display_unit' in node || 'title' in node;
  if (isDescribed && typeof node['name'] === 'string') return node['name'];
  const isKeyed =
    'value' in node || 'mean' in node || 'display_unit' in node || ('unit' in node && 'type' in node);
  return isKeyed && key !== null && !STRUCTURE.has(key) ? key : null;
}

/** Every parameter that a result describes, by name; the first description counts. */
export function describedParameters(data: unknown): ReadonlyMap<string, DescribedParameter> {
  const found = new Map<string, DescribedParameter>();
  const visit = (node: unknown, key: string | null, owner: string | null): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, null, owner);
    if (!isRecord(node)) return;
    const name = parameterOf(node, key) ?? owner;
    const [displayUnit, unit] = [readText(node['display_unit']), readText(node['unit'])];
    if (name !== null && !found.has(name) && (displayUnit !== null || unit !== null)) {
      found.set(name, {
        name,
        title: readText(node['title']) ?? name,
        unit: unitOrNull(displayUnit ?? unit),
        displayUnit,
        storedUnit: unit,
        scale: readNumber(node['scale']) ?? 1,
      });
    }
    for (const [child, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) visit(value, child, name);
    }
  };
  visit(data, null, null);
  return found;
}

/** A number of a row as shown, and as stored where that differs. `row` may have its own unit and scale. */
export function shownValue(
  value: number,
  row: { readonly unit: string | null; readonly displayUnit: string | null; readonly scale: number | null },
  described: DescribedParameter | null,
): Pick<Fact, 'value' | 'unit' | 'stored'> {
  const isOwn = row.displayUnit !== null || row.scale !== null;
  const isOfDescribed =
    described !== null &&
    (row.unit === null ||
      row.unit === described.storedUnit ||
      (described.storedUnit === null && row.unit !== described.displayUnit));
  const stored = row.unit ?? described?.storedUnit ?? null;
  const [scale, display] = isOwn
    ? [row.scale ?? 1, row.displayUnit ?? stored]
    : isOfDescribed
      ? [described.scale, described.displayUnit ?? stored]
      : [1, stored];
  const unit = unitOrNull(display);
  return scale === 1
    ? { value, unit, stored: null }
    : { value: value * scale, unit, stored: { value, unit: unitOrNull(stored) } };
}
