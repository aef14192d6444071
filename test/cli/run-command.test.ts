import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startChild, type Child } from '@qpilot/test-support';

const script = (name: string): string => resolve('src/operations/cli', `${name}.ts`);

/** How a command that says nothing on standard output ended, and what it said instead. */
async function refusalOf(child: Child): Promise<{ code: number | null; words: string }> {
  const words = await child.nextLine().then(
    (line) => `no refusal: ${line}`,
    (error: Error) => error.message,
  );
  return { code: child.process.exitCode, words };
}

describe('a command', () => {
  test.each([
    ['doctor', ['--jason'], 'Usage: npm run doctor'],
    ['stores', ['here'], 'Usage: npm run stores'],
    ['import', [], 'npm run import -- ibm'],
    ['import', ['xlsx'], 'unknown source xlsx\nUsage:'],
    ['import', ['demo', '--chip-id', 'x'], "Unknown option '--chip-id'"],
    ['control-server', ['--seed', '-3'], 'Usage: npm run control-server'],
  ])('%s %j tells what is wrong and how it is used, and ends with 2', async (name, args, words) => {
    const { code, words: told } = await refusalOf(startChild(script(name), args));
    expect(told).toContain(words);
    expect(told).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  test('that cannot run says why in a line without a stack, and ends with 1', async () => {
    const env = { ...process.env, PORT: 'x' };
    const { code, words } = await refusalOf(startChild(script('import'), ['demo'], { env }));
    expect(words).toMatch(/^invalid environment variables:\n {2}PORT="x": .*\n$/);
    expect(code).toBe(1);
  });

  test.each([
    [script('doctor'), 'Usage: npm run doctor'],
    [resolve('client/terminal/ask.ts'), 'Usage: npm run ask'],
    [resolve('client/terminal/login.ts'), 'Usage: npm run login'],
    [resolve('src/main.ts'), 'Usage: npm start'],
  ])(
    '%s prints how it is used on standard output where that is asked for, and ends with 0',
    (file, words) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
      expect(stdout).toContain(words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );

  test('of package.json answers --help, by its own usage text or the comment that it begins with', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const ours = Object.entries(scripts).flatMap(([name, line]) => {
      const file = /\bnode (?:.* )?(?<file>\S+\.[jt]s)\b/u.exec(line)?.groups?.['file'];
      return file === undefined ? [] : [{ name, line, file }];
    });
    expect(ours.length).toBeGreaterThan(30);
    const silent = ours.filter(({ line, file }) => {
      const text = readFileSync(file, 'utf8');
      if (line.includes('--import ./scripts/help.ts')) return !/^\/\*\*[\s\S]*?\*\//u.test(text);
      return !/runCommand\(|USAGE|HelpAsked|src\/main\.ts/u.test(text);
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('is not run where help is asked for', () => {
    const args = ['--import', './scripts/help.ts', 'packages/python-sandbox/test/fuzz/run.ts', '--help'];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stdout).toMatch(/^`npm run sandbox-fuzz -- \[native\|pyodide\]/u);
    expect(stdout).not.toContain('faults\n');
    expect(status).toBe(0);
  });
});
