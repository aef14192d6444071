/** The paced pictures of live pages, with the clock, the frames and the timers of a page that is not there. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFrameStore } from '../src/view/frame-store.ts';

const FRAME_MS = 16;
const NAMES = ['document', 'requestAnimationFrame', 'setTimeout', 'performance'] as const;

type Due = { readonly atMs: number; readonly run: () => void };

describe('the frames of a live page', () => {
  let nowMs: number;
  let due: Due[];
  let page: { hidden: boolean };
  const real = new Map(NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));

  beforeEach(() => {
    [nowMs, due, page] = [0, [], { hidden: false }];
    const later = (run: () => void, afterMs: number): void => void due.push({ atMs: nowMs + afterMs, run });
    const parts = {
      document: page,
      // A page that nobody looks at gets no frames.
      requestAnimationFrame: (run: () => void) => later(run, page.hidden ? Infinity : FRAME_MS),
      setTimeout: (run: () => void, ms = 0) => later(run, ms),
      performance: { now: () => nowMs },
    };
    for (const name of NAMES) {
      Object.defineProperty(globalThis, name, { value: parts[name], configurable: true, writable: true });
    }
  });
  afterEach(() => {
    for (const [name, was] of real) {
      if (was) Object.defineProperty(globalThis, name, was);
      else Reflect.deleteProperty(globalThis, name);
    }
  });

  /** Lets time pass; what throws is told by the page's console and stops nothing else. */
  const pass = (ms: number): void => {
    const endMs = nowMs + ms;
    for (;;) {
      const next = due.toSorted((one, other) => one.atMs - other.atMs)[0];
      if (next === undefined || next.atMs > endMs) break;
      due.splice(due.indexOf(next), 1);
      nowMs = Math.max(nowMs, next.atMs);
      try {
        next.run();
      } catch {
        continue;
      }
    }
    nowMs = Math.max(nowMs, endMs);
  };
  const add = (count: number): number => count + 1;
  /** Changes a store each millisecond of a second, and tells what was drawn by a page that takes `drawMs` for it. */
  const drawnBy = (drawMs: number): readonly number[] => {
    const store = createFrameStore(0);
    const drawn: number[] = [];
    store.subscribe(() => {
      drawn.push(store.get());
      nowMs += drawMs;
    });
    while (nowMs < 1_000) {
      store.update(add);
      pass(1);
    }
    pass(1_000);
    expect(drawn.at(-1)).toBe(store.peek());
    return drawn;
  };

  test('show the newest state, once a frame, where drawing is quick', () => {
    const drawn = drawnBy(0);
    expect(drawn.length).toBeGreaterThan(40);
    expect(drawn.length).toBeLessThanOrEqual(1_000 / FRAME_MS + 2);
  });

  test('leave half of the time to the reader where drawing is slow, and still show what comes', () => {
    const drawn = drawnBy(100);
    expect(drawn.length).toBeGreaterThanOrEqual(4);
    expect(drawn.length).toBeLessThanOrEqual(7);
  });

  test('go on after a component that throws', () => {
    const store = createFrameStore(0);
    store.subscribe(() => {
      if (store.get() === 1) throw new Error('cannot be drawn');
    });
    store.update(add);
    pass(50);
    store.update(add);
    pass(50);
    expect(store.get()).toBe(2);
  });

  test('are drawn by a clock while nobody looks, and the last one when somebody does', () => {
    const store = createFrameStore(0);
    page.hidden = true;
    store.update(add);
    pass(200);
    expect(store.get()).toBe(1);
    expect(due.filter(({ atMs }) => atMs < Infinity)).toEqual([]);
  });

  test('are no longer planned once all is shown, nor drawn by who has left', () => {
    const store = createFrameStore(0);
    let drawn = 0;
    const leave = store.subscribe(() => void (drawn += 1));
    store.update(add);
    store.update((count) => count);
    pass(100);
    leave();
    store.update(add);
    pass(100);
    expect([drawn, store.get(), due.length]).toEqual([1, 2, 0]);
  });
});
