/** `npm run chaos`: faults against a cluster under load, from outside. See `--help`. */
import { parseArgs } from 'node:util';
import { shorten } from '../../src/domain/text/stored-text.ts';
import { runRound } from './round.ts';
import { runMutants } from './run-mutants.ts';

const MOST_SHOWN = 40;
const USAGE = `Usage: npm run chaos -- [short | long | mutants] [options]

short    each fault once against two servers and a worker: three minutes on a quiet machine (the default)
long     each fault --times times against three servers and two workers
mutants  plants each defect of test/chaos/mutants.yaml in a copy and runs what should find it; names choose some

--seed N      order and choices of faults and load (default: 1)
--times N     how often each fault happens (long: 5)
--only NAME   only faults whose names contain this
--bail        stop at the first thing that is wrong

Everything runs on loopback in a temporary folder, and ends with the run, however that ends.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    times: { type: 'string' },
    only: { type: 'string', default: '' },
    bail: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [mode = 'short', ...names] = positionals;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
// The keeper ends what is left.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

if (values.help || !['short', 'long', 'mutants'].includes(mode)) {
  say(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else if (mode === 'mutants') {
  if (!(await runMutants(names, say))) process.exitCode ??= 1;
} else {
  const isLong = mode === 'long';
  const { bail, only } = values;
  const seed = Number(values.seed);
  const times = Number(values.times ?? (isLong ? 5 : 1));
  const sizes = isLong
    ? { servers: 3, workers: 2, minutes: times * 15 }
    : { servers: 2, workers: 1, minutes: times * 10 };
  say(`seed ${seed}, ${sizes.servers} servers, ${sizes.workers} workers`);
  const { table, wrong, refusals, errors } = await runRound({
    seed,
    times,
    ...sizes,
    bail,
    only,
    say,
  });
  say(`\n${table}\n`);
  if (refusals.size > 0)
    say(`Refused and tried again: ${[...refusals].map(([code, count]) => `${code} ${count}`).join(', ')}`);
  for (const [what, count] of errors) say(`Logged as an error ${count} times: ${shorten(what, 300)}`);
  for (const { kind, fault, what } of wrong.slice(0, MOST_SHOWN))
    say(`WRONG (${kind}, ${fault}): ${shorten(what, 400)}`);
  if (wrong.length > MOST_SHOWN) say(`… and ${wrong.length - MOST_SHOWN} more`);
  if (wrong.length > 0) process.exitCode ??= 1;
}
