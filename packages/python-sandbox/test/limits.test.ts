import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import { BARE_PYTHON } from './support/bare-python.ts';
import { describeEngines } from './support/engines.ts';
import { runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

const TIMEOUT_MS = 300;
/** A busy machine delays timers and kills; far below what any of the loops would take. */
const GRACE_MS = 20_000;

const hasty = startedSandbox({ limits: { timeoutMs: TIMEOUT_MS } });
const patient = startedSandbox();
/** With the time that users have. */
const usual = startedSandbox({ limits: { timeoutMs: DEFAULT_LIMITS.timeoutMs, warmProcesses: 1 } });

/** Reaches a JavaScript buffer, outside the memory of the interpreter. */
const JS_BUFFERS = `
importer = next(c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter')
make = importer.load_module('_pyodide_core').to_js(b"x").constructor
kept = []
for _ in range(60):
    kept.append(make.new(10**8))
    kept[-1].fill(1)`;

describe('code that does not end by itself is stopped', () => {
  test.each([
    ['an endless loop', 'while True: pass'],
    [
      'a loop that swallows everything',
      'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    ],
    ['a catastrophic regular expression', 'import re\nre.match(r"(a+)+$", "a" * 40 + "b")'],
    ['a huge power', '9**9**8'],
    ['a huge factorial', 'import math\nmath.factorial(5_000_000)'],
    ['a native sum', 'sum(range(10**12))'],
    ['a sleep', 'import time\ntime.sleep(30)'],
  ])('%s', async (_, code) => {
    const { output, error, durationMs } = await runPython(hasty, `print("before")\n${code}`);
    expect({ output, error }).toEqual({ output: null, error: 'Analysis stopped: it ran longer than 0.3 s.' });
    expect(durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
    expect(durationMs).toBeLessThan(TIMEOUT_MS + GRACE_MS);
  });

  test('after five seconds by default, and the next run is as good as new', async () => {
    const { error, durationMs } = await runPython(usual, 'import time\ntime.sleep(60)');
    expect(error).toBe('Analysis stopped: it ran longer than 5 s.');
    expect(durationMs).toBeLessThan(DEFAULT_LIMITS.timeoutMs + GRACE_MS);
    expect((await runPython(usual, 'print(1)')).output).toBe('1\n');
  });
});

describe('memory', () => {
  test('beyond the limit is a MemoryError, and what was printed is kept', async () => {
    expect(await runPython(patient, 'print("before")\nb = bytearray(10**9)')).toMatchObject({
      output: 'before\n',
      error: 'MemoryError: the analysis used more memory than allowed',
    });
  });

  test('that grows in small steps ends the same way', async () => {
    const { error } = await runPython(patient, 'x = []\nwhile True: x.append(bytearray(10**6))');
    expect(error).toBe('MemoryError: the analysis used more memory than allowed');
  });

  test('errors may be swallowed without getting any further', async () => {
    const code = 'n = 0\ntry:\n  x = bytearray(10**9)\nexcept MemoryError:\n  n = 1\nprint(n)';
    expect((await runPython(patient, code)).output).toBe('1\n');
  });

  test('in files of the interpreter cannot be had', async () => {
    const { error } = await runPython(
      patient,
      'import io\nio.FileIO("/home/pyodide/big", "w").write(b"x" * 10**7)',
    );
    expect(error).toMatch(/Read-only file system/);
  });

  test('outside the interpreter ends the process, and the server does not grow', async () => {
    const before = process.memoryUsage.rss();
    expect((await runPython(patient, JS_BUFFERS)).error).toBe('Analysis stopped: memory limit exceeded.');
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('recursion', () => {
  test('in Python is an ordinary error', async () => {
    expect((await runPython(patient, 'def f(): f()\nf()')).error).toMatch(/RecursionError/);
  });

  test('in native code costs no more than the run', async () => {
    const { error } = await runPython(patient, 'import json\njson.loads("[" * 10**6)');
    expect(error).toMatch(/crashed the Python interpreter|RecursionError/);
    expect((await runPython(patient, 'print(1)')).output).toBe('1\n');
  });

  test('in a result that is too deep to be shown is refused', async () => {
    const { error, charts } = await runPython(
      patient,
      'x = 1\nfor _ in range(500): x = [x]\nresult = {"chart": {"data": x}}',
    );
    expect(charts).toEqual([]);
    expect(error).toMatch(/could not be read: .*too deep/);
  });
});

describe('what is too long is refused with its size before it is run', () => {
  test('code', async () => {
    const { error, durationMs } = await runPython(patient, `x = "${'a'.repeat(300 * 1024)}"`);
    expect(error).toBe('The code is 301 KB long; at most 256 KB are allowed.');
    expect(durationMs).toBe(0);
  });

  test('data', async () => {
    const { error } = await runPython(patient, 'print(1)', { text: 'a'.repeat(9 * 1024 * 1024) });
    expect(error).toBe('The data are 9.0 MB of JSON; at most 8.0 MB are allowed: select fewer rows.');
  });

  test('tables', async () => {
    const code = 'result = {"output": "kept", "tables": {"t": [{"text": "x" * 1000} for _ in range(5000)]}}';
    const { output, tables, error } = await runPython(patient, code);
    expect({ output, tables }).toEqual({ output: 'kept', tables: {} });
    expect(error).toMatch(/the tables are 4\.8 MB of JSON, at most 4\.0 MB are allowed/);
  });

  test('but five megabytes of data pass', async () => {
    const rows = Array.from({ length: 46_000 }, (_, i) => ({
      id: i,
      title: `Row number ${i}`,
      value: i * 1.25,
      tags: ['a', 'b'],
    }));
    expect((await runPython(patient, 'print(len(data["rows"]))', { rows })).output).toBe('46000\n');
  });
});

const FIFTY_MEGABYTES = 50 * 1024 * 1024;

describeEngines('the most data that a setting allows', (engine) => {
  const sandbox = startedSandbox({
    engine,
    python: BARE_PYTHON,
    limits: { dataBytes: FIFTY_MEGABYTES },
  });

  test('has room in the interpreter, and a byte more is refused', async () => {
    const row = { qid: 'Q017', parameter: 't1', value: 31.25, unit: 'us', at: '2024-05-01T00:00:00Z' };
    const count = Math.floor((FIFTY_MEGABYTES - 100) / (JSON.stringify(row).length + 1));
    const rows = Array.from({ length: count }, () => row);
    const mean = 'print(sum(row["value"] for row in data["rows"]) / len(data["rows"]))';
    expect(await runPython(sandbox, mean, { rows })).toMatchObject({ output: '31.25\n', error: null });
    const { error } = await runPython(sandbox, mean, { rows, more: 'x'.repeat(200) });
    expect(error).toBe('The data are 50.0 MB of JSON; at most 50.0 MB are allowed: select fewer rows.');
  });
});
