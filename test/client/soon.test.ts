import { mock } from 'node:test';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createSoon } from '../../client/lib/use-soon.ts';

let acts: number;
let soon: ReturnType<typeof createSoon>;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  acts = 0;
  soon = createSoon(() => void (acts += 1), 2_000);
});
afterEach(() => mock.timers.reset());

test('what is asked for all the time is done all the same, and no more often', () => {
  for (let index = 0; index < 40; index += 1) {
    soon.ask();
    mock.timers.tick(500);
  }
  expect(acts).toBe(10);
});

test('those who ask together have it done once, and nobody later', () => {
  for (let index = 0; index < 3; index += 1) soon.ask();
  mock.timers.tick(60_000);
  expect(acts).toBe(1);
});

test('it is not done any more after the end, and can be asked for again', () => {
  soon.ask();
  soon.stop();
  mock.timers.tick(60_000);
  expect(acts).toBe(0);
  soon.ask();
  mock.timers.tick(2_000);
  expect(acts).toBe(1);
});
