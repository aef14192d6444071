import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAnswer } from '../../src/sources/live/read-answer.ts';
import {
  startControlServer,
  type ControlServer,
} from '../../src/import/demo/control-server/control-server.ts';
import { makeDemo } from '../../src/import/demo.ts';
import { startChild } from '@qpilot/test-support';

const start = new Date('2026-05-20T01:00:00Z');
let now = start;
let server: ControlServer;

beforeAll(async () => {
  server = await startControlServer({ port: 0, seed: 1, now: () => now });
});
afterAll(() => server.close());

async function readingAt(path: string, at: Date, from = server) {
  now = at;
  const response = await fetch(`${from.url}${path}`);
  const read = readAnswer(await response.json(), 'demo-64', at);
  if (read.type === 'wrong') throw new Error(read.message);
  return read.reading;
}

describe('the fake control server', () => {
  test('answers the same for the same seed and time, and otherwise not', async () => {
    const [again, other] = await Promise.all(
      [1, 2].map((seed) => startControlServer({ port: 0, seed, now: () => now })),
    );
    try {
      const first = await readingAt('/chips/demo-64', start);
      expect(await readingAt('/chips/demo-64', start, again)).toEqual(first);
      expect((await readingAt('/chips/demo-64', start, other)).values).not.toEqual(first.values);
    } finally {
      await Promise.all([again!.close(), other!.close()]);
    }
  });

  test('has every stored value, measured within the last ten minutes, near what is stored and inside physics', async () => {
    const { values, leftOut } = await readingAt('/chips/demo-64', start);
    const { qubits, couplings } = makeDemo(start);
    const stored = [...qubits, ...couplings].flatMap(({ qid, data }) =>
      Object.values(data).map((parameter) => ({ qid, ...parameter })),
    );
    expect(leftOut).toEqual([]);
    expect(values).toHaveLength(stored.length);
    const byKey = new Map(values.map((value) => [`${value.qid} ${value.parameter}`, value]));
    for (const { qid, parameter_name: name, value, error } of stored) {
      const live = byKey.get(`${qid} ${name}`)!;
      expect(Math.abs(live.value - value)).toBeLessThan(11 * error);
      expect(Math.sign(live.value)).toBe(Math.sign(value));
      if (name.includes('fidelity')) expect(live.value).toBeLessThan(1);
      expect(start.getTime() - live.at.getTime()).toBeGreaterThanOrEqual(0);
      expect(start.getTime() - live.at.getTime()).toBeLessThan(600_000);
    }
  });

  test('drifts: an hour later every value has moved', async () => {
    const before = await readingAt('/chips/demo-64', start);
    const after = await readingAt('/chips/demo-64', new Date(start.getTime() + 3_600_000));
    expect(after.values.filter(({ value }, index) => value === before.values[index]!.value)).toEqual([]);
  });

  test('says the same in both shapes', async () => {
    const small = await readingAt('/chips/demo-64', start);
    const ibm = await readingAt('/backends/demo-64/properties', start);
    const byKey = new Map(small.values.map((value) => [`${value.qid} ${value.parameter}`, value]));
    expect(ibm.values.length).toBeGreaterThan(64 * 6);
    for (const { qid, parameter, value, at } of ibm.values) {
      const same = byKey.get(`${qid} ${parameter}`)!;
      expect(value).toBeCloseTo(same.value, 9);
      expect(at).toEqual(same.at);
    }
  });

  test.each([
    ['GET', '/chips/other', 404],
    ['GET', '//', 404],
    ['POST', '/chips/demo-64', 405],
    ['DELETE', '/chips/demo-64', 405],
  ])('%s %s is answered with %i', async (method, path, status) => {
    const response = await fetch(`${server.url}${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('error');
  });
});

describe('npm run control-server', () => {
  const script = resolve('src/operations/cli/control-server.ts');

  test('prints the addresses to give to QPilot, serves, and ends at SIGTERM', async () => {
    const child = startChild(script, ['--port', '0', '--seed', '3']);
    try {
      const [name, address] = (await child.nextLine()).split('=');
      expect(name).toBe('LIVE_SOURCE_URL');
      const response = await fetch(address!.replace('{chip}', 'demo-64'));
      expect(readAnswer(await response.json(), 'demo-64', new Date())).toMatchObject({ type: 'reading' });
    } finally {
      await child.end('SIGTERM');
    }
    expect(child.process.exitCode).toBe(0);
  });

  test.each([
    [['--port', 'x'], 'at port'],
    [['--speed', '3'], 'Usage: npm run control-server'],
  ])('%j is refused with the right usage', async (args, words) => {
    const child = startChild(script, args);
    await expect(child.nextLine()).rejects.toThrow(words);
    expect(child.process.exitCode).toBe(2);
  });
});
