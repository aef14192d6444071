import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConflictError, InvalidInputError } from '../../src/base/errors.ts';
import { runInThread, ThreadEndedError } from '../../src/base/thread-job.ts';

let folder: string;
let entry: URL;
const src = pathToFileURL(join(import.meta.dirname, '../../src/base/')).href;
const WORK = `
import { workAsThread } from '${src}thread-job.ts';
import { ConflictError, InvalidInputError } from '${src}errors.ts';
await workAsThread(async (job, report) => {
  if (job === 'double') { report(1); report(2); return 42; }
  if (job === 'invalid') throw new InvalidInputError([{ path: ['a', 'b'], message: 'is wrong' }]);
  if (job === 'conflict') throw new ConflictError('taken');
  if (job === 'bug') throw new TypeError('a bug');
  if (job === 'leave') process.exit(3);
  if (job === 'memory') {
    const all = [];
    for (;;) {
      for (let each = 0; each < 1_000; each += 1) all.push([each, {}]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  for (;;);
});`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-thread-'));
  await writeFile(join(folder, 'work.ts'), WORK);
  entry = pathToFileURL(join(folder, 'work.ts'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (job: string, signal = new AbortController().signal, onProgress?: (n: number) => void) =>
  runInThread<number, number>({ entry, name: 'tests', memoryMb: 64 }, job, signal, onProgress);

test('work in a thread gives its result, and tells how far it is', async () => {
  const told: number[] = [];
  expect(await run('double', undefined, (n) => told.push(n))).toBe(42);
  expect(told).toEqual([1, 2]);
});

test('an error that a caller can act on arrives as it was thrown', async () => {
  await expect(run('invalid')).rejects.toMatchObject({
    constructor: InvalidInputError,
    issues: [{ path: ['a', 'b'], message: 'is wrong' }],
  });
  await expect(run('conflict')).rejects.toMatchObject({ constructor: ConflictError, message: 'taken' });
});

test('a thread that ends otherwise says how', async () => {
  await expect(run('bug')).rejects.toMatchObject({
    constructor: ThreadEndedError,
    isOutOfMemory: false,
    cause: expect.objectContaining({ message: 'a bug' }),
  });
  await expect(run('leave')).rejects.toThrow('exit code 3');
  await expect(run('memory')).rejects.toMatchObject({ isOutOfMemory: true });
});

test('an abort ends a thread that never pauses', async () => {
  const leaving = new AbortController();
  const work = run('endless', leaving.signal);
  setImmediate(() => leaving.abort(new Error('left')));
  await expect(work).rejects.toThrow('left');
});
