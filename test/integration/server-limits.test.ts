import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { NotFoundError, ServiceBusyError, StoreAwayError } from '../../src/base/errors.ts';
import type { Access } from '../../src/services/members/access.ts';
import { createChips } from '../../src/services/calibration/chips.ts';
import type { ProjectSizes } from '../../src/services/calibration/project-sizes.ts';
import { post, send } from '../support/graphql-client.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { openSocket } from '../support/websocket-client.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

const refused = { status: 200, data: null, errors: [{ extensions: { code: 'QUERY_TOO_LARGE' } }] };

/** A project with chips of 64 and of 156 qubits. */
const PARTS = {
  qubits: 110,
  couplings: 250,
  couplingsOfQubit: 4.5,
  parametersOfQubit: 14,
  parametersOfCoupling: 5,
};
const SIZES: ProjectSizes = {
  all: { ...PARTS, chips: 2 },
  largest: [{ ...PARTS, chips: 1, qubits: 156, couplings: 352 }],
};

/** No chip is there. */
const chips = createChips({ chips: async () => [] });

/** `a0: field a1: field …` */
const aliased = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

describe.each([{ graphqlJit: true }, { graphqlJit: false }])('operations with %j', (options) => {
  let server: TestServer;
  let failure: () => never;
  beforeAll(async () => {
    const metrics = {
      find: () => null,
      inOrder: () => [],
      get metrics() {
        return failure();
      },
    };
    const projectSizes = async () => SIZES;
    server = await startTestServer({ metrics, projectSizes, chips }, options);
  });
  afterAll(() => server.close());

  test('are served up to the limits', async () => {
    const aliases = Array.from({ length: 60 }, (_, index) => `a${index}: __typename`).join(' ');
    expect((await post(server.url, `{ ${aliases} }`)).status).toBe(200);
    expect((await post(server.url, getIntrospectionQuery())).errors).toEqual([]);
  });

  test.each([
    [
      '61 aliases, of __typename too',
      `{ ${Array.from({ length: 61 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
    ],
    ['61 directives', `{ __typename ${'@include(if: true) '.repeat(61)}}`],
    ['16 levels', `{ node(id: "x") { ...on Qubit ${'{ neighbors '.repeat(15)}{ qid }${'}'.repeat(15)} } }`],
    [
      '16 levels hidden in fragments',
      `{ node(id: "x") { ...A } } ${'ABCDEFGH'
        .split('')
        .map(
          (name, i) =>
            `fragment ${name} on Qubit { neighbors { neighbors { ${i < 7 ? `...${String.fromCharCode(66 + i)}` : 'qid'} } } }`,
        )
        .join(' ')}`,
    ],
    [
      'too many fields for its lists',
      '{ chips { qubits { neighbors { neighbors { parameters { name value unit } } } } } }',
    ],
    [
      '55 histories of a chip',
      `{ chip(chipId: "x") { ${aliased(55, 'timeseries(parameter: "t1") { statistics { median } }')} } }`,
    ],
    [
      'few histories that are long',
      `{ chip(chipId: "x") { ${aliased(4, 'timeseries(parameter: "t1", lastN: 200) { unit }')} } }`,
    ],
    ['many metrics', `{ chip(chipId: "x") { ${aliased(15, 'metric(name: "t1") { unit }')} } }`],
    [
      'many summaries',
      `{ chip(chipId: "x") { ${aliased(30, 'summary(parameters: ["t1"]) { qubitCount }')} } }`,
    ],
    [
      'a page of results for each of many qubits, several times',
      `{ chip(chipId: "x") { qubits { ${aliased(8, 'taskResults(first: 100) { nodes { taskId } }')} } } }`,
    ],
  ])('with %s are refused before anything is read', async (_what, query) => {
    const answer = await post(server.url, query);
    expect(answer.data).toBeNull();
    expect(answer.errors).toContainEqual(
      expect.objectContaining({ extensions: { code: 'QUERY_TOO_LARGE' } }),
    );
  });

  test('with what a page shows of a chip are within the limits', async () => {
    const ten = aliased(10, 'metric(name: "t1") { statistics { median } }');
    const page = `{ chip(chipId: "x") { summary { qubitCount } ${ten} t: timeseries(parameter: "t1", qids: ["1", "2"], lastN: 200) { unit } } }`;
    const { errors } = await post(server.url, page);
    // There are no chips: one was asked for.
    expect(errors).toEqual([expect.objectContaining({ path: ['chip'] })]);
  });

  test('cost by page sizes that stand in variables, in whichever operation of the document is named', async () => {
    const query = `query Small { __typename } query Large($n: Int) {
      chips { qubits { taskResults(first: $n) { nodes { taskId name qid } } } } }`;
    const ask = (operationName: string) => post(server.url, query, { operationName, variables: { n: 100 } });
    expect(await ask('Small')).toMatchObject({ status: 200, data: { __typename: 'Query' } });
    expect(await ask('Large')).toMatchObject(refused);
  });

  test('longer than 4,000 tokens are refused while they are read', async () => {
    const answer = await post(server.url, `{ ${'__typename '.repeat(4_001)} }`);
    expect(answer.errors[0]?.message).toContain('4000');
  });

  test('in batches, in forms and with bodies over 1 MB are refused', async () => {
    const json = { 'content-type': 'application/json', accept: 'application/json' };
    const batch = await send(`${server.url}/graphql`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
    });
    expect(batch.status).toBe(400);
    const form = await send(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    });
    expect(form.status).toBeGreaterThanOrEqual(400);
    const large = await send(`${server.url}/graphql`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ query: `{ __typename } # ${'x'.repeat(1_000_001)}` }),
    });
    expect(large.status).toBe(413);
  });

  test('of a document with two of them run as the one that is named', async () => {
    const query = 'query A { __typename } query B { viewer { id } }';
    const both = [
      await post(server.url, query, { operationName: 'A' }),
      await post(server.url, query, { operationName: 'B' }),
    ];
    expect(both.map(({ data }) => data)).toEqual([{ __typename: 'Query' }, { viewer: { id: 'local' } }]);
  });

  test('that hit a bug say a request id and nothing else; the log has the rest once', async () => {
    failure = () => {
      throw new Error('password=hunter2 at postgres://db');
    };
    const { data, errors } = await post(server.url, '{ metrics { name } }');
    const requestId = errors[0]?.extensions['requestId'];
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['metrics'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|postgres|stack|node_modules/);
    expect(server.logged.filter((line) => line.includes('hunter2'))).toHaveLength(1);
    expect(server.logged.filter((line) => line.includes(String(requestId)))).toHaveLength(1);
  });

  test.each([
    ['SERVICE_BUSY', new ServiceBusyError(2_000)],
    ['STORE_AWAY', new StoreAwayError()],
  ])('that meet a busy or absent database say so with %s and a time to come back', async (code, error) => {
    failure = () => {
      throw error;
    };
    const { errors } = await post(server.url, '{ metrics { name } }');
    expect(errors).toMatchObject([{ path: ['metrics'], extensions: { code, retryAfterMs: 2_000 } }]);
  });

  test('that fail for a reason the caller can act on say it with its code and are not logged', async () => {
    const before = server.logged.length;
    failure = () => {
      throw new NotFoundError('no chip "nope"; known are: demo-64');
    };
    const { errors } = await post(server.url, '{ metrics { name } }');
    expect(errors).toMatchObject([
      { message: 'no chip "nope"; known are: demo-64', path: ['metrics'], extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(server.logged).toHaveLength(before);
  });

  test.each([
    ['nonsense', /"nonsense" is not an id/],
    ['', /"" is not an id/],
    [Buffer.from('Secret:1').toString('base64url'), /is not an id/],
    [Buffer.from('Chip:').toString('base64url'), /is not an id/],
  ])('with the broken id %j say what an id is', async (id, message) => {
    const { data, errors } = await post(server.url, 'query ($id: ID!) { node(id: $id) { id } }', {
      variables: { id },
    });
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: 'INVALID_INPUT' } },
    ]);
  });

  test('with the id of another type say which type it is of', async () => {
    const id = Buffer.from('Turn:1').toString('base64url');
    const { errors } = await post(server.url, 'query ($id: ID!) { copilotSession(id: $id) { title } }', {
      variables: { id },
    });
    expect(errors[0]?.message).toBe('id: this is the id of a Turn; give the id of a CopilotSession');
  });

  test('outside of any project say which header to send', async () => {
    const access: Access = {
      choiceOf: async () => ({ projects: [], usual: null }),
      projectsOf: async () => [],
      viewer: async (_caller, requested) => {
        throw new NotFoundError(`no project ${requested}`);
      },
    };
    const other = await startTestServer({ access }, options);
    const answer = await post(other.url, '{ __typename }', { headers: { 'x-project-id': 'elsewhere' } });
    await other.close();
    expect(answer.errors).toMatchObject([
      { message: 'no project elsewhere', extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(other.logged).toEqual([]);
  });
});

test('a WebSocket message that is too large closes its socket, with one line in the log', async () => {
  const server = await startTestServer();
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const socket = await openSocket(server.url);
  socket.send(' '.repeat(1_000_001));
  const code = await socket.closed;
  await server.close();
  expect(code).toBe(1009);
  expect(server.logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, reason: 'Max payload size exceeded', msg: 'a WebSocket client was disconnected' },
  ]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

describe('in production', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({}, { production: true });
  });
  afterAll(() => server.close());

  test('there is no introspection and no IDE', async () => {
    expect((await post(server.url, getIntrospectionQuery())).errors.length).toBeGreaterThan(0);
    const page = await send(`${server.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.body).not.toContain('graphiql');
  });

  test('operations are taken only in ways that a page of another site cannot use', async () => {
    const get = await send(`${server.url}/graphql?query={__typename}`, {});
    const form = await send(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'query={__typename}',
    });
    expect([get.status, form.status]).toEqual([403, 403]);
    expect((await post(server.url, '{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  test('errors suggest no names', async () => {
    const { errors } = await post(server.url, '{ viewr { id } }');
    expect(errors[0]?.message).toBe('Cannot query field "viewr" on type "Query".');
    const development = await startTestServer();
    const { errors: helpful } = await post(development.url, '{ viewr { id } }');
    await development.close();
    expect(helpful[0]?.message).toContain('Did you mean "viewer"?');
  });
});
