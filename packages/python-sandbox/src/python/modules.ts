/**
 * Modules of the standard library that analyses may import: no files, processes, network or introspection of frames.
 */
export const STANDARD_MODULES: readonly string[] = `
  bisect calendar cmath collections copy csv dataclasses datetime decimal enum fractions functools heapq
  io itertools json math numbers operator random re statistics string textwrap time typing`
  .trim()
  .split(/\s+/);

/** Optional libraries, with the alternative to suggest when one is not installed. */
const LIBRARIES: Readonly<Record<string, string>> = {
  numpy: 'the standard library (math, statistics, ...)',
  pandas: 'lists of dicts and the standard library (statistics, itertools, ...)',
  scipy: 'the standard library (math, statistics, ...)',
  plotly: 'a plain dict in the form of Plotly JSON, {"data": [...], "layout": {...}},',
};

/** The import policy for `runner.py`, given the installed libraries. */
export function importPolicyJson(installed: readonly string[]): string {
  const missing = Object.entries(LIBRARIES).filter(([name]) => !installed.includes(name));
  return JSON.stringify({
    allowed: [...STANDARD_MODULES, ...installed],
    missing: Object.fromEntries(missing),
  });
}

/** Modules with native code that analyses are likely to import, by library. */
export const NATIVE_MODULES: Readonly<Record<string, readonly string[]>> = {
  numpy: ['numpy', 'numpy.fft', 'numpy.linalg', 'numpy.polynomial', 'numpy.random'],
  pandas: ['pandas'],
  scipy: 'cluster.vq fft integrate interpolate linalg ndimage optimize signal spatial special stats'
    .split(' ')
    .map((name) => `scipy.${name}`),
  plotly: ['plotly', 'plotly.graph_objects'],
};

/** Modules to import in advance so that the native code of these libraries is loaded. */
export function nativeModulesOf(libraries: readonly string[]): readonly string[] {
  return libraries.flatMap((name) => NATIVE_MODULES[name] ?? []);
}
