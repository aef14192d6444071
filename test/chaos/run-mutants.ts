/** Plants each defect in a throwaway copy of the sources, and runs the tests that should find it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { startKeeper, type Keeper } from './keeping.ts';
import { ROOT, ROUND, planted, readMutants, type Mutant } from './mutants.ts';

/** What hangs with a defect counts as found. */
const MOST_MS = 300_000;
/** Defects that are tried at the same time, each in a copy of its own: most tests wait until they give up. */
const AT_ONCE = 3;
/** All tests together, without a defect. */
const ALL_MOST_MS = 3_600_000;
/** Not copied: what is not source, or is linked. */
const LEFT_OUT = new Set(['.git', '.qpilot', 'node_modules']);

/** Whether all chosen ones were killed. */
export async function runMutants(names: readonly string[], say: (line: string) => void): Promise<boolean> {
  const all = await readMutants();
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(', ')}`);
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const changed = await Promise.all(chosen.map(planted)); // all of them fit, or none is run
  const keeper = startKeeper();
  try {
    const copies = await Promise.all(Array.from({ length: AT_ONCE }, () => makeCopy(keeper)));
    const tests = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))];
    say(`without a defect: ${tests.join(', ')}`);
    const { code, output } = await runAll(copies[0]!, tests, keeper, ALL_MOST_MS);
    if (code !== 0) throw new Error(`the tests fail without any defect:\n${output}`);
    const survived: Mutant[] = [];
    const waiting = chosen.entries();
    const work = async (copy: string): Promise<void> => {
      for (const [index, mutant] of waiting) {
        const file = join(copy, mutant.file);
        const original = await readFile(file);
        await writeFile(file, changed[index] ?? '');
        const run = await runAll(copy, mutant.killedBy, keeper, MOST_MS);
        await writeFile(file, original);
        if (run.code === 0) survived.push(mutant);
        const by = /^(?:\s+● |WRONG )(.+)$/mu.exec(run.output)?.[1] ?? endOf(run.code);
        say(run.code === 0 ? `SURVIVED ${mutant.name}: ${mutant.breaks}` : `killed ${mutant.name} by: ${by}`);
      }
    };
    await Promise.all(copies.map(work));
    say(`${chosen.length - survived.length} of ${chosen.length} killed`);
    return survived.length === 0;
  } finally {
    await keeper.close();
  }
}

/** The sources as they are, on the packages of this folder; our own packages are the copy's. */
async function makeCopy(keeper: Keeper): Promise<string> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'qpilot-mutants-')));
  keeper.keep('folder', copy);
  await cp(ROOT, copy, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  const modules = join(ROOT, 'node_modules');
  await mkdir(join(copy, 'node_modules', '@qpilot'), { recursive: true });
  for (const name of await readdir(modules))
    if (name !== '@qpilot' && name !== '.cache')
      await symlink(join(modules, name), join(copy, 'node_modules', name));
  for (const name of await readdir(join(modules, '@qpilot'))) {
    const target = await realpath(join(modules, '@qpilot', name));
    await symlink(join(copy, relative(ROOT, target)), join(copy, 'node_modules', '@qpilot', name));
  }
  return copy;
}

const endOf = (code: number | null): string =>
  code === null ? `no end within ${MOST_MS / 1000} s` : `exit code ${code}`;

type Run = { readonly code: number | null; readonly output: string };

/** Names that begin with `chaos` are rounds of the faults that they name, all others files of tests. */
async function runAll(copy: string, names: readonly string[], keeper: Keeper, mostMs: number): Promise<Run> {
  const files = names.filter((name) => !name.startsWith(ROUND));
  const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
  const runs = [
    ...(files.length > 0 ? [[jest, '-w', '2', '--bail', '--testTimeout', '60000', ...files]] : []),
    ...names
      .filter((name) => name.startsWith(ROUND))
      .map((name) => ['test/chaos/run.ts', ...roundOf(name), '--bail']),
  ];
  let output = '';
  for (const args of runs) {
    const run = await runOne(copy, args, keeper, mostMs);
    output += run.output;
    if (run.code !== 0) return { code: run.code, output };
  }
  return { code: 0, output };
}

/** `chaos NAME` is a short round, `chaos in-turn NAME` one of two servers. */
function roundOf(name: string): readonly string[] {
  const fault = name.slice(ROUND.length);
  if (!fault.startsWith(IN_TURN)) return ['short', '--only', fault];
  return ['in-turn', '--servers', '2', '--messages', '0', '--only', fault.slice(IN_TURN.length)];
}

const IN_TURN = 'in-turn ';

async function runOne(copy: string, args: readonly string[], keeper: Keeper, mostMs: number): Promise<Run> {
  const child = spawn(process.execPath, ['--preserve-symlinks-main', ...args], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  keeper.keep('group', String(pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), mostMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, output };
}
