import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readInputText } from '../../src/import/read-input.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-input-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (bytes: Uint8Array | string): Promise<string> => {
  const path = join(folder, 'table.csv');
  await writeFile(path, bytes);
  return readInputText(path);
};

test.each([
  ['plain', 'T1 (μs)\n80'],
  ['with a byte order mark', '\uFEFFT1 (μs)\n80'],
  ['gzip, whatever its name', gzipSync('T1 (μs)\n80')],
  ['gzip of a file with a byte order mark', gzipSync('\uFEFFT1 (μs)\n80')],
])('a file that is %s is read', async (_what, bytes) => {
  expect(await read(bytes)).toBe('T1 (μs)\n80');
});

test.each([
  ['a gzip file that was cut', gzipSync('T1 (μs)\n80').subarray(0, 20), /table\.csv is a gzip file that can/],
  ['another encoding', Buffer.from('T1 (µs)', 'latin1'), /table\.csv is not UTF-8 text: save it as UTF-8/],
])('%s is an error that names the file', async (_what, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message);
});
