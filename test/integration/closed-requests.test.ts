import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { GraphQLServices } from '../../schema/context.ts';
import { currentBudget } from '../../src/base/read-budget.ts';
import type { RunningServer } from '../../src/server/http.ts';
import {
  chipDocument,
  openQdashDatabase,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { post } from '../support/graphql-client.ts';
import { startOwnMongo } from '../support/databases.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { connect } from '../support/websocket-client.ts';

const HEADERS = { 'content-type': 'application/json', 'x-project-id': 'p1', connection: 'close' };
const RESULTS = `query ($chipId: String!) {
  chip(chipId: $chipId) { taskResults { edges { node { taskId } } } }
}`;
const SESSION = btoa('CopilotSession:00000000-0000-4000-8000-000000000001');
const DELETE = `mutation { deleteCopilotSession(input: { sessionId: "${SESSION}" }) { __typename } }`;
const operation = (query: string) => ({ query, variables: { chipId: 'C1' } });

let qdash: QdashDatabase;
let server: RunningServer & { readonly logged: string[] };
/** Reads of pages of results, and what came of each. */
let reads: PromiseWithResolvers<unknown>[];
/** How often the version of the chip was read, and when four requests have it. */
let versions: number;
let allAsked: PromiseWithResolvers<void>;
let begun: PromiseWithResolvers<void>;
/** What a change read of the database after its client had gone. */
let deletion: PromiseWithResolvers<object>;

beforeAll(async () => {
  qdash = await openQdashDatabase(null, 'UTC', startOwnMongo()); // whose clock no other test file moves
  await qdash.db.collection('project').insertOne({ project_id: 'p1', name: 'One', owner_username: 'rin' });
  await qdash.db.collection('chip').insertOne(chipDocument('C1'));
  await qdash.db
    .collection('task_result_history')
    .insertOne(t1Result('C1', '0', '2026-02-24T02:00:00Z', 40, { task_id: 'first' }));
});
afterAll(() => qdash.close());

/** The first read waits until its client has gone, then goes to the database like all others. */
beforeEach(async () => {
  [reads, versions] = [[], 0];
  begun = Promise.withResolvers();
  allAsked = Promise.withResolvers();
  deletion = Promise.withResolvers();
  const { chips, taskResults, chipVersions } = qdash.services;
  const deleteSession = async (): Promise<void> => {
    begun.resolve();
    while (server.sockets > 0) await nextTurn();
    const chip = await chips.get(viewer, 'C1');
    await taskResults.page(chip, { first: 1, after: null }).then(deletion.resolve, deletion.reject);
  };
  server = await startTestServer({
    ...qdash.services,
    copilot: { deleteSession } as unknown as GraphQLServices['copilot'],
    chipVersions: {
      ...chipVersions,
      of: async (...args) => {
        const version = await chipVersions.of(...args);
        versions += 1;
        if (versions === 4) allAsked.resolve();
        return version;
      },
    },
    taskResults: {
      ...taskResults,
      page: async (chip, asked) => {
        const read = Promise.withResolvers<unknown>();
        read.promise.catch(() => undefined);
        if (reads.push(read) === 1) {
          begun.resolve();
          await goneOf();
        }
        const answer = taskResults.page(chip, asked);
        answer.then(read.resolve, read.reject);
        return answer;
      },
    },
  });
});
afterEach(() => server.close());

async function goneOf(): Promise<void> {
  const signal = currentBudget()?.signal;
  if (!signal) throw new Error('this read ends with nobody');
  if (!signal.aborted) await once(signal, 'abort');
}

const ask = async () => {
  const { data, errors } = await post(server.url, RESULTS, { variables: { chipId: 'C1' }, headers: HEADERS });
  return { data, errors };
};
const ANSWER = { data: { chip: { taskResults: { edges: [{ node: { taskId: 'first' } }] } } }, errors: [] };

/** Sends a request and closes it when the first read has begun, after `meanwhile`. */
async function askAndClose(query: string, meanwhile = async () => {}): Promise<void> {
  const closing = new AbortController();
  const request = { method: 'POST', headers: HEADERS, body: JSON.stringify(operation(query)) };
  const answer = fetch(`${server.url}/graphql`, { ...request, signal: closing.signal });
  await begun.promise;
  await meanwhile();
  closing.abort();
  await expect(answer).rejects.toThrow('aborted');
}

const GONE = 'the client has closed its request';

test('what a closed request reads ends with it, and is no failure', async () => {
  await askAndClose(RESULTS);
  await expect(reads[0]?.promise).rejects.toThrow(GONE);
  expect(await ask()).toEqual(ANSWER);
  expect(server.logged).toEqual([]);
});

test('the same for a closed socket', async () => {
  const raw = await connect(server.url, { projectId: 'p1' });
  raw.send({ id: '1', type: 'subscribe', payload: operation(RESULTS) });
  await begun.promise;
  raw.socket.terminate();
  await raw.closed;
  await expect(reads[0]?.promise).rejects.toThrow(GONE);
  expect(server.logged).toEqual([]);
});

test('those who wait for the same answer get it, made anew once for all', async () => {
  const others: ReturnType<typeof ask>[] = [];
  await askAndClose(RESULTS, async () => {
    others.push(ask(), ask(), ask());
    await allAsked.promise;
    await nextTurn();
  });
  expect(await Promise.all(others)).toEqual([ANSWER, ANSWER, ANSWER]);
  expect(reads).toHaveLength(2);
});

test('a change is carried out, whether or not its client waits', async () => {
  const raw = await connect(server.url, { projectId: 'p1' });
  raw.send({ id: '1', type: 'subscribe', payload: operation(DELETE) });
  await begun.promise;
  raw.socket.terminate();
  expect(await deletion.promise).toMatchObject({ items: [{ item: { taskId: 'first' } }] });
});
