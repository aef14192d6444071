/**
 * `npm run login`: signs this terminal in at a server with accounts. It shows a code, which somebody who is signed in in a
 * browser allows (RFC 8628), and keeps the token that it gets. `--out` signs out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AskError } from './http.ts';
import { serverUrl } from './options.ts';
import { projectFor } from './project.ts';
import { keepToken, tokenFor } from './tokens.ts';

const CLIENT = 'qpilot-terminal';
const USAGE = `Usage: npm run login -- [--url URL] [--project ID] [--out]

  --url      the server; default QPILOT_URL, else PORT (4000) of this machine
  --project  the project to work in, by its id or name, where you have several; it is remembered
  --out      signs this terminal out`;

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function send(url: string, path: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(`${url}/auth${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': CLIENT,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new AskError(`no QPilot answers at ${url}; give its address with --url`, { cause: error });
  });
  const answer = (await response.json().catch(() => ({}))) as Answer['body'];
  return { status: response.status, body: answer };
}

/** Waits until somebody allows the code; resolves with the token. */
async function awaitToken(url: string, deviceCode: string, intervalSeconds: number): Promise<string> {
  const body = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
    client_id: CLIENT,
  };
  for (let pauseMs = intervalSeconds * 1_000; ;) {
    await sleep(pauseMs);
    const { status, body: answer } = await send(url, '/device/token', body);
    if (status === 200) return String(answer['access_token']);
    if (answer['error'] === 'slow_down' || status === 429) pauseMs += 1_000;
    else if (answer['error'] === 'access_denied') throw new AskError('refused in the browser');
    else if (answer['error'] === 'expired_token') throw new AskError('the code has expired; start again');
    else if (answer['error'] !== 'authorization_pending')
      throw new AskError(`the server at ${url} answered ${status}: ${JSON.stringify(answer)}`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      project: { type: 'string' },
      out: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const url = serverUrl(values.url, process.env);
  if (values.out) {
    const token = await tokenFor(url, { ...process.env, QPILOT_TOKEN: undefined });
    if (token !== null) await send(url, '/sign-out', {}, token);
    await keepToken(url, null, process.env);
    process.stdout.write(`Signed out of ${url}.\n`);
    return;
  }
  const { status, body } = await send(url, '/device/code', { client_id: CLIENT });
  if (status !== 200)
    throw new AskError(
      `${url} does not sign terminals in; where it needs a sign-in, make an API key on its account page and set QPILOT_TOKEN`,
    );
  process.stdout.write(
    `Open ${String(body['verification_uri_complete'])}\nand allow the code ${String(body['user_code'])}.\n`,
  );
  const token = await awaitToken(url, String(body['device_code']), Number(body['interval']));
  const file = await keepToken(url, token, process.env);
  process.stdout.write(`Signed in. The token is in ${file}; npm run login -- --out removes it.\n`);
  const project = await projectFor({ url, token }, values.project, { env: process.env, isProgram: false });
  if (project !== null) process.stdout.write(`Project: ${project}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof AskError) && !(error instanceof TypeError && 'code' in error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
