/**
 * `npm run sandbox-corpus [-- native|pyodide]`: every hostile technique against the sandbox of this machine, as a
 * table. Exits with 1 when one of them left a trace or ended otherwise than it should.
 */
import type { EngineName } from '../../src/walls.ts';
import { openArena } from './arena.ts';
import { CORPUS, attack } from './attack.ts';
import type { Outcome } from './attack.ts';
import { openCanaries } from './canaries.ts';
import { CANARY_VARIABLE } from '../support/escapes.ts';

async function printCorpus(engine: EngineName): Promise<void> {
  const canaries = await openCanaries();
  process.env[CANARY_VARIABLE] = canaries.secret;
  const arena = openArena(engine);
  try {
    const availability = await arena.availability();
    if (!availability.available) return print(`${engine}: not here, since ${availability.reason}`);
    const outcomes = await Promise.all(
      CORPUS.map(async (technique) => {
        const outcome = await attack(arena, technique, canaries);
        print(lineOf(outcome, engine));
        return outcome;
      }),
    );
    const wrong = outcomes.filter((outcome) => !isRight(outcome, engine)).length;
    const [files, processes] = [await canaries.files(), await canaries.processes()];
    print(
      `${engine}: ${outcomes.length} techniques, ${wrong} not as they should; ${files.length} files, ${canaries.connections()} connections, ${processes.length} processes`,
    );
    if (wrong + files.length + canaries.connections() + processes.length > 0) process.exitCode = 1;
  } finally {
    await arena.close();
    await canaries.close();
  }
}

const isRight = ({ technique, ending, traces }: Outcome, engine: EngineName): boolean =>
  traces.length === 0 && technique.endings[engine].includes(ending);

function lineOf(outcome: Outcome, engine: EngineName): string {
  const { technique, ending, traces, said } = outcome;
  const verdict = isRight(outcome, engine) ? 'ok   ' : 'WRONG';
  const name = `${technique.family}: ${technique.name}`.padEnd(72);
  return [verdict, name, ending.padEnd(18), ...traces, JSON.stringify(said.slice(0, 120))].join(' ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const wanted = process.argv.slice(2);
for (const engine of ['native', 'pyodide'] as const) {
  if (wanted.length === 0 || wanted.includes(engine)) await printCorpus(engine);
}
