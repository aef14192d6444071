import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { startApp, type App } from '../../src/app/app.ts';
import type { ClientBuild } from '../../src/server/client-build/client-files.ts';
import { initialScripts, initialStyles } from '../../src/server/client-build/client-files.ts';
import { openClient } from '../../src/server/client-build/open-client.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/base/log.ts';
import { asCount, inMs, type Bench, type BenchContext, type Row } from '../bench.ts';
import { feelWhile, newContext, visitFirst, type StreamFeel } from '../client/measure-page.ts';
import { tableActRows } from '../client/table-acts.ts';
import { medianOf, quantile } from '../rounds.ts';

const DATABASE = 'bench';
const VISITS = 5;
const TOKENS = 800;
const TOKEN_MS = 10;
/** About as fast as a person who types well. */
const KEY_MS = 60;
const TYPED = 'Which qubits of this chip got worse since the last cooldown, and by how much?';

/**
 * Sizes of the built web client, how soon a first visit shows something, how it feels while an answer streams, and a
 * large table.
 */
export const client: Bench = async (context) => {
  const web = openClient(createLogger('warn'));
  await web.settled;
  const state = web.state();
  if (state.kind !== 'ready') throw new Error(`the web client is ${state.kind}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-bench-client-'));
  const app = await openApp(context, dataDir, web);
  const browser = await chromium.launch({
    executablePath: process.env['QPILOT_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    context.progress(`${VISITS} first visits of the chip page`);
    const visits = await visitRows(browser, app.url);
    context.progress(`two answers of ${TOKENS} tokens, 100 a second`);
    const streams = await streamRows(browser, app.url);
    context.progress('a table of 1,024 qubits and one of 64, six times each');
    const acts = await tableActRows(browser, app.url, { uri: context.stores.mongoUri, name: DATABASE });
    return [...sizeRows(state.build), ...visits, ...streams, ...acts];
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Begins with a step, writes paragraphs and lists, and never asks a model. */
const answerTurn: AnswerTurn = async ({ emit, signal }) => {
  const startedMs = performance.now();
  for (let token = 1; token <= TOKENS; token += 1) {
    emit({
      type: 'text',
      text: token % 60 === 0 ? '.\n\n' : token % 25 === 0 ? '\n- T1 of 42 μs ' : 'qubit ',
    });
    const waitMs = startedMs + token * TOKEN_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  }
  return {
    status: 'COMPLETED',
    model: 'paced',
    usage: null,
    rounds: 1,
    error: null,
    assessment: null,
    strippedTables: 0,
  };
};

function openApp(
  { stores }: BenchContext,
  dataDir: string,
  web: ReturnType<typeof openClient>,
): Promise<App> {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: stores.postgresUrl,
    MONGODB_URI: stores.mongoUri,
    MONGODB_DB: DATABASE,
    DEMO: 'on',
    CALIBRATION_WRITES: 'on',
  });
  return startApp(config, {
    answerTurn,
    client: web,
    log: createLogger('warn'),
  });
}

/** Of a built file, without the hash that changes with its content. */
const nameOf = (path: string): string => path.replace(/^\/assets\/(.+)-[\w-]{8}(\.\w+)$/, '$1$2');

function sizeRows(build: ClientBuild): readonly Row[] {
  const kilobytes = (paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + (build.files.get(path)?.gzip?.length ?? 0), 0) / 1000;
  const scripts = initialScripts(build);
  const styles = initialStyles(build);
  const first = new Set([...scripts, ...styles]);
  const lazy = [...build.files.keys()]
    .filter((path) => /\.(js|css)$/.test(path) && !first.has(path))
    .map((path) => ({
      what: `loaded when needed: ${nameOf(path)}`,
      value: kilobytes([path]),
    }))
    .filter(({ value }) => value >= 1)
    .toSorted((a, b) => b.value - a.value);
  return [
    { what: 'scripts of a first visit, gzip', value: kilobytes(scripts), unit: 'kB', limit: 300 },
    { what: 'styles of a first visit, gzip', value: kilobytes(styles), unit: 'kB', limit: null },
    ...lazy.map((row) => ({ ...row, unit: 'kB', limit: null })),
  ];
}

async function visitRows(browser: Browser, url: string): Promise<readonly Row[]> {
  const visits = [];
  for (let visit = 0; visit < VISITS; visit += 1)
    visits.push(await visitFirst(browser, `${url}/chips/demo-64`));
  return [
    inMs(
      'chip page, empty cache, first content, median of five',
      medianOf(visits, ({ firstPaintMs }) => firstPaintMs),
    ),
    inMs(
      'chip page, empty cache, first numbers, median of five',
      medianOf(visits, ({ firstNumbersMs }) => firstNumbersMs),
    ),
  ];
}

async function streamRows(browser: Browser, url: string): Promise<readonly Row[]> {
  const typing = await streamOnce(browser, url, (field) =>
    field.pressSequentially(TYPED, { delay: KEY_MS }).then(() => undefined),
  );
  const watching = await streamOnce(browser, url, async () => undefined);
  const keys = `a key pressed while 100 tokens a second stream (${typing.keyMs.length} keys)`;
  return [
    inMs(`${keys}, p50`, quantile(typing.keyMs, 0.5), 100),
    inMs(`${keys}, p98`, quantile(typing.keyMs, 0.98), 200),
    asCount('tasks above 50 ms while it streams', watching.longTaskMs.length),
    inMs('the longest of them', Math.max(0, ...watching.longTaskMs)),
    asCount('layout shift over a streamed answer', watching.layoutShift, 0.1),
  ];
}

type Field = ReturnType<Awaited<ReturnType<Browser['newPage']>>['getByRole']>;

/** Asks, and measures from the first word of the answer to its end. */
async function streamOnce(
  browser: Browser,
  url: string,
  act: (field: Field) => Promise<void>,
): Promise<StreamFeel> {
  const context = await newContext(browser);
  try {
    const page = await context.newPage();
    await page.goto(`${url}/copilot`);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('How is the chip?');
    await field.press('Enter');
    await page.getByRole('article').getByText('qubit').first().waitFor();
    return await feelWhile(page, async () => {
      await act(field);
      await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: 60_000 });
    });
  } finally {
    await context.close();
  }
}
