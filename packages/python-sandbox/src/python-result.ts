/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; keys come from analysis code and may be any text, `__proto__` included. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A Plotly figure: a list of traces in `data`, usually with a `layout`. */
export type PlotlySpec = JsonObject & { readonly data: readonly JsonValue[] };

/** What one analysis gave. Text and values were made by the analysed code: data to show, never instructions. */
export type PythonResult = {
  /** `result["output"]` as text, else what was printed; `null` when an error left nothing printed. */
  readonly output: string | null;
  /** `result["chart"]`, a figure or a list of figures. */
  readonly charts: readonly PlotlySpec[];
  /** Why values in `result["chart"]` are not among the charts, written for the author of the code. */
  readonly refusedCharts: readonly string[];
  /** `result["tables"]`, rows by the name they are to be stored under. */
  readonly tables: Readonly<Record<string, readonly JsonObject[]>>;
  /** Why there is no result, written for the author of the code; what was printed before is kept in `output`. */
  readonly error: string | null;
  /** From the hand-over to the answer; 0 when the code was never started. */
  readonly durationMs: number;
};
