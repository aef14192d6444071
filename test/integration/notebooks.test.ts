import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIG_FOLDER } from '../../src/config/config-folder.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { accessTo, OLLAMA_MODEL } from '../support/model-access.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { auth, becomeOwner } from '../support/people.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const FOLDER = 'packages/qpilot-python';
/** Debian's own, which has Debian's packages. */
const PYTHON = '/usr/bin/python3';
const problem = problemOf(PYTHON);
const describeWithPython = problem === null ? describe : describe.skip;

const hasMypy = spawnSync(PYTHON, ['-c', 'import mypy']).status === 0;

function problemOf(python: string): string | null {
  const { status, error } = spawnSync(python, [
    '-I',
    '-c',
    'import sys; sys.exit(sys.version_info < (3, 11))',
  ]);
  if (error) return `no ${python}`;
  return status === 0 ? null : `${python} is older than 3.11`;
}

/** Runs Python in the folder of the package, to its end. */
async function python(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(PYTHON, args, {
    cwd: FOLDER,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, printed };
}

describeWithPython(
  `the Python package${problem === null ? '' : ` (skipped, since there is ${problem})`}`,
  () => {
    let it: TestApp;
    let models: ModelServer;
    let home: string;
    let env: Record<string, string>;
    beforeAll(async () => {
      // Says some words and then nothing more, or fails.
      const talk = bodyOf('ollama', [{ text: 'I talk, and talk, and talk.' }]);
      const firstLine = talk.indexOf('\n') + 1;
      models = await startModelServer(
        (_index, body) =>
          JSON.stringify(body).includes('Fail, please.')
            ? { status: 400, error: { message: 'no' } }
            : { body: talk, cut: { at: firstLine, how: 'stall' } },
        OLLAMA_MODEL,
      );
      home = await mkdtemp(join(tmpdir(), 'qpilot-python-'));
      const shipped = await readFile(join(CONFIG_FOLDER, 'qpilot.yaml'), 'utf8');
      const settings = join(home, 'qpilot.yaml');
      // The tests ask more often than people do.
      await writeFile(settings, shipped.replace('messagesPerMinute: 20', 'messagesPerMinute: 1000'));
      it = await createTestApp({
        demo: true,
        env: { AUTH_MODE: 'accounts', QPILOT_CONFIG: settings, ...accessTo('ollama', models) },
      });
      const cookie = await becomeOwner(it);
      const asked = { name: 'notebook', days: 1, role: 'editor', projectId: 'demo' };
      const key = String((await auth(it.url, '/keys', { body: asked, cookie })).body['key']);
      env = { HOME: home, QPILOT_URL: it.url, QPILOT_KEY: key, PLOTLY_RENDERER: 'plotly_mimetype' };
    });
    afterAll(async () => {
      await it.stop();
      await models.close();
      await rm(home, { recursive: true, force: true });
    });

    test('reads chips, asks, loses nothing and cancels, also in a notebook', async () => {
      const input = { description: 'Look at T1', chipId: 'demo-64', idempotencyKey: 'a-job' };
      const made = await post(
        it.url,
        'mutation($input: CreateJobInput!) { createJob(input: $input) { __typename ... on UserError { message } } }',
        { variables: { input }, headers: { authorization: `Bearer ${env['QPILOT_KEY']}` } },
      );
      expect(made.data).toEqual({ createJob: { __typename: 'CreateJobPayload' } });
      const { code, printed } = await python(
        ['-m', 'unittest', 'discover', '--top-level-directory', '.', '-s', 'tests'],
        {
          ...env,
          PYTHONPATH: '.',
        },
      );
      expect({ code, printed: code === 0 ? '' : printed }).toEqual({ code: 0, printed: '' });
      expect(printed).toMatch(/^Ran \d\d tests/mu);
    });

    const testTypes = hasMypy ? test : test.skip;
    testTypes(`has types that mypy accepts${hasMypy ? '' : ' (skipped: install mypy)'}`, async () => {
      const checked = await python(['-m', 'mypy', '--cache-dir', join(home, 'mypy'), 'qpilot'], {});
      expect(checked).toEqual({ code: 0, printed: expect.stringContaining('no issues found') });
    });
  },
);
