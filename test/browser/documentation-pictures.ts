/**
 * `npm run docs:pictures [-- NAME ...]`: takes pictures of the documentation anew, all that it knows or those that are named, from a
 * demo that it starts, in Chromium (`QPILOT_CHROMIUM`, default /usr/bin/chromium). Each is a PNG file in `docs`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';

const SIZE = { width: 1440, height: 900 };
const executablePath = process.env['QPILOT_CHROMIUM'] ?? '/usr/bin/chromium';

/** A server with the demo chip in a folder of its own. */
async function startDemo(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-pictures-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['start.js'], {
    env: { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = `http://127.0.0.1:${port}`;
  const isBuilt = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  while (!(await isBuilt())) await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function post(url: string, query: string, variables: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Record<string, unknown>; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

/** Waits until a page of the client has all that it asked for. */
async function whole(page: Page): Promise<void> {
  await page.waitForFunction(
    'document.querySelector("main h1") !== null && document.querySelector("[aria-busy=true], .mantine-Skeleton-root") === null',
  );
  await page.waitForLoadState('networkidle');
}

/** What each picture shows. */
const PICTURES: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  chip: async (page, url) => {
    await page.goto(`${url}/chips/demo-64`);
    await whole(page);
  },
  board: async (page, url) => {
    const made = await post(
      url,
      'mutation { createBoard(input: { title: "Morning" }) { ... on CreateBoardPayload { board { id } } } }',
      {},
    );
    const { id } = (made['createBoard'] as { board: { id: string } }).board;
    const chip = { chip_id: 'demo-64' };
    for (const read of [
      { tool: 'generate_chip_heatmap', arguments: { ...chip, metric_name: 't1' } },
      {
        tool: 'get_chip_parameter_timeseries',
        arguments: { ...chip, parameter_name: 't1', qids: ['5', '6'] },
        span: 2,
      },
      { tool: 'rank_qubits', arguments: { ...chip, metric_name: 't2_echo', order: 'best' }, show: 'TABLE' },
    ])
      await post(
        url,
        'mutation ($read: PinToBoardInput!) { pinToBoard(input: $read) { ... on PinToBoardPayload { board { id } } } }',
        { read: { boardId: id, ...read } },
      );
    await page.goto(`${url}/boards/${id}`);
    await whole(page);
  },
  alert: async (page, url) => {
    await page.goto(`${url}/chips/demo-64?metric=t1`);
    await whole(page);
    await page.getByRole('link', { name: 'Warn me of T1…' }).click();
    await page.getByLabel('Rule in one line').fill('t1 of any qubit on demo-64 below 40 us');
    await page.getByText(/Would warn now of .*Q27/u).waitFor();
  },
};

async function take(browser: Browser, name: string, url: string): Promise<void> {
  const show = PICTURES[name];
  if (show === undefined)
    throw new Error(`there is no picture ${name}; there are ${Object.keys(PICTURES).join(', ')}`);
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'light',
    locale: 'en-US',
    bypassCSP: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await show(page, url);
  await page.screenshot({ path: `docs/${name}.png`, animations: 'disabled' });
  await context.close();
  process.stdout.write(`docs/${name}.png\n`);
}

const wanted = process.argv.slice(2);
const demo = await startDemo();
try {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const name of wanted.length > 0 ? wanted : Object.keys(PICTURES))
      await take(browser, name, demo.url);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
