import type { ParameterStatistics } from '../../domain/values/statistics.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';

/** Fields that a model can read unchanged, except times. */
type Readable<Row> = { [Key in keyof Row & string]: Row[Key] extends Json | Date ? Key : never }[keyof Row &
  string];

/** These fields of a row for a model: names in snake_case, times in ISO 8601. */
export const fieldsOf = <Row extends object>(row: Row, ...names: readonly Readable<Row>[]): JsonObject =>
  Object.fromEntries(
    names.map((name) => {
      const value = row[name] as Json | Date;
      const key = name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
      return [key, value instanceof Date ? value.toISOString() : value];
    }),
  );

/** Statistics as stored, with what is needed to show them; `round` shortens them for a model. */
export function statisticsData(
  statistics: ParameterStatistics,
  round: (value: number) => number = (value) => value,
): JsonObject {
  const rounded = (value: number | null) => (value === null ? null : round(value));
  const { count, mean, median, stdev, min, max } = statistics.stored;
  return {
    ...fieldsOf(statistics, 'unit', 'scale', 'displayUnit'),
    count,
    missing: statistics.missing,
    mean: rounded(mean),
    median: rounded(median),
    stdev: rounded(stdev),
    min: rounded(min),
    max: rounded(max),
  };
}
