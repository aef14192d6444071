import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import type { RunningServer } from '../../src/server/http.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { connect, openSocket } from '../support/websocket-client.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("graphql-http's audit of GraphQL over HTTP", () => {
  const audits = serverAudits({ url: () => `${server.url}/graphql` });

  test('has the 61 audits that we know of', () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map(({ name, fn }) => [name, fn] as const))('%s', async (_name, run) => {
    expect(await run()).toMatchObject({ status: 'ok' });
  });
});

describe('the graphql-transport-ws protocol', () => {
  const forever = { id: '1', type: 'subscribe', payload: { query: '{ __typename }' } };

  test('closes with 4401 what subscribes before it was acknowledged', async () => {
    const raw = await openSocket(server.url);
    raw.send(forever);
    expect(await raw.closed).toBe(4401);
  });

  test('closes with 4429 what introduces itself twice', async () => {
    const raw = await connect(server.url);
    raw.send({ type: 'connection_init' });
    expect(await raw.closed).toBe(4429);
  });

  test('closes with 4400 what does not speak the protocol', async () => {
    const raw = await connect(server.url);
    raw.send('{"type":"nonsense"}');
    expect(await raw.closed).toBe(4400);
  });

  test('closes with 4408 what never introduces itself', async () => {
    const raw = await openSocket(server.url);
    expect(await raw.closed).toBe(4408);
  });

  test('answers queries and mutations as well as subscriptions', async () => {
    const raw = await connect(server.url);
    raw.send({ id: 'q', type: 'subscribe', payload: { query: '{ viewer { id } }' } });
    expect(await raw.next()).toEqual({
      id: 'q',
      type: 'next',
      payload: { data: { viewer: { id: 'local' } } },
    });
    expect(await raw.next()).toEqual({ id: 'q', type: 'complete' });
    raw.socket.close();
    await raw.closed;
  });

  test.each([
    ['a syntax error', '{', 'Syntax Error'],
    ['an unknown field', '{ nothing }', 'Cannot query field'],
  ])('answers %s with an error of the operation and keeps the socket', async (_what, query, message) => {
    const raw = await connect(server.url);
    raw.send({ id: 'bad', type: 'subscribe', payload: { query } });
    const answer = await raw.next();
    expect(answer).toMatchObject({ id: 'bad', type: 'error' });
    expect(JSON.stringify(answer.payload)).toContain(message);
    raw.send({ ...forever, id: 'good' });
    expect(await raw.next()).toMatchObject({ id: 'good', type: 'next' });
    raw.socket.close();
    await raw.closed;
  });
});
