/** What must be shown of the event log: faults of every kind, and nothing lost, nothing doubled, one end a turn. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/databases.ts';
import type { TestDatabase } from '../support/databases.ts';
import { faultStorm } from '../support/fault-storm.ts';
import { killStorm } from '../support/kill-storm.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('180 faults with 20 subscribers on two servers: every transcript is the log', async () => {
  const report = await faultStorm(database.url, { seed: 20_261_121, faults: 180, subscribers: 20 });
  expect(report.wrong).toEqual([]);
  expect(report.turns).toBeGreaterThan(10);
  expect(report.events).toBeGreaterThan(500);
});

test('20 processes killed in mid-turn: another server closes their turns and serves the rest', async () => {
  const report = await killStorm(database.url, { kills: 20, atOnce: 5, sessions: 2 });
  expect(report.wrong).toEqual([]);
  expect(report.turns).toBe(40);
});
