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
});
