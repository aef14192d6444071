import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatheredBytes } from '../../../src/agent/models/shared/gathered-bytes.ts';
import { windowEnd } from '../../../src/agent/pace.ts';

/** A body that the test writes, and what was heard and read of it. */
function openBody() {
  let cancelled: unknown = null;
  let heard = 0;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (control = controller),
    cancel: (reason) => void (cancelled = reason),
  });
  const reader = gatheredBytes(body, () => (heard += 1)).getReader();
  return {
    reader,
    send: (...texts: string[]) => texts.forEach((text) => control?.enqueue(Buffer.from(text))),
    end: () => control?.close(),
    fail: (error: Error) => control?.error(error),
    next: async () => Buffer.from((await reader.read()).value ?? []).toString(),
    heard: () => heard,
    cancelled: () => cancelled,
  };
}

const FIRST = ['a', 'b', 'c', 'd'];

/** A body whose first chunks have passed. */
async function begunBody() {
  const body = openBody();
  body.send(...FIRST);
  for (const chunk of FIRST) expect(await body.next()).toBe(chunk);
  return body;
}

describe('bytes of a model', () => {
  test('pass at once at first, and then together', async () => {
    const body = await begunBody();
    body.send('e', 'f');
    const next = body.next();
    const end = windowEnd().then(() => body.send('late'));
    body.send('g');
    expect(await next).toBe('efg');
    expect(body.heard()).toBe(FIRST.length + 3);
    await end;
    expect(await body.next()).toBe('late');
  });

  test('are not held at the end', async () => {
    const body = await begunBody();
    body.send('e');
    body.end();
    expect(await body.next()).toBe('e');
    expect(await body.reader.read()).toEqual({ done: true, value: undefined });
  });

  test('come before the failure behind them', async () => {
    const body = await begunBody();
    body.send('e');
    const next = body.next();
    // The stream drops what was not read when it fails.
    await windowEnd();
    body.fail(new Error('cut'));
    expect(await next).toBe('e');
    await expect(body.next()).rejects.toThrow('cut');
  });

  test('are no longer read by whoever leaves, also while they are held', async () => {
    const body = await begunBody();
    body.send('e');
    const next = body.next();
    await body.reader.cancel('left');
    await next;
    expect(body.cancelled()).toBe('left');
  });

  test('are the same in the same order, however they come', async () => {
    const chunk = fc.oneof(fc.string({ minLength: 1 }), fc.constant('x'.repeat(9_000)));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 30 }), async (chunks) => {
        const body = openBody();
        body.send(...chunks);
        body.end();
        let got = '';
        for (;;) {
          const { done, value } = await body.reader.read();
          if (done) break;
          got += Buffer.from(value).toString();
        }
        expect(got).toBe(chunks.join(''));
      }),
      { numRuns: 50 },
    );
  });
});
