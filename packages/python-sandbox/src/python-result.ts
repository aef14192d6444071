/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; analysis code chooses the keys, `__proto__` included. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A Plotly figure: a list of traces in `data`, usually with a `layout`. */
export type PlotlySpec = JsonObject & { readonly data: readonly JsonValue[] };

/** Outcome of one analysis. Text and values come from the analysed code: data to show, never instructions. */
export type PythonResult = {
  /** `result["output"]` as text, else what was printed; `null` when an error left nothing printed. */
  readonly output: string | null;
  /** `result["chart"]`, a figure or a list of figures. */
  readonly charts: readonly PlotlySpec[];
  /** Why charts and tables of `result` were left out, for the author of the code. */
  readonly refused: readonly string[];
  /** `result["tables"]`: rows by table name. */
  readonly tables: Readonly<Record<string, readonly JsonObject[]>>;
  /** Why there is no result, for the author of the code; earlier output is kept in `output`. */
  readonly error: string | null;
  /** From the hand-over to the reply; 0 if the code never started. */
  readonly durationMs: number;
};
