/**
 * `npm run chat:clients -- [--url URL] [--pictures FOLDER]`: asks one question by `@ag-ui/client`, by a page with `useChat` and by one
 * with CopilotKit, both in a browser, and by GraphQL; fails unless all give the same values. The key is QPILOT_TOKEN.
 */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HttpAgent } from '@ag-ui/client';
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkit/runtime/v2';
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';

const { values } = parseArgs({
  options: { url: { type: 'string', default: 'http://127.0.0.1:4000' }, pictures: { type: 'string' } },
});
const { url, pictures } = values;
const token = process.env['QPILOT_TOKEN'] ?? '';
const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
const here = fileURLToPath(new URL('.', import.meta.url));

const QUESTION = 'Which five qubits have the shortest T1?';
/** Values of qubits in a text, such as `Q27 12.34 μs`. */
const valuesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\d+\.\d+\s?[μµ]s/gu)].map(([found]) =>
    found.replaceAll(/\s/gu, ' ').replaceAll('µ', 'μ'),
  );

const PAGES = ['use-chat', 'copilotkit'] as const;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

async function buildPages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chat-clients-'));
  const input = Object.fromEntries(PAGES.map((name) => [name, join(here, `${name}.html`)]));
  await build({
    root: here,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, rollupOptions: { input }, chunkSizeWarningLimit: 20_000 },
  });
  return folder;
}

/** The server of a front end: its pages, CopilotKit's runtime, and QPilot behind its own address. */
async function startFrontEnd(folder: string): Promise<{ readonly url: string; close(): void }> {
  const agent = new HttpAgent({ url: `${url}/ag-ui`, headers });
  const agents = { default: agent } as unknown as ConstructorParameters<typeof CopilotRuntime>[0]['agents'];
  const runtime = new CopilotRuntime({ agents, runner: new InMemoryAgentRunner() });
  const copilot = createCopilotNodeListener({ runtime, basePath: '/copilotkit' });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/copilotkit/') || path === '/copilotkit') return void copilot(request, response);
    if (path.startsWith('/ai-sdk')) return passOn(request, response);
    const file = path === '/' ? 'use-chat.html' : path.slice(1);
    readFile(join(folder, file)).then(
      (body) => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Passes a request on with the key, as the server of a front end does: a page never sees it. */
function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-type': type = 'application/json', 'last-event-id': last } = request.headers;
  const sent = {
    ...headers,
    'content-type': type,
    ...(last !== undefined && { 'last-event-id': String(last) }),
  };
  const onward = forward(`${url}${request.url}`, { method: request.method, headers: sent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function byAgUi(): Promise<string> {
  const agent = new HttpAgent({ url: `${url}/ag-ui`, headers, threadId: crypto.randomUUID() });
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: QUESTION });
  const { newMessages } = await agent.runAgent();
  return newMessages.map(({ role, content }) => (role === 'assistant' ? String(content ?? '') : '')).join('');
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function byUseChat(browser: Browser, front: string): Promise<string> {
  const page = await browser.newPage();
  const chat = `${front}/use-chat.html?chat=${crypto.randomUUID()}`;
  await page.goto(chat);
  await page.getByLabel('Question').fill(QUESTION);
  await page.getByText('Ask').click();
  await page.locator('[data-role=assistant] p').first().waitFor();
  await page.getByRole('status').getByText('ready').waitFor();
  await picture(page, 'use-chat');
  return page.locator('[data-role=assistant]').innerText();
}

async function byCopilotKit(browser: Browser, front: string): Promise<string> {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`the page of CopilotKit: ${error.message}`));
  await page.goto(`${front}/copilotkit.html`);
  await page.locator('textarea').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page
    .getByText(/\d+\.\d+\s?[μµ]s/u)
    .first()
    .waitFor();
  await page.getByText('offline analyst').or(page.getByLabel('Copy')).last().waitFor();
  await picture(page, 'copilotkit');
  return page.locator('main').innerText();
}

async function byGraphql(): Promise<string> {
  const post = async (query: string, variables: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify({ query, variables });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    const { data } = (await (await fetch(`${url}/graphql`, init)).json()) as {
      data: Record<string, unknown>;
    };
    return data;
  };
  const asked = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { turn { id } } } }`;
  const { sendMessage } = await post(asked, {
    input: { content: QUESTION, clientMessageId: crypto.randomUUID() },
  });
  const { turn } = sendMessage as { turn: { id: string } };
  for (;;) {
    const { node } = await post(
      `query ($id: ID!) { node(id: $id) { ... on Turn { status message { text } } } }`,
      turn,
    );
    const { status, message } = node as { status: string; message: { text: string } | null };
    if (status !== 'RUNNING' && status !== 'QUEUED') return message?.text ?? status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const folder = await buildPages();
const front = await startFrontEnd(folder);
const executablePath = process.env['QPILOT_CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
let failed = 0;
try {
  const expected = [...new Set(valuesIn(await byGraphql()))];
  console.log(`GraphQL: ${expected.join(', ')}`);
  if (expected.length === 0) throw new Error('the answer has no values; is the demo there?');
  const clients = {
    '@ag-ui/client': byAgUi,
    useChat: () => byUseChat(browser, front.url),
    CopilotKit: () => byCopilotKit(browser, front.url),
  };
  for (const [name, ask] of Object.entries(clients)) {
    const found = new Set(valuesIn(await ask()));
    const isSame = expected.every((value) => found.has(value));
    if (!isSame) failed += 1;
    console.log(`${isSame ? 'same' : 'OTHER'}  ${name}: ${[...found].join(', ')}`);
  }
} finally {
  await browser.close();
  front.close();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
process.exit();
