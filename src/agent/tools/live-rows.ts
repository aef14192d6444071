/** Live values, or stored ones instead, as rows of a table and as data for a model. */
import { comparableFactor, displayLive, noMeasurement } from '../../domain/live/live-display.ts';
import type { LiveReading } from '../../domain/live/live-reading.ts';
import type { Metric } from '../../domain/values/metric.ts';
import { medianOf } from '../../domain/values/statistics.ts';
import { mixedColumn, numberColumn, textColumn, timeColumn } from '../../domain/visual-rules/table.ts';
import type { JsonObject, TableSpec } from '../../domain/visuals.ts';
import type { ToolContext } from '../tool.ts';
import { metricOf, type LiveTarget } from './live-targets.ts';

/** One value. `given` is as its source has it, `value`, `error` and `unit` are in display scale. */
export type LiveRow = {
  readonly qid: string;
  readonly label: string;
  readonly parameter: string;
  readonly title: string;
  readonly metric: Metric | null;
  readonly given: { readonly value: number; readonly error: number | null; readonly unit: string };
  readonly value: number;
  readonly error: number | null;
  readonly unit: string;
  readonly at: Date | null;
  /** Why it is not a measurement; null for a usable value. */
  readonly unusable: string | null;
};

/** The values of a target in a reading, in the catalogue's order. */
export function liveRows(
  context: Pick<ToolContext, 'services'>,
  target: Pick<LiveTarget, 'qid' | 'label' | 'scope'>,
  { values }: LiveReading,
): readonly LiveRow[] {
  const { qid, label } = target;
  const own = new Map(
    values.filter((value) => value.qid === qid).map((value) => [value.parameter, value] as const),
  );
  return context.services.metrics.inOrder([...own.keys()]).flatMap((parameter): LiveRow[] => {
    const live = own.get(parameter);
    if (live === undefined) return [];
    const metric = metricOf(context, target, parameter);
    const { at } = live;
    const unusable = noMeasurement(live, metric);
    const title = metric?.title ?? parameter;
    return [{ qid, label, parameter, title, metric, given: live, ...displayOf(live, metric), at, unusable }];
  });
}

function displayOf(live: Parameters<typeof displayLive>[0], metric: Metric | null) {
  const { value, error, unit } = displayLive(live, metric);
  return { value, error, unit };
}

/** The stored values of a target that are numbers. */
export function storedRows(context: ToolContext, target: LiveTarget): readonly LiveRow[] {
  const { qid, label } = target;
  return target.stored.flatMap((stored): LiveRow[] => {
    const { name: parameter, title, value, error, unit, displayValue, displayError, displayUnit } = stored;
    if (value === null || displayValue === null) return [];
    return [
      {
        qid,
        label,
        parameter,
        title,
        metric: metricOf(context, target, parameter),
        given: { value, error, unit },
        value: displayValue,
        error: displayError,
        unit: displayUnit,
        at: stored.calibratedAt,
        unusable: null,
      },
    ];
  });
}

/** As its source has it, with what is needed to show it. */
export const liveRowData = ({ given, unit, ...row }: LiveRow): JsonObject => ({
  qid: row.qid,
  parameter: row.parameter,
  value: given.value,
  unit: given.unit,
  error: given.error,
  scale: comparableFactor(given.unit, unit) ?? 1,
  display_unit: unit,
  at: row.at?.toISOString() ?? null,
  unusable: row.unusable,
});

/** More rows than this are shown parameter by parameter; the record of the call has all. */
const TABLE_ROWS = 200;

/** The values, or what they come to where there are too many to read. */
export const liveTable = (title: string, rows: readonly LiveRow[]): TableSpec =>
  rows.length > TABLE_ROWS ? summaryTable(title, rows) : valuesTable(title, rows);

function summaryTable(title: string, rows: readonly LiveRow[]): TableSpec {
  const usable = rows.filter(({ unusable }) => unusable === null);
  const groups = [...Map.groupBy(usable, ({ parameter, unit }) => `${parameter} ${unit}`).values()];
  return {
    type: 'table',
    title,
    columns: [
      textColumn('parameter', 'Parameter'),
      numberColumn('count', 'Values', ''),
      mixedColumn('lowest', 'Lowest'),
      mixedColumn('median', 'Median'),
      mixedColumn('highest', 'Highest'),
      textColumn('unit', 'Unit'),
      timeColumn('oldestAt', 'Oldest (UTC)'), // no claim: the first of the sorted times below
      timeColumn('newestAt', 'Newest (UTC)'), // no claim: the last of the sorted times below
    ],
    rows: groups.map((group) => {
      const values = group.map(({ value }) => value).toSorted((a, b) => a - b);
      const times = group.flatMap(({ at }) => at?.toISOString() ?? []).toSorted();
      return {
        parameter: group[0]?.title ?? '',
        count: values.length,
        lowest: values.at(0) ?? null,
        median: medianOf(values),
        highest: values.at(-1) ?? null,
        unit: group[0]?.unit ?? '',
        oldestAt: times.at(0) ?? null,
        newestAt: times.at(-1) ?? null,
      };
    }),
  };
}

/** A row for each value, in display scale; units differ, so they have a column. */
const valuesTable = (title: string, rows: readonly LiveRow[]): TableSpec => ({
  type: 'table',
  title,
  columns: [
    textColumn('label', 'Qubit or coupling'),
    textColumn('parameter', 'Parameter'),
    mixedColumn('value', 'Value'),
    mixedColumn('error', 'Error'),
    textColumn('unit', 'Unit'),
    timeColumn('at', 'As of (UTC)'),
    textColumn('note', 'Note'),
  ],
  rows: rows.map(({ label, title: parameter, value, error, unit, at, unusable }) => ({
    label,
    parameter,
    value,
    error,
    unit,
    at: at?.toISOString() ?? null,
    note: unusable,
  })),
});
