import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { CANARY_VARIABLE, FATAL_TECHNIQUES, escapesFor } from './support/escapes.ts';
import type { Canaries, Escape } from './support/escapes.ts';
import { runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

const SECRET = 'secret-of-the-host';
const HOST = join(import.meta.dirname, 'support/escape-host.ts');

let canaries: Canaries;
let connections = 0;
const listener = createServer((socket) => {
  connections++;
  socket.on('error', () => {}).destroy();
});

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-escapes-'));
  await writeFile(join(folder, 'secret'), SECRET);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  canaries = { secret: SECRET, file: join(folder, 'secret'), folder, markers: join(folder, 'marker'), port };
  connections = 0;
});

afterEach(async () => {
  await once(listener.close(), 'close');
  await rm(canaries.folder, { recursive: true });
});

const markers = async () => (await readdir(canaries.folder)).filter((name) => name !== 'secret');

/** Runs every escape in a host program; ends it when `seen` holds. */
async function runInHost(mode: 'stock' | 'sealed', seen: () => boolean): Promise<string[]> {
  const host = spawn(process.execPath, [HOST, mode, JSON.stringify(canaries)], {
    env: { ...process.env, [CANARY_VARIABLE]: SECRET },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(host, 'exit');
  const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
  await until(seen, { what: 'evidence in the host program' });
  host.kill('SIGKILL');
  await exited;
  return JSON.parse(line) as string[];
}

/** Of interest is what an attempt reaches, not how fast a busy machine is. */
const sandbox = startedSandbox();

const tryOut = ({ name, code }: Escape) => `${code}\nprint(${JSON.stringify(`tried ${name}:`)}, loot)`;

const partition = <T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] => [
  items.filter(test),
  items.filter((item) => !test(item)),
];

const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

describe('known ways out of Pyodide', () => {
  test('work in stock Pyodide, so the canaries would notice', async () => {
    const looted = await runInHost('stock', () => connections > 0);
    expect(looted).toEqual(
      expect.arrayContaining(['process of JavaScript', 'a constructor chain', 'mounting a host folder']),
    );
    expect(await markers()).toEqual(expect.arrayContaining(['marker-0', 'marker-1']));
    expect(connections).toBeGreaterThan(0);
  });

  test('end in the sealed realm alone, with neither the process wall nor the Python layer', async () => {
    expect(await runInHost('sealed', () => true)).toEqual([]);
    expect(await markers()).toEqual([]);
    expect(connections).toBe(0);
  });

  test('end in the sandbox as it is used', async () => {
    const [fatal, others] = partition(escapesFor(canaries), ({ name }) => FATAL_TECHNIQUES.includes(name));
    const jobs = [...fatal.map((escape) => [escape]), ...inBatches(others, 8)];
    const results = await Promise.all(
      jobs.map((escapes) => runPython(sandbox, escapes.map(tryOut).join('\n'))),
    );
    const text = results.map(({ output }) => output ?? '').join('');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(process.env['PATH']);
    for (const { name } of others) expect(text).toContain(`tried ${name}: `);
    expect(await markers()).toEqual([]);
    expect(connections).toBe(0);
  });
});

describe('hostile values', () => {
  test('are read inside, where their methods can do no more than the code itself', async () => {
    const evil = `
import statistics
class Evil(dict):
    def __str__(self): return str(statistics.sys.modules['os'].system("echo > ${canaries.markers}"))
    def to_plotly_json(self): raise BaseException("from to_plotly_json")
    def tolist(self): return self`;
    expect((await runPython(sandbox, `${evil}\nresult = {"output": Evil(a=1)}`)).output).toBe('-1');
    expect(
      (await runPython(sandbox, `class E:\n  def to_plotly_json(self): return self\nresult = {"chart": E()}`))
        .error,
    ).toMatch(/Circular|Recursion/);
    expect(await markers()).toEqual([]);
  });

  test('in the form of protocol messages are only text', async () => {
    const fake = '{"output":"fake","truncated":false,"error":null}\\n';
    expect((await runPython(sandbox, `print('${fake}', end='')`)).output).toBe(fake.replace('\\n', '\n'));
  });
});
