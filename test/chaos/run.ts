/**
 * The long form of `test/integration/events-faults.test.ts`: rounds of faults and killed processes, each round with
 * another seed. `npm run chaos -- [rounds] [seed]`; a failed round says its seed and the process exits with 1.
 */
import { createTestDatabase } from '../support/databases.ts';
import { faultStorm } from '../support/fault-storm.ts';
import type { StormReport } from '../support/fault-storm.ts';
import { killStorm } from '../support/kill-storm.ts';
import { startRunStores } from '../support/run-stores.ts';

const [rounds = 5, firstSeed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);

const stores = await startRunStores();
try {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
    const database = await createTestDatabase();
    report(
      `seed ${seed}, 500 faults`,
      await faultStorm(database.url, { seed, faults: 500, subscribers: 20 }),
    );
    report(`seed ${seed}, 10 kills`, await killStorm(database.url, { kills: 10, atOnce: 5, sessions: 4 }));
    await database.drop();
  }
} finally {
  await stores.stop();
}

function report(name: string, { wrong, events, turns }: StormReport): void {
  const outcome = wrong.length === 0 ? 'ok' : `WRONG:\n  ${wrong.join('\n  ')}`;
  process.stdout.write(`${name}: ${turns} turns, ${events} events: ${outcome}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
