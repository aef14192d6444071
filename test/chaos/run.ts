/** `npm run chaos`: faults against a cluster under load, from outside. See `--help`. */
import { parseArgs } from 'node:util';
import { shorten } from '../../src/domain/text/stored-text.ts';
import { CONTROL, FAULTS, outages, type Fault } from './faults.ts';
import { inTurn } from './in-turn.ts';
import { seeded } from './random.ts';
import { runRound, type RoundPlan } from './round.ts';
import { runMutants } from './run-mutants.ts';
import { runSoak } from './soak.ts';
import { runStranger } from './stranger.ts';

const MOST_SHOWN = 40;
const USAGE = `Usage: npm run chaos -- [short | long | in-turn | outages | soak | stranger | mutants] [options]

short    each fault once against two servers and a worker, and outages of 3 s of what one server needs that runs alone: four
         minutes on a quiet machine (the default)
long     each fault --times times against three servers and two workers, then outages as below
in-turn  each of --servers servers killed, frozen and restarted in turn under --messages messages, for each number of servers
outages  PostgreSQL, calibration store and disk away or frozen for each of --seconds, with each number of servers and no worker
soak     a low load for --minutes minutes that deletes what it made: memory, disk, connections, delay; is any growing?
stranger everything that somebody without an account can try against a started server: a minute
mutants  plants each defect of test/chaos/mutants.yaml in a copy and runs what should find it; names choose some

--seed N      order and choices of faults and load (default: 1)
--times N     how often each fault happens (long: 5)
--only NAME   only faults whose names contain this
--servers N   how many servers; several runs with commas (in-turn: 2,4, outages: 1,2, soak: 2)
--seconds N   outages: how long each lasts (default: 3,15,60,300)
--messages N  in-turn: at least so many (default: 200)
--minutes N   soak: how long (default: 20)
--chats N     soak: conversations at a time (default: 3); 0 shows what waiting costs
--near        soak: each conversation stays on one server
--bail        stop at the first thing that is wrong

Everything runs on loopback in a temporary folder, and ends with the run, however that ends.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    times: { type: 'string' },
    only: { type: 'string', default: '' },
    servers: { type: 'string' },
    minutes: { type: 'string', default: '20' },
    chats: { type: 'string', default: '3' },
    near: { type: 'boolean', default: false },
    messages: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '3,15,60,300' },
    bail: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [mode = 'short', ...names] = positionals;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
// The keeper ends what is left.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const seed = Number(values.seed);
const common = { seed, bail: values.bail, say };

/** In an order of the seed, each series after a time without any. */
function shuffled(times: number): readonly Fault[] {
  const random = seeded(seed);
  const chosen = only(FAULTS);
  return Array.from({ length: times }, () => [CONTROL, ...random.shuffled(chosen)]).flat();
}

const only = (faults: readonly Fault[]): readonly Fault[] =>
  faults.filter(({ name }) => name.includes(values.only));

/** Plans that have a fault of that name. */
function chosenPlans(): readonly RoundPlan[] {
  const chosen = plansOf(mode === 'long').filter(({ faults }) => faults.some((fault) => fault !== CONTROL));
  const all = [...new Set([...FAULTS, ...outages(3)].map(({ name }) => name))].join('; ');
  if (chosen.length === 0) throw new Error(`no fault is named like ${values.only}; there are ${all}`);
  return chosen;
}

/** Without a worker: that would end the turns of a server, too. */
function outagePlans(servers: readonly number[], seconds: readonly number[]): readonly RoundPlan[] {
  const faults = [CONTROL, ...only(seconds.flatMap(outages))];
  const minutes = 5 + (faults.length * 90 + sum(seconds) * 5) / 60;
  return servers.map((each) => ({
    ...common,
    ...LOAD,
    conversations: 3,
    faults,
    servers: each,
    workers: 0,
    minutes,
  }));
}

const LOAD = { conversations: 5, words: [10, 40], messages: 0 } as const;
const numbers = (text: string): readonly number[] => text.split(',').map(Number);
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

function plansOf(isLong: boolean): readonly RoundPlan[] {
  if (mode === 'outages') return outagePlans(numbers(values.servers ?? '1,2'), numbers(values.seconds));
  if (mode === 'in-turn') {
    return numbers(values.servers ?? '2,4').map((servers) => {
      const faults = [CONTROL, ...only(inTurn(servers))];
      const load = { conversations: 6, words: [60, 200], messages: Number(values.messages) } as const;
      return { ...common, ...load, faults, servers, workers: 0, minutes: servers * 10 };
    });
  }
  const times = Number(values.times ?? (isLong ? 5 : 1));
  const sizes = isLong
    ? { servers: 3, workers: 2, minutes: times * 15 }
    : { servers: 2, workers: 1, minutes: times * 10 };
  const alone = outagePlans([1], isLong ? numbers(values.seconds) : [3]);
  return [{ ...common, ...LOAD, faults: shuffled(times), ...sizes }, ...alone];
}

async function runAndShow(plan: RoundPlan): Promise<void> {
  say(`seed ${seed}, ${plan.servers} servers, ${plan.workers} workers`);
  const { table, wrong, refusals, errors } = await runRound(plan);
  say(`\n${table}\n`);
  if (refusals.size > 0)
    say(`Refused and tried again: ${[...refusals].map(([code, count]) => `${code} ${count}`).join(', ')}`);
  for (const [what, count] of errors) say(`Logged as an error ${count} times: ${shorten(what, 300)}`);
  for (const { kind, fault, what } of wrong.slice(0, MOST_SHOWN))
    say(`WRONG (${kind}, ${fault}): ${shorten(what, 400)}`);
  if (wrong.length > MOST_SHOWN) say(`… and ${wrong.length - MOST_SHOWN} more`);
  if (wrong.length > 0) process.exitCode ??= 1;
}

if (values.help || !['short', 'long', 'in-turn', 'outages', 'soak', 'stranger', 'mutants'].includes(mode)) {
  say(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else if (mode === 'mutants') {
  if (!(await runMutants(names, say))) process.exitCode ??= 1;
} else if (mode === 'stranger') {
  if (!(await runStranger(say))) process.exitCode ??= 1;
} else if (mode === 'soak') {
  for (const servers of numbers(values.servers ?? '2')) {
    const [minutes, conversations] = [Number(values.minutes), Number(values.chats)];
    const plan = { seed, minutes, servers, workers: 1, conversations, near: values.near, say };
    if (!(await runSoak(plan))) process.exitCode ??= 1;
  }
} else {
  for (const plan of chosenPlans()) await runAndShow(plan);
}
