import { expect, test } from '@jest/globals';
import { createCursors } from '../../src/mongo/cursors.ts';

const documents = (count: number) => Array.from({ length: count }, (_unused, i) => Buffer.from([i]));

test('a cursor that nobody reads for ten minutes ends when another one is opened', () => {
  let nowMs = 0;
  const cursors = createCursors(() => nowMs);
  const { id: idle } = cursors.open(documents(5), 'd.c', { batchSize: 2 });
  const { id: used } = cursors.open(documents(5), 'd.c', { batchSize: 2 });
  nowMs = 500_000;
  cursors.next(used, 'd.c', 1);
  nowMs = 700_000;
  cursors.open([], 'd.c', {});
  expect(cursors.count()).toBe(1);
  expect(() => cursors.next(idle, 'd.c')).toThrow(/not found/);
  expect(cursors.next(used, 'd.c').documents).toEqual(documents(5).slice(3));
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
  const { id } = cursors.open(endless(), 'd.c', { batchSize: 1 });
  expect(() => cursors.next(id, 'd.other', 1)).toThrow(/not found/);
  expect(cursors.kill(id)).toBe(true);
  expect(stopped).toBe(true);
});

test('an empty first batch opens a cursor without reading', () => {
  const cursors = createCursors();
  const { id, documents: first } = cursors.open(documents(3), 'd.c', { batchSize: 0 });
  expect(first).toEqual([]);
  expect(cursors.next(id, 'd.c').documents).toHaveLength(3);
});
