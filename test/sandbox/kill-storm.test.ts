import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { messages } from '../../src/sandbox/messages.ts';
import { BARE_PYTHON } from './support/bare-python.ts';
import { describeEngines } from './support/engines.ts';
import { openSandbox, runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

const USERS = ['ada', 'bob', 'cyd', 'dan', 'eve'];
const RUNS = 200;
const QUEUE_LENGTH = 15;
const TIMEOUT_MS = 400;
/** Longest that a caller waits after its abort. */
const ABORT_MS = 150;
const STORM_MS = 240_000;

/** Analyses that end well, raise, hang, take too much or crash, in turn. */
const SCRIPTS = [
  'print("well")',
  'raise ValueError("x")',
  'while True: pass',
  'x = bytearray(10**9)',
  'import statistics\nstatistics.sys.modules["os"].abort()',
];

type Ending = 'answered' | 'refused as busy' | 'aborted';

describeEngines('two hundred analyses at once', (engine) => {
  const sandbox = openSandbox({
    engine,
    python: BARE_PYTHON,
    limits: { queueLength: QUEUE_LENGTH, queueWaitMs: STORM_MS, timeoutMs: TIMEOUT_MS },
  });
  const abortMs: number[] = [];
  const endings: { readonly user: string; readonly ending: Ending }[] = [];

  /** Every third one is aborted after a time of its own, which is the same in every run of this test. */
  async function runOne(index: number): Promise<void> {
    const abort = new AbortController();
    const user = USERS[index % USERS.length] ?? '';
    let abortedAt = 0;
    const timer = setTimeout(
      () => {
        abortedAt = performance.now();
        abort.abort();
      },
      index % 3 === 0 ? (index * 37) % 2_000 : STORM_MS,
    );
    const code = SCRIPTS[Math.floor(index / USERS.length) % SCRIPTS.length] ?? '';
    try {
      const { error } = await sandbox.run(code, '{}', { signal: abort.signal, user });
      endings.push({ user, ending: error === messages.busy ? 'refused as busy' : 'answered' });
    } catch {
      abortMs.push(performance.now() - abortedAt);
      endings.push({ user, ending: 'aborted' });
    } finally {
      clearTimeout(timer);
    }
  }

  beforeAll(async () => {
    await sandbox.availability();
    await Promise.all(Array.from({ length: RUNS }, (_, index) => runOne(index)));
  }, STORM_MS);
  afterAll(() => sandbox.close());

  const count = (wanted: Ending, user?: string) =>
    endings.filter((each) => each.ending === wanted && (user === undefined || each.user === user)).length;

  test('all end, and those for whom there is no room are told so', () => {
    expect(endings).toHaveLength(RUNS);
    expect(count('refused as busy')).toBeGreaterThan(0);
    expect(count('answered') + count('aborted')).toBeGreaterThanOrEqual(QUEUE_LENGTH);
  });

  test('are shared between the users', () => {
    const served = USERS.map((user) => count('answered', user));
    expect(Math.min(...served)).toBeGreaterThan(0);
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(3);
  });

  test('stop as soon as they are aborted', () => {
    expect(abortMs.length).toBeGreaterThan(0);
    expect(Math.max(...abortMs)).toBeLessThan(ABORT_MS);
  });

  test('leave a sandbox that is as good as new', async () => {
    const results = await Promise.all([1, 2, 3].map((n) => runPython(sandbox, `print(${n})`)));
    expect(results.map(({ output }) => output)).toEqual(['1\n', '2\n', '3\n']);
  }, 60_000);
});

const ROWS = 110_000;
/** JSON text of about eight megabytes, the most that is allowed. */
const dataJson = JSON.stringify({
  rows: Array.from({ length: ROWS }, (_, id) => ({
    id,
    title: `Row number ${id}`,
    value: id * 1.25,
    tags: ['a'],
  })),
});
const LONGEST_DELAY_MS = 50;

describe('the event loop', () => {
  const sandbox = startedSandbox();

  test('is not held up while eight megabytes are analysed', async () => {
    expect(dataJson.length).toBeGreaterThan(7_500_000);
    await runPython(sandbox, 'pass');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const { signal } = new AbortController();
    const runs = ['ada', 'bob', 'cyd'].map((user) =>
      sandbox.run('print(len(data["rows"]))', dataJson, { signal, user }),
    );
    const results = await Promise.all(runs);
    delay.disable();
    expect(results.map(({ output, error }) => output ?? error)).toEqual(runs.map(() => `${ROWS}\n`));
    // While others keep all cores, single delays are theirs.
    const [load = 0] = loadavg();
    const longest = load < availableParallelism() ? delay.max : delay.percentile(99);
    expect(longest / 1e6).toBeLessThan(LONGEST_DELAY_MS);
  }, 60_000);
});
