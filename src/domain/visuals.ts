/**
 * Charts and tables as data. Pure rules make them from tool results; they are stored and sent unchanged. `data` and
 * `layout` are Plotly's, drawn by `plotly.js-cartesian`; but for `INDICATOR`, which is a card
 * (`visual-rules/value-card.ts`). They set no colours of the page, and nothing depends on how wide a chart is drawn.
 */

/**
 * What a chart is, for clients that reserve a place before they load a drawing library. For a new kind the compiler
 * names every place that has to know it: its description in the schema, the traces of foreign figures
 * (`figure-marks.ts`), the page (`client/charts/card.ts`) and the terminal.
 */
export type ChartKind = 'HEATMAP' | 'LINE' | 'BAR' | 'SCATTER' | 'HISTOGRAM' | 'BOX' | 'GRAPH' | 'INDICATOR';

/** A JSON value; numbers are finite, so that it survives a round trip. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether parsed JSON is an object, neither null nor a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether parsed JSON is a list. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** A chart without identity. Missing cells and points are null, never 0 and never NaN. */
export type ChartSpec = {
  readonly type: 'chart';
  readonly title: string;
  readonly kind: ChartKind;
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
};

/**
 * A column of a table: `format` is a hint such as `text`, `number`, `percent`, `datetime`. Where rows differ in their unit,
 * `unitKey` is the key of the column that has it, and `unit` is null.
 */
export type TableColumn = {
  readonly key: string;
  readonly label: string;
  readonly unit: string | null;
  readonly unitKey?: string;
  readonly format: 'text' | 'number' | 'percent' | 'datetime';
};

/** A table without identity; `rows` are keyed by column key, values in the column's unit, null where there is none. */
export type TableSpec = {
  readonly type: 'table';
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly JsonObject[];
};

/** A chart or table of an answer. */
export type Visual = ChartSpec | TableSpec;
