/** Plants each defect in a throwaway copy of the sources, and runs the tests that should find it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { ROOT, planted, readMutants, type Mutant } from './mutants.ts';

/** What hangs counts as found. */
const MOST_MS = 300_000;
/** Not copied: what is not source, or is linked. */
const LEFT_OUT = new Set(['.git', '.qpilot', 'node_modules']);

/** Whether all chosen ones were killed. */
export async function runMutants(
  names: readonly string[],
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<boolean> {
  const all = await readMutants();
  const unknown = names.filter((name) => !all.some((mutant) => mutant.name === name));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(', ')}`);
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const changed = await Promise.all(chosen.map(planted)); // all of them fit, or none is run
  const copy = await makeCopy();
  try {
    const tests = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))];
    say(`without a defect: ${tests.length} files of tests`);
    const { code, output } = await runTests(copy, tests, signal);
    if (code !== 0) throw new Error(`the tests fail without any defect:\n${output}`);
    const survived: Mutant[] = [];
    for (const [index, mutant] of chosen.entries()) {
      if (signal.aborted) return false;
      const file = join(copy, mutant.file);
      const original = await readFile(file);
      await writeFile(file, changed[index] ?? '');
      const run = await runTests(copy, mutant.killedBy, signal);
      await writeFile(file, original);
      if (run.code === 0) survived.push(mutant);
      const by = /^\s+● (.+)$/mu.exec(run.output)?.[1] ?? `exit code ${run.code}`;
      say(
        `${run.code === 0 ? 'SURVIVED' : 'killed'} ${mutant.name}${run.code === 0 ? `: ${mutant.breaks}` : ` by: ${by}`}`,
      );
    }
    say(`${chosen.length - survived.length} of ${chosen.length} killed`);
    return survived.length === 0;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The sources as they are, on the packages of this folder; our own packages are the copy's. */
async function makeCopy(): Promise<string> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'qpilot-mutants-')));
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

async function runTests(
  copy: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const jest = join(dirname(join(copy, 'package.json')), 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--preserve-symlinks-main', jest, '-w', '2', '--bail', '--testTimeout', '120000', ...files];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const late = setTimeout(end, MOST_MS);
  signal.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  signal.removeEventListener('abort', end);
  return { code, output };
}
