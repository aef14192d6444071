/**
 * A stranger tries everything against a really started server with accounts. Nobody may get in, and nothing may change.
 * So that this can fail, the owner tries what is only reading, and must get in.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v4 as uuid } from 'uuid';
import { decodeNodeId } from '../../schema/node-ids.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { freePort } from '../support/free-port.ts';
import { post, sse } from '../support/graphql-client.ts';
import { auth, PASSWORD } from '../support/people.ts';
import { OWNER, SECRET, signInsAt, STRANGERS, triesAt, type Got } from './stranger-tries.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A busy machine may take long to start a server. */
const START_MS = 180_000;
/** Of the queries, files, streams and resources that the owner tries. */
const LEAST_OF_OWNER = 0.6;

/** Resolves with whether nobody but the owner came in. */
export async function runStranger(say: (line: string) => void): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-stranger-'));
  const server = await startServer(folder);
  try {
    const { url } = server;
    const { cookie } = await auth(url, '/accept', {
      body: { token: server.ownerToken, name: 'Olga', email: OWNER, password: PASSWORD },
    });
    const owner = { cookie, 'x-project-id': 'demo' };
    const tries = triesAt(url, await makeThings(url, owner));
    const before = await stateOf(url, owner);

    const reading = tries.filter(({ onlyReads }) => onlyReads);
    const missed: string[] = [];
    for (const { name, run } of reading) if (!isIn(await run(owner))) missed.push(name);
    const share = 1 - missed.length / reading.length;
    say(
      `the owner: ${reading.length - missed.length} of ${reading.length} tries let in; not ${missed.join(', ')}`,
    );

    const letIn: string[] = [];
    const answers = new Map<string, number>();
    let count = 0;
    const judge = (name: string, got: Got): void => {
      count += 1;
      const kind = got.status === 0 ? 'socket closed' : String(got.status);
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
      if (isIn(got)) letIn.push(`${name}: ${got.status} ${got.body.slice(0, 300)}`);
    };
    for (const [who, headers] of STRANGERS)
      for (const { name, run } of tries) judge(`${name} as ${who}`, await run(headers));
    for (const { name, run } of signInsAt(url)) judge(name, await run({}));

    const after = await stateOf(url, owner);
    say(
      `answers: ${[...answers]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([kind, times]) => `${kind} ${times} times`)
        .join(', ')}`,
    );
    say(`a stranger: ${count} tries, ${letIn.length} let in`);
    for (const each of letIn) say(`LET IN: ${each}`);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    say(isSame ? 'what the owner has is as before' : `CHANGED: ${JSON.stringify({ before, after })}`);
    if (share < LEAST_OF_OWNER) say('TOO FEW of the tries would have let anybody in');
    return letIn.length === 0 && isSame && share >= LEAST_OF_OWNER;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether an answer holds what only people with an account get, or signs somebody in. */
function isIn({ status, body, cookie = '' }: Got): boolean {
  const isGiven = body.includes('"access_token"') || body.includes('"redirectTo"');
  if (body.includes(SECRET) || body.includes(OWNER) || /session_token=[^;]/u.test(cookie) || isGiven)
    return true;
  if (status >= 400) return false;
  // Of GraphQL: any field that is not null. Of `/mcp`: any result.
  return messagesIn(body).some((message) => {
    const { data, payload, result } = message as Message;
    const given = data ?? payload?.data ?? result;
    return (
      typeof given === 'object' && given !== null && Object.values(given).some((value) => value !== null)
    );
  });
}
type Message = {
  readonly data?: unknown;
  readonly payload?: { readonly data?: unknown } | undefined;
  readonly result?: unknown;
};

/** The objects in a body: the whole, in a batch, or in the lines of a stream. */
function messagesIn(body: string): readonly object[] {
  return [body, ...body.split('\n').map((line) => line.replace(/^data: /u, ''))].flatMap((text) => {
    try {
      const read: unknown = JSON.parse(text);
      return [read].flat().filter((each) => typeof each === 'object' && each !== null);
    } catch {
      return [];
    }
  });
}

type Headers = Readonly<Record<string, string>>;

/** The owner asks something that is answered, and makes a board. Ids by type. */
async function makeThings(url: string, headers: Headers): Promise<Readonly<Record<string, string>>> {
  const run = async (query: string) => {
    const { data, errors } = await post(url, query, { headers });
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return JSON.stringify(data);
  };
  const sent = await run(
    `mutation { sendMessage(input: { clientMessageId: "${uuid()}", chipId: "demo-64",
      content: "Show a T1 heatmap. ${SECRET}" }) { ... on SendMessagePayload { session { id } turn { id } } } }`,
  );
  const idsIn = (text: string) => [...text.matchAll(/"id":"([^"]+)"/gu)].map(([, id = '']) => id);
  const [sessionId = ''] = idsIn(sent);
  const events = 'subscription ($id: ID!) { copilotEvents(sessionId: $id) { __typename } }';
  for await (const { data } of sse(url, events, { id: sessionId }, { ...headers }))
    if (JSON.stringify(data).includes('TurnFinishedEvent')) break;
  const read = await run(
    `{ copilotSession(id: "${sessionId}") { turns { nodes { toolCalls { id } question { id } message { id
        blocks { ... on ChartBlock { chart { id } } ... on TableBlock { table { id } } } } } } }
      chip(chipId: "demo-64") { id qubits { id } taskResults(first: 1) { nodes { id } } } }`,
  );
  const board = await run(
    `mutation { createBoard(input: { title: "${SECRET}" }) { ... on CreateBoardPayload { board { id } } } }`,
  );
  const messageId = idsIn(read).findLast((id) => decodeNodeId(id).typename === 'Message') ?? '';
  const comment = await run(
    `mutation { addComment(input: { subjectId: "${messageId}", text: "${SECRET}" }) { ... on AddCommentPayload { comment { id } } } }`,
  );
  const shared = await run(
    `mutation { shareAnswer(input: { messageId: "${messageId}", visibility: LINK }) {
      ... on ShareAnswerPayload { answer { shareLink } } } }`,
  );
  const builder = await run(
    `mutation { createBuilderSession(input: { clientRequestId: "${uuid()}" }) {
      ... on CreateBuilderSessionPayload { session { id } } } }`,
  );
  const job = await run(
    `mutation { createJob(input: { description: "${SECRET}", instructions: "x", idempotencyKey: "${uuid()}" }) {
      ... on CreateJobPayload { job { id } } } }`,
  );
  const all = [sent, read, board, comment, builder, job].flatMap(idsIn);
  const byType = Object.fromEntries(all.toReversed().map((id) => [decodeNodeId(id).typename, id]));
  return { ...byType, key: /[\w-]{22}/u.exec(shared)?.[0] ?? '' };
}

/** What a stranger must not change. */
async function stateOf(url: string, headers: Headers): Promise<unknown> {
  const { data, errors } = await post(
    url,
    `{ viewer { role projects { projectId } } members { userId role } boards { title version } budgets { of }
      copilotSessions { nodes { title visibility lastSeq comments { text } } } jobs { nodes { id } }
      builderSessions { nodes { id } } mutes(chipId: "demo-64") { reason } experts { expertId } }`,
    { headers },
  );
  if (errors.length > 0) throw new Error(`the owner cannot read what there is: ${JSON.stringify(errors)}`);
  const people = await auth(url, '/people', { headers: { ...headers } });
  return { data, people: people.body };
}

type Started = { readonly url: string; readonly ownerToken: string; stop(): Promise<void> };

/** `npm start` with accounts, in a process group of its own. */
async function startServer(folder: string): Promise<Started> {
  const port = await freePort();
  const env = {
    ...bareEnvironment,
    HOME: folder,
    DATA_DIR: folder,
    PORT: String(port),
    AUTH_MODE: 'accounts',
  };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'start.js'], {
    cwd: ROOT,
    env: { ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const link = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [found] = /http:\S+#\S+/u.exec(printed) ?? [];
      if (found !== undefined && printed.includes('Ctrl-C')) link.resolve(found);
    });
  child.once('exit', () => link.reject(new Error(`the server ended: ${printed}`)));
  const late = setTimeout(() => link.reject(new Error(`the server is not ready: ${printed}`)), START_MS);
  try {
    const ownerLink = new URL(await link.promise);
    return { url: ownerLink.origin, ownerToken: ownerLink.hash.slice(1), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
