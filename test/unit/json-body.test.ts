import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readBody } from '../../src/protocols/json-body.ts';

const MB = 1024 * 1024;
/** A body as it arrives, in pieces of 64 kB. */
function read(text: string) {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  );
  return readBody(Readable.from(pieces) as unknown as IncomingMessage, 24 * MB);
}

test.each([
  ['empty lists', `{"messages":[${'[],'.repeat(7 * MB)}[]]}`],
  ['numbers', `{"messages":[${'1,'.repeat(11 * MB)}1]}`],
  ['names', `{${'"a":0,'.repeat(3 * MB)}"b":0}`],
])('a body of very many %s is refused before it is parsed', async (_what, text) => {
  expect(await read(text)).toEqual({
    status: 413,
    problem: 'a message has at most 50000 values and entries',
  });
});

test('a body of long texts is taken, whatever they hold', async () => {
  const text = `${'[{,:'.repeat(100_000)}\\"${'x'.repeat(20 * MB)}`;
  expect(await read(JSON.stringify({ messages: [{ text }] }))).toEqual({ body: { messages: [{ text }] } });
});
