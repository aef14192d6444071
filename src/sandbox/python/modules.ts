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

/** Libraries that an engine offers where they are installed, and what to use where they are not. */
const LIBRARIES: Readonly<Record<string, string>> = {
  numpy: 'the standard library (math, statistics, ...)',
  pandas: 'lists of dicts and the standard library (statistics, itertools, ...)',
  scipy: 'the standard library (math, statistics, ...)',
  plotly: 'a plain dict in the form of Plotly JSON, {"data": [...], "layout": {...}},',
};

/** Names of the libraries that an engine may offer. */
export const LIBRARY_NAMES: readonly string[] = Object.keys(LIBRARIES);

/** The import policy as `runner.py` takes it, for an interpreter that has these libraries. */
export function importPolicyJson(installed: readonly string[]): string {
  const missing = Object.entries(LIBRARIES).filter(([name]) => !installed.includes(name));
  return JSON.stringify({
    allowed: [...STANDARD_MODULES, ...installed],
    missing: Object.fromEntries(missing),
  });
}
