import { afterAll, describe, expect, test } from '@jest/globals';
import { openSandbox, runPython } from './support/sandbox.ts';

const sandbox = openSandbox();
const withoutNamespaces = openSandbox({ namespaces: 'off' });
const strict = openSandbox({ namespaces: 'off', allowWithoutNamespaces: false });
afterAll(() => Promise.all([sandbox, withoutNamespaces, strict].map((one) => one.close())));

const REQUIRED = [
  'read outside files',
  'list folders',
  'write files',
  'start programs',
  'start threads',
  'make code of strings',
  'see the environment',
  'reach other processes',
  'Python: read outside files',
  'Python: write files',
  'Python: start programs',
  'Python: connect',
  'Python: run JavaScript',
  'leave no trace',
];

describe('the self-test', () => {
  test('finds every wall standing, and each attempt refused for a reason of its own', async () => {
    const [report] = await sandbox.selfTests();
    if (!report) throw new Error('the sandbox has an engine');
    const holding = report.walls.filter(({ ok }) => ok).map(({ name }) => name);
    expect(holding).toEqual(expect.arrayContaining(REQUIRED));
    expect(report).toMatchObject({ engine: 'pyodide', ok: true });
    const detail = (wall: string) => report.walls.find(({ name }) => name === wall)?.detail;
    expect(detail('read outside files')).toMatch(/allow-fs-read/);
    expect(detail('start threads')).toMatch(/allow-worker/);
    expect(detail('Python: connect')).toMatch(/PermissionError/);
    expect(detail('Python: run JavaScript')).toMatch(/Code generation from strings disallowed/);
    if (report.namespaces) expect(holding).toContain('connect');
  });

  test('sees that connections are open where there are no namespaces, which can be accepted', async () => {
    const [report] = await withoutNamespaces.selfTests();
    const connect = report?.walls.find(({ name }) => name === 'connect');
    expect(connect).toMatchObject({
      ok: false,
      required: false,
      detail: 'connected to the loopback interface',
    });
    expect(report).toMatchObject({ ok: true, namespaces: false });
    expect(await withoutNamespaces.availability()).toMatchObject({ available: true });
    expect((await runPython(withoutNamespaces, 'print(1)')).output).toBe('1\n');
  });

  test('or not: then nothing is offered and the reason says what to do', async () => {
    const availability = await strict.availability();
    expect(availability).toMatchObject({ available: false });
    const { error } = await runPython(strict, 'print(1)');
    expect(error).toMatch(
      /^Python analysis is not available on this server: .*connect.*SANDBOX_ALLOW_WITHOUT_NAMESPACES=1$/,
    );
  });
});
