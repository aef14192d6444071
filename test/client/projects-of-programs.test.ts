/** Somebody with two projects, in a terminal, in programs and in notebooks. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createQPilot, InvalidInputError, UnauthenticatedError } from '@qpilot/client';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { auth, becomeOwner, join } from '../support/people.ts';

const PYTHON = '/usr/bin/python3';
const hasPython =
  spawnSync(PYTHON, ['-I', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

describe('somebody with two of three projects', () => {
  let it: TestApp;
  let folder: string;
  let key: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'qpilot-projects-'));
    it = await createTestApp({
      demo: true,
      projects: ['other', 'secret'],
      env: { AUTH_MODE: 'accounts' },
      answerTurn: async ({ emit, session }) => {
        emit(text(`asked in ${session.projectId}`));
        return completed;
      },
    });
    const owner = await becomeOwner(it);
    const cookie = await join(it.url, owner, { email: 'bea@lab.example', projectId: 'demo', role: 'viewer' });
    const { body } = await auth(it.url, '/me', { cookie });
    const set = `mutation { setMember(input: { userId: "${(body['person'] as { id: string }).id}", role: VIEWER }) { __typename } }`;
    await createQPilot({
      url: it.url,
      projectId: 'other',
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), cookie: owner, origin: it.url },
        }),
    }).request(set as never, {});
    const asked = { name: 'all', days: 1, role: 'viewer', projectId: null };
    key = String((await auth(it.url, '/keys', { body: asked, cookie })).body['key']);
  });
  afterAll(async () => {
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program of the terminal to its end; nobody sits at it. */
  async function run(program: string, args: readonly string[], { input = '', env = {} } = {}) {
    const child = spawn(
      program.endsWith('.ts') ? process.execPath : program,
      [...(program.endsWith('.ts') ? [program] : []), ...args],
      {
        env: {
          ...process.env,
          XDG_CONFIG_HOME: folder,
          QPILOT_TOKEN: key,
          QPILOT_PROJECT: '',
          QPILOT_URL: it.url,
          ...env,
        },
      },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      // Whoever answers line by line is left once a line has come.
      if (input !== '') child.stdin.end();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin.on('error', () => undefined); // it ended without reading
    if (input === '') child.stdin.end();
    else child.stdin.write(input);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, stdout, stderr };
  }
  const ask = (...args: readonly string[]) => run('client/terminal/ask.ts', ['How long is T1?', ...args]);
  const INITIALIZE = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })}\n`;

  test('is told by npm run ask and the MCP command which ones there are, and the flag', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toContain('you have several projects');
    expect(asked.stderr).toContain('--project');
    expect(asked.stderr).toMatch(/^ {2}demo \(viewer\)\n {2}other \(viewer\)$/mu);
    expect(asked.stderr).not.toContain('secret');
    const mcp = await run('client/terminal/mcp.ts', [], { input: INITIALIZE });
    expect(mcp).toMatchObject({ code: 1, stdout: '' });
    expect(mcp.stderr).toContain('name one with --project');
  });

  test('names one once, and it is remembered; another can be named at any time', async () => {
    expect(
      (await run('client/terminal/mcp.ts', ['--project', 'demo'], { input: INITIALIZE })).stdout,
    ).toContain('"serverInfo"');
    expect((await ask()).code).toBe(1); // what a program names is its own
    expect((await ask('--project', 'other')).stdout).toContain('asked in other');
    expect(JSON.parse(await readFile(joinPath(folder, 'qpilot/projects.json'), 'utf8'))).toEqual({
      [it.url]: 'other',
    });
    expect((await ask()).stdout).toContain('asked in other');
    expect((await run('client/terminal/mcp.ts', [], { input: INITIALIZE })).stdout).toContain('"serverInfo"');
    const env = { QPILOT_PROJECT: 'demo' };
    expect((await run('client/terminal/ask.ts', ['Hello'], { env })).stdout).toContain('asked in demo');
    expect((await ask()).stdout).toContain('asked in other');
  });

  test.each(['secret', 'nowhere'])('is told the same of %s, which is not theirs', async (project) => {
    const { code, stderr } = await ask('--project', project);
    expect(code).toBe(1);
    expect(stderr.replaceAll(project, 'X')).toBe(
      `you have no project X at ${it.url}; name one of yours with --project:\n  demo (viewer)\n  other (viewer)\n`,
    );
  });

  test('lists them in a program of TypeScript, and is refused by the name of the option', async () => {
    const qpilot = createQPilot({ url: it.url, token: key });
    expect(await qpilot.projects()).toEqual([
      { projectId: 'demo', name: 'demo', role: 'viewer' },
      { projectId: 'other', name: 'other', role: 'viewer' },
    ]);
    const refused = await qpilot.ask('How long is T1?').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidInputError);
    expect(refused).toMatchObject({
      message: 'projectId: you have several projects; name one of demo, other',
    });
    const stranger = createQPilot({ url: it.url, token: 'qp_nobody' });
    await expect(stranger.projects()).rejects.toBeInstanceOf(UnauthenticatedError);
  });

  (hasPython ? test : test.skip)(
    'lists them in a notebook, and is refused by the name of the argument',
    async () => {
      const code = `
from qpilot import QPilot, QPilotError
qp = QPilot()
print([dict(row) for row in qp.server.projects()])
try:
    qp.chips()
except QPilotError as error:
    print(error)
print(len(QPilot(project="demo").server.execute("{ chips { chipId } }")["chips"]))
try:
    QPilot(key="qp_nobody").projects()
except QPilotError as error:
    print(error.code)
`;
      const { stdout, stderr } = await run(PYTHON, ['-c', code], {
        env: { PYTHONPATH: 'packages/qpilot-python', QPILOT_KEY: key, PYTHONDONTWRITEBYTECODE: '1' },
      });
      expect(stderr).toBe('');
      const [projects, refused, chips, stranger] = stdout.trim().split('\n');
      expect(projects).toContain("'projectId': 'other'");
      expect(projects).not.toContain('secret');
      expect(refused).toBe(
        'INVALID_INPUT: you have several projects; name one of demo, other: QPilot(project=...), or set QPILOT_PROJECT; projects() lists them',
      );
      expect([chips, stranger]).toEqual(['1', 'UNAUTHENTICATED']);
    },
  );
});
