import { describe, expect, test } from '@jest/globals';
import { messages } from '../src/messages.ts';
import { describeNative } from './support/engines.ts';
import { openSandbox, runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

/** Past the import list: what a hostile analysis would begin with. */
const LOAD = `
import statistics
sys = statistics.sys
load = sys.modules['builtins'].__import__
`;
const TIMEOUT_MS = 700;
/** A busy machine delays timers and kills. */
const GRACE_MS = 20_000;

await describeNative('libraries', () => {
  const sandbox = startedSandbox({ engine: 'native' });

  test('are among the packages once the sandbox runs', async () => {
    const availability = await sandbox.availability();
    expect(availability).toMatchObject({ available: true, engine: 'native' });
    expect(sandbox.packages()).toEqual(
      expect.arrayContaining(['math', 'numpy', 'pandas', 'scipy', 'plotly']),
    );
  });

  test('give Plotly figures, one or many', async () => {
    const code = `
import numpy as np, plotly.graph_objects as go, plotly.express as px
figure = go.Figure(go.Scatter(x=np.arange(3), y=np.array([1.0, np.nan, np.inf])))
result = {"chart": [figure, px.bar(x=["a"], y=[2])]}`;
    const { charts, error } = await runPython(sandbox, code);
    expect(error).toBeNull();
    expect(charts.map(({ data }) => data)).toMatchObject([
      [{ type: 'scatter', x: [0, 1, 2], y: [1, null, null] }],
      [{ type: 'bar', x: ['a'], y: [2] }],
    ]);
  });

  test('give tables of data frames, with an index that means something as a column', async () => {
    const code = `
import pandas as pd, numpy as np
frame = pd.DataFrame({"qid": ["0", "1", "0"], "t1": [1.5, np.nan, 2.5],
                      "at": pd.to_datetime(["2024-05-01", None, "2024-05-02T03:04:05"])})
result = {"output": frame["t1"].mean(),
          "tables": {"rows": frame, "by_qid": frame.groupby("qid")[["t1"]].max(), "one": frame["t1"].head(1)}}`;
    expect(await runPython(sandbox, code)).toMatchObject({
      error: null,
      output: '2.0',
      tables: {
        rows: [
          { qid: '0', t1: 1.5, at: '2024-05-01T00:00:00' },
          { qid: '1', t1: null, at: null },
          { qid: '0', t1: 2.5, at: '2024-05-02T03:04:05' },
        ],
        by_qid: [
          { qid: '0', t1: 2.5 },
          { qid: '1', t1: null },
        ],
        one: [{ index: 0, t1: 1.5 }],
      },
    });
  });

  test('have values that become plain: scalars, arrays, dates, durations, what is missing', async () => {
    const code = `
import numpy as np, pandas as pd
result = {"chart": {"data": [{
    "scalars": [np.float32(1.5), np.int64(3), np.bool_(True), np.float64("inf")],
    "arrays": [np.array([[1, 2], [3, 4]]), np.array(["a"])],
    "dates": np.array(["2024-01-01", "NaT"], dtype="M8[ns]"),
    "index": pd.date_range("2024-01-01", periods=1),
    "durations": [np.timedelta64(3, "s"), pd.Timedelta("1min")],
    "missing": [pd.NA, pd.NaT, np.nan],
    np.int64(7): "a key",
}]}}`;
    const { charts, error } = await runPython(sandbox, code);
    expect(error).toBeNull();
    expect(charts[0]?.data[0]).toEqual({
      scalars: [1.5, 3, true, null],
      arrays: [
        [
          [1, 2],
          [3, 4],
        ],
        ['a'],
      ],
      dates: ['2024-01-01T00:00:00', null],
      index: ['2024-01-01T00:00:00'],
      durations: [3, 60],
      missing: [null, null, null],
      7: 'a key',
    });
  });

  test('answer a fit of scipy', async () => {
    const code = `
import numpy as np
from scipy.optimize import curve_fit
x = np.linspace(0, 100, 50)
(t1,), _ = curve_fit(lambda t, t1: np.exp(-t / t1), x, np.exp(-x / 30), p0=[10])
print(round(t1, 3))`;
    expect((await runPython(sandbox, code)).output).toBe('30.0\n');
  });

  test('may print warnings of their own without disturbing the answer', async () => {
    const code = `${LOAD}load('os').write(1, b'{"output":"fake","truncated":false,"error":null}\\n')\nprint("real")`;
    expect((await runPython(sandbox, code)).output).toBe('real\n');
  });

  test('do not hinder that what is printed is heard while the code runs', async () => {
    const heard: string[] = [];
    const abort = new AbortController();
    const firstWord = Promise.withResolvers<void>();
    const running = sandbox.run('print("step 1")\nwhile True: pass', '{}', {
      signal: abort.signal,
      user: 'ada',
      onPrinted: (text) => {
        heard.push(text);
        firstWord.resolve();
      },
    });
    await firstWord.promise;
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(heard.join('')).toMatch(/^step 1/);
  });

  test('keep no state from one run to the next', async () => {
    const poison = `import numpy\nnumpy.mean = lambda x: 666\n${LOAD}load('io').open('/tmp/left', 'w').write('x')`;
    expect((await runPython(sandbox, poison)).error).toBeNull();
    const probe = `import numpy\n${LOAD}print(numpy.mean([1, 3]), load('os').listdir('/tmp'))`;
    expect((await runPython(sandbox, probe)).output).toBe('2.0 []\n');
  });
});

await describeNative('limits', () => {
  const hasty = startedSandbox({ engine: 'native', limits: { timeoutMs: TIMEOUT_MS } });
  const patient = startedSandbox({ engine: 'native' });

  test.each([
    ['a loop in a finally block', 'try:\n  while True: pass\nfinally:\n  while True: pass'],
    [
      'a loop that swallows everything',
      'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    ],
    [
      'a process that ignores signals',
      `${LOAD}signal = load('signal')\nfor number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(number, signal.SIG_IGN)\nwhile True: pass`,
    ],
    [
      'threads',
      `${LOAD}threading = load('threading')\ndef spin():\n  while True: pass\nfor _ in range(4): threading.Thread(target=spin).start()\nspin()`,
    ],
    ['a native loop', 'import numpy as np\na = np.ones((2500, 2500))\nwhile True: a = a @ a'],
    ['a sleep', 'import time\ntime.sleep(60)'],
    [
      'an end that is never reached',
      `${LOAD}load('atexit').register(load('time').sleep, 60)\nload('time').sleep(60)`,
    ],
  ])('end %s in time', async (_, code) => {
    const { error, durationMs } = await runPython(hasty, code);
    // Threads use up the processor time before the wall time; either way it is over.
    expect([messages.broken, 'Analysis stopped: it ran longer than 0.7 s.']).toContain(error);
    expect(durationMs).toBeLessThan(TIMEOUT_MS + GRACE_MS);
  });

  test('of time keep what was printed before, as far as it had been told', async () => {
    const { output, error } = await runPython(hasty, 'print("before")\nwhile True: pass');
    expect(error).toBe('Analysis stopped: it ran longer than 0.7 s.');
    expect(output).toMatch(/^before/);
  });

  test('of memory are a MemoryError, and what was printed is kept', async () => {
    const code = 'import numpy as np\nprint("before")\nx = []\nwhile True: x.append(np.ones(10**6))';
    expect(await runPython(patient, code)).toMatchObject({
      output: 'before\n',
      error: 'MemoryError: the analysis used more memory than allowed',
    });
  });

  test('of files hold for empty ones, which take memory of the kernel', async () => {
    const code = `${LOAD}
os = load('os')
for n in range(10**7): os.close(os.open(f'/tmp/{n}', os.O_CREAT))`;
    expect((await runPython(patient, code)).error).toBe(
      'Analysis stopped: it created more than 10000 files.',
    );
  });

  test('of memory hold for threads, mappings and files in memory alike', async () => {
    const code = `${LOAD}
mmap, os = load('mmap'), load('os')
held = []
try:
  while True: held.append(mmap.mmap(-1, 2**26))
except (OSError, MemoryError): print(len(held) < 20)
held.clear()
try:
  for i in range(100): load('io').open('/tmp/%d' % i, 'wb').write(bytes(2**20))
except OSError as error: print(error.strerror, len(os.listdir('/tmp')) <= 17)
try: load('io').open('/tmp/big', 'wb').write(bytes(2**24))
except OSError as error: print(error.strerror)`;
    expect(await runPython(patient, code)).toMatchObject({
      error: null,
      output: expect.stringMatching(/^True\nNo space left on device True\n(No space left|File too large)/),
    });
  });

  test('of processor time are set before the code runs, and cannot be raised', async () => {
    const code = `${LOAD}resource = load('resource')
soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
print(soft == hard < 100)
resource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))`;
    expect(await runPython(patient, code)).toMatchObject({
      output: 'True\n',
      error: expect.stringContaining('not allowed to raise maximum limit'),
    });
  });

  test.each([
    ['a fork', `load('os').fork()`],
    ['a program', `load('subprocess').run(['/bin/true'])`],
    ['itself again', `load('os').execv(sys.executable, [sys.executable])`],
    ['a socket', `load('socket').socket()`],
    ['another process to kill', `load('os').kill(1, 9)`],
  ])('do not let it have %s', async (_, code) => {
    const { error } = await runPython(patient, `${LOAD}${code}`);
    expect(error).toMatch(/Function not implemented|NotImplementedError/);
  });

  test('end the interpreter that breaks, and the next run is as good as new', async () => {
    const { error } = await runPython(patient, `${LOAD}load('ctypes').string_at(0)`);
    expect(error).toBe(messages.broken);
    expect((await runPython(patient, 'print(1)')).output).toBe('1\n');
  });
});

describe('the native engine', () => {
  test('that is asked for with an interpreter that is none says so', async () => {
    const sandbox = openSandbox({ engine: 'native', python: '/nowhere/python3' });
    const availability = await sandbox.availability();
    const { error } = await runPython(sandbox, 'print(1)');
    await sandbox.close();
    expect(availability).toMatchObject({
      available: false,
      reason: expect.stringContaining('the native engine cannot run: '),
    });
    expect(error).toMatch(/^Python analysis is not available on this server: the native engine cannot run: /);
  });

  test('that cannot run leaves the analyses to Pyodide', async () => {
    const sandbox = openSandbox({ engine: 'auto', python: '/nowhere/python3' });
    const availability = await sandbox.availability();
    const reports = await sandbox.selfTests();
    const { output } = await runPython(sandbox, 'print(1)');
    await sandbox.close();
    expect(availability).toMatchObject({ available: true, engine: 'pyodide' });
    expect(reports).toMatchObject([
      { engine: 'native', ok: false },
      { engine: 'pyodide', ok: true, missing: null },
    ]);
    expect(output).toBe('1\n');
  });
});
