import { expect, test } from '@jest/globals';
import { createCursors } from '../../src/mongo/cursors.ts';
import { atOnce, PAUSE } from '../../src/mongo/steps.ts';

const documents = (count: number) => Array.from({ length: count }, (_unused, i) => Buffer.from([i]));

test('a cursor that nobody reads for ten minutes ends when another one is opened', () => {
  let nowMs = 0;
  const cursors = createCursors(() => nowMs);
  const { id: idle } = atOnce(cursors.open(documents(5), 'd.c', { batchSize: 2 }));
  const { id: used } = atOnce(cursors.open(documents(5), 'd.c', { batchSize: 2 }));
  nowMs = 500_000;
  atOnce(cursors.next(used, 'd.c', 1));
  nowMs = 700_000;
  atOnce(cursors.open([], 'd.c', {}));
  expect(cursors.count()).toBe(1);
  expect(() => atOnce(cursors.next(idle, 'd.c'))).toThrow(/not found/);
  expect(atOnce(cursors.next(used, 'd.c')).documents).toEqual(documents(5).slice(3));
});

test('a cursor belongs to its collection, and its reader is told to stop', () => {
  let stopped = false;
  function* endless() {
    try {
      for (;;) yield Buffer.of(1);
    } finally {
      stopped = true;
    }
  }
  const cursors = createCursors();
  const { id } = atOnce(cursors.open(endless(), 'd.c', { batchSize: 1 }));
  expect(() => atOnce(cursors.next(id, 'd.other', 1))).toThrow(/not found/);
  expect(cursors.kill(id)).toBe(true);
  expect(stopped).toBe(true);
});

test('an empty first batch opens a cursor without reading', () => {
  const cursors = createCursors();
  const { id, documents: first } = atOnce(cursors.open(documents(3), 'd.c', { batchSize: 0 }));
  expect(first).toEqual([]);
  expect(atOnce(cursors.next(id, 'd.c')).documents).toHaveLength(3);
});

test('a cursor that is killed while its page pauses ends with an error, not with half a page', () => {
  const cursors = createCursors();
  const page = cursors.open([Buffer.of(1), PAUSE, Buffer.of(2)], 'd.c', {});
  expect(page.next()).toEqual({ done: false, value: PAUSE });
  expect(() => atOnce(cursors.next(1n, 'd.c'))).toThrow(/already in use/);
  cursors.killNamespace('d.c');
  expect(() => page.next()).toThrow(/killed/);
  expect(cursors.count()).toBe(0);
});

test('a page that nobody waits for any longer gives its cursor back', () => {
  const cursors = createCursors();
  const page = cursors.open([PAUSE, Buffer.of(1)], 'd.c', {});
  page.next();
  expect(cursors.count()).toBe(1);
  page.return(undefined as never);
  expect(cursors.count()).toBe(0);
});
