/**
 * Every command of the README and the tutorials is run as it stands, in their order, against servers that the pages
 * themselves start. `<!-- prints: … -->` behind a block says what its output must match. What a page takes from elsewhere, a
 * database and a model, is stood in for by the nearest real thing.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { bareEnvironment } from '../support/bare-environment.ts';
import { demoMongo } from '../support/demo-database.ts';
import { freePort } from '../support/free-port.ts';
import { OLLAMA_MODEL } from '../support/model-access.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** In the order in which a reader takes them: each goes on where the one before left the server. */
const TUTORIALS = [
  'first-answer',
  'own-chip',
  'job',
  'board',
  'alert',
  'notebook',
  'own-qdash',
  'own-model',
].map((name) => `docs/tutorials/${name}.md`);

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

type Block = { readonly code: string; readonly prints: readonly RegExp[]; readonly needs: string | null };

/** The blocks of a page with what is said behind each. */
function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/```sh\n([^]*?)```\n((?:\s*<!-- [^\n]* -->\n)*)/gu)].map(
    ([, code = '', notes = '']) => ({
      code,
      prints: [...notes.matchAll(/<!-- prints: (.*) -->/gu)].map(
        ([, pattern = '']) => new RegExp(pattern, 'u'),
      ),
      needs: /<!-- needs: (.*) -->/u.exec(notes)?.[1] ?? null,
    }),
  );
}

let folder: string;
let port: number;
let models: ModelServer;
let lab: Awaited<ReturnType<typeof demoMongo>>;
let server: { readonly child: ChildProcess; readonly said: () => string } | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-documented-'));
  // As a checkout: what commands write stays here.
  for (const name of await readdir(ROOT))
    if (!name.startsWith('.')) await symlink(join(ROOT, name), join(folder, name));
  port = await freePort();
  models = await startModelServer(
    () => ({ body: bodyOf('ollama', [{ text: 'A word from the model.' }]) }),
    OLLAMA_MODEL,
  );
  lab = await demoMongo();
});
afterAll(async () => {
  await stopServer();
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

/** A command with the addresses of this machine in place of those of the page. */
const here = (code: string): string =>
  code
    .replaceAll('npm ci && ', '') // done: it runs
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`)
    .replaceAll('mongodb://reader:password@lab-db:27017', lab.uri)
    .replaceAll('MONGODB_DB=qdash', `MONGODB_DB=${lab.dbName}`)
    .replaceAll('http://127.0.0.1:11434', models.baseUrl.replace(/\/v1$/u, ''));

function shell(code: string, dataDir: string): { readonly child: ChildProcess; readonly said: () => string } {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env: {
      ...bareEnvironment,
      HOME: folder,
      LANG: 'C.UTF-8',
      PORT: String(port),
      QPILOT_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: join(folder, '.qpilot', dataDir),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (text: string) => (said += text));
  return { child, said: () => said };
}

async function stopServer(): Promise<void> {
  if (server === null) return;
  const { child } = server;
  server = null;
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null) child.kill('SIGTERM');
  await ended;
}

async function run({ code, prints, needs }: Block, dataDir: string): Promise<void> {
  if (needs === 'python' && !hasPython) return;
  const isStart = /npm start\s*$/u.test(code);
  if (isStart) await stopServer();
  const { child, said } = shell(here(code), dataDir);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (isStart) {
    server = { child, said };
    await until(() => child.exitCode !== null || /Ctrl-C stops it/u.test(said()), {
      timeoutMs: 120_000,
      what: code,
    });
    expect({ code, ended: child.exitCode, said: child.exitCode === null ? '' : said() }).toEqual({
      code,
      ended: null,
      said: '',
    });
  } else {
    const status = await ended;
    expect({ code, status, said: status === 0 ? '' : said() }).toEqual({ code, status: 0, said: '' });
  }
  for (const pattern of prints) expect(said()).toMatch(pattern);
}

test('the README and every tutorial are read', async () => {
  const tutorials = (await readdir(join(ROOT, 'docs/tutorials'))).map((name) => `docs/tutorials/${name}`);
  expect(tutorials.toSorted()).toEqual(TUTORIALS.toSorted());
});

test.each(TUTORIALS)('%s: its commands do what it says', async (path) => {
  const blocks = blocksOf(await readFile(join(ROOT, path), 'utf8'));
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.filter(({ prints }) => prints.length === 0).map(({ code }) => code)).toEqual([]);
  const dataDir = /own-(?:qdash|model)/u.exec(path)?.[0] ?? 'demo';
  for (const block of blocks) await run(block, dataDir);
});

test('README.md: its commands do what it says', async () => {
  const page = await readFile(join(ROOT, 'README.md'), 'utf8');
  const tested = page.replace(
    /```sh\n(.*)\n```\n\n<!-- run by: (.*) -->\n/gu,
    (_whole, code: string, file: string) => {
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain(code);
      return '';
    },
  );
  const blocks = blocksOf(tested);
  expect(blocks.some(({ code }) => /npm start\s*$/u.test(code))).toBe(true);
  expect(blocks.filter(({ prints }) => prints.length === 0).map(({ code }) => code)).toEqual([]);
  for (const block of blocks) await run(block, 'readme');
});
