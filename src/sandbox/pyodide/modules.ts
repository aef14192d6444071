/** Modules of the standard library that analyses may import: no files, processes, network or introspection of frames. */
export const STANDARD_MODULES: readonly string[] = [
  'bisect',
  'calendar',
  'cmath',
  'collections',
  'copy',
  'csv',
  'dataclasses',
  'datetime',
  'decimal',
  'enum',
  'fractions',
  'functools',
  'heapq',
  'io',
  'itertools',
  'json',
  'math',
  'numbers',
  'operator',
  'random',
  're',
  'statistics',
  'string',
  'textwrap',
  'time',
  'typing',
];

/** Modules people expect that the npm package of Pyodide does not have, and what to use instead. */
const MISSING_MODULES: Readonly<Record<string, string>> = {
  numpy: 'the standard library (math, statistics, ...)',
  pandas: 'lists of dicts and the standard library (statistics, itertools, ...)',
  scipy: 'the standard library (math, statistics, ...)',
  plotly: 'a plain dict in the form of Plotly JSON, {"data": [...], "layout": {...}},',
};

/** The import policy as `runner.py` takes it. */
export const IMPORT_POLICY_JSON: string = JSON.stringify({
  allowed: STANDARD_MODULES,
  missing: MISSING_MODULES,
});
