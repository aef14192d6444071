/**
 * Series L of docs/agent-rules.md: what a model's own code costs. Token budgets (L3), uploads and paths (L2) and
 * secrets (L4) have tests of their own that say so.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEMO_NOW, demoViewer } from '../../support/demo-database.ts';
import { stubServices } from '../../support/stub-services.ts';
import { openToolBench } from '../../support/tool-bench.ts';
import { openSandbox, runPython } from '../../../packages/python-sandbox/test/support/sandbox.ts';

const TIMEOUT_MS = 500;
const sandbox = openSandbox({ limits: { timeoutMs: TIMEOUT_MS } });
const bench = openToolBench({
  services: stubServices({}),
  viewer: demoViewer,
  chipId: null,
  now: DEMO_NOW,
  sandbox,
});
// The first start makes the snapshot, which may take longer than a call of a tool.
beforeAll(() => runPython(sandbox, 'print(1)'));
afterAll(() => sandbox.close());

/** A call of the tool, and how often this process could do something else meanwhile. */
async function analyse(code: string) {
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  const ending = await bench.call('execute_python_analysis', { code });
  clearInterval(ticking);
  return { ...ending, ticks };
}

describe('L1: code of a model', () => {
  test('L1: that loops without end is stopped, while the server goes on', async () => {
    const { status, error, ticks } = await analyse('while True: pass');
    expect(status).toBe('ERROR');
    expect(error?.message).toMatch(/ran longer than 0\.5 s/);
    expect(ticks).toBeGreaterThan(5);
  });

  test.each([
    ['takes a gigabyte', 'x = bytearray(10**9)', /MemoryError/],
    ['starts a process', 'import subprocess\nsubprocess.run(["id"])', /subprocess/],
    ['starts a process through os', 'import os\nos.system("id")', /os/],
    ['opens a connection', 'import socket\nsocket.create_connection(("127.0.0.1", 1))', /socket/],
    ['reads a file', 'print(open("/etc/passwd").read())', /open/],
    ['writes to the prototypes of the server', 'import js\njs.Object.prototype.polluted = 1', /js/],
  ])('L1: that %s fails by itself', async (_name, code, message) => {
    const { status, error } = await analyse(code);
    expect(status).toBe('ERROR');
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('root:');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('L1: that prints without end is read in bounds', async () => {
    const { output } = await analyse('for n in range(10**6): print("x" * 100)');
    expect(output.length).toBeLessThanOrEqual(30_000);
  });

  test('L1: after all of it the next call is as good as new', async () => {
    const { status, output } = await analyse('print(1 + 1)');
    expect({ status, output: JSON.parse(output) }).toMatchObject({
      status: 'OK',
      output: { data: { output: '2\n' } },
    });
  });
});
