/** What one viewer may have open, and how often they may ask, at one server and over several. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { v4 as uuid } from 'uuid';
import type { GraphQLServices } from '../../schema/context.ts';
import { createLogger } from '../../src/base/log.ts';
import { AUDIT_EXPORT_PATH } from '../../src/domain/audit/export-url.ts';
import { messageImageUrl } from '../../src/domain/conversation/message-image.ts';
import { CHIP_METRICS_PATH } from '../../src/server/chip-metrics.ts';
import { IMPORT_PATH } from '../../src/domain/imports/file-import.ts';
import { encodeNodeId } from '../../schema/node-ids.ts';
import { pictureUrl } from '../../src/domain/pictures/picture-url.ts';
import { jobFileUrl } from '../../src/domain/jobs/job-file.ts';
import { figureUrl } from '../../src/domain/records/figure.ts';
import { FILE_ROUTES } from '../../src/server/file-routes.ts';
import { openDoor, type Door } from '../../src/identity/door.ts';
import type { OpenLimits } from '../../src/server/fair-share.ts';
import { LOCAL_CALLER, type Caller } from '../../src/services/members/access.ts';
import { createRateLimits } from '../../src/services/rate-limits.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { migrate } from '../../src/stores/pg/migrate.ts';
import { post, send } from '../support/graphql-client.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { stubServices } from '../support/stub-services.ts';
import { openSocket } from '../support/websocket-client.ts';

/** How long it takes to look `slow` up. */
let lookUp = Promise.resolve();
/** Believes a header, over WebSocket a connection parameter; everybody owns every project. */
const door: Door = {
  ...openDoor(LOCAL_CALLER, stubServices({}).access),
  mode: 'accounts',
  async identify({ req, connectionParams }) {
    const id = (connectionParams?.['user'] ?? req?.headers['x-test-user']) as string;
    if (id === 'slow') await lookUp;
    return { ...LOCAL_CALLER, id, name: id };
  },
};
const limits: OpenLimits = {
  operations: { perUser: 1, inAll: 2 },
  subscriptions: { perUser: 1, inAll: 2 },
  sockets: { perUser: 1, inAll: 3 },
};

describe('a server', () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let held: PromiseWithResolvers<void>;
  let asked = 0;
  beforeAll(async () => {
    const list = async () => {
      asked += 1;
      await held.promise;
      return [];
    };
    const follow = async (_viewer: unknown, _chipId: string, signal: AbortSignal) =>
      (async function* () {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield* [];
      })();
    const read = async (): Promise<null> => {
      asked += 1;
      await held.promise;
      return null;
    };
    const services = {
      chips: { list },
      chipUpdates: { follow },
      messageImages: { read },
    } as unknown as Partial<GraphQLServices>;
    server = await startTestServer(services, { door, open: limits, recheckMs: 600_000 });
  });
  afterAll(() => server.close());

  const list = (user: string) =>
    post(server.url, '{ chips { chipId } }', { headers: { 'x-test-user': user } });

  test('executes so many operations of a viewer, and of all; the next get 429 with a time to come back', async () => {
    held = Promise.withResolvers();
    asked = 0;
    const [ada] = [list('ada')];
    await until(() => asked === 1);
    const over = await send(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-test-user': 'ada' },
      body: JSON.stringify({ query: '{ chips { chipId } }' }),
    });
    expect([over.status, over.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(over.body)).toMatchObject({
      errors: [
        {
          message:
            'no more operations can be opened at this server: 1 of yours are open; close some, or try again in 1 s',
          extensions: { code: 'RATE_LIMITED', retryAfterMs: 1_000 },
        },
      ],
    });
    const [bob] = [list('bob')];
    await until(() => asked === 2);
    expect((await list('cy')).errors[0]?.message).toContain('2 are open in all');
    held.resolve();
    expect((await Promise.all([ada, bob])).map(({ errors }) => errors)).toEqual([[], []]);
    expect((await list('ada')).errors).toEqual([]);
  });

  test('serves files in the same places, which are free when the file is sent or nobody waits for it', async () => {
    held = Promise.withResolvers();
    asked = 0;
    const get = (user: string, signal: AbortSignal | null = null) =>
      fetch(`${server.url}${messageImageUrl({ projectId: 'demo', id: uuid() })}`, {
        headers: { 'x-test-user': user },
        signal,
      });
    const leave = new AbortController();
    const left = get('ada', leave.signal).catch(() => null);
    await until(() => asked === 1);
    const over = await get('ada');
    expect([over.status, over.headers.get('retry-after'), await over.text()]).toEqual([
      429,
      '1',
      'no more operations can be opened at this server: 1 of yours are open; close some, or try again in 1 s\n',
    ]);
    expect((await list('ada')).errors[0]?.message).toContain('1 of yours are open');
    leave.abort();
    await left;
    held.resolve();
    await until(async () => (await get('ada')).status === 404);
    expect([(await get('ada')).status, (await list('ada')).errors]).toEqual([404, []]);
  });

  test('looks up as many at once, and refuses the rest of a flood before it reaches the database', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let lookedUp = 0;
    const access = {
      choiceOf: async () => ({ projects: [], usual: null }),
      projectsOf: async () => [],
      viewer: async (caller: Caller) => {
        lookedUp += 1;
        await promise;
        return { ...caller, projectId: 'demo', role: 'owner' as const };
      },
    };
    const flooded = await startTestServer({ access }, { door, open: limits });
    const headers = { 'x-test-user': 'ada' };
    let refused = 0;
    const flood = Array.from({ length: 20 }, async () => {
      const { status } = await post(flooded.url, '{ __typename }', { headers });
      if (status === 429) refused += 1;
      if (refused === 19) resolve();
    });
    await Promise.all(flood);
    expect([lookedUp, refused]).toEqual([1, 19]);
    await flooded.close();
  });

  test('follows so many streams of a viewer; a place is free when one ends', async () => {
    const open = async (user: string) => {
      const leave = new AbortController();
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-test-user': user },
        body: JSON.stringify({ query: 'subscription { chipUpdated(chipId: "x") { chipId } }' }),
        signal: leave.signal,
      });
      return { leave, response };
    };
    const first = await open('ada');
    expect(first.response.status).toBe(200);
    const second = await open('ada');
    expect(await second.response.text()).toContain('"code":"RATE_LIMITED"');
    first.leave.abort();
    await until(async () => {
      const again = await open('ada');
      const isOpen = again.response.status === 200;
      again.leave.abort();
      return isOpen;
    });
  });

  test('keeps no place of a socket that was closed while its viewer was looked up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    lookUp = promise;
    const before = server.sockets;
    const left = await openSocket(server.url);
    left.send({ type: 'connection_init', payload: { user: 'slow' } });
    await until(() => server.sockets === before + 1);
    left.socket.close();
    await until(() => server.sockets === before);
    resolve();
    const again = await openSocket(server.url);
    again.send({ type: 'connection_init', payload: { user: 'slow' } });
    expect((await again.next()).type).toBe('connection_ack');
    again.socket.close();
    await again.closed;
  });

  test('closes a socket beyond those of its viewer with 1013, which clients take as: try again later', async () => {
    const greet = async (user: string) => {
      const socket = await openSocket(server.url);
      socket.send({ type: 'connection_init', payload: { user } });
      return socket;
    };
    const first = await greet('ada');
    await first.next();
    expect(await (await greet('ada')).closed).toBe(1013);
    const other = await greet('bob');
    await other.next();
    first.socket.close();
    other.socket.close();
    await until(async () => {
      const again = await greet('ada');
      const isOpen = await Promise.race([again.next().then(() => true), again.closed.then(() => false)]);
      again.socket.close();
      return isOpen;
    });
  });
});

describe('two servers on one database', () => {
  let database: TestDatabase;
  /** A pool for each server. */
  let pools: OpenDatabase[];
  let servers: Awaited<ReturnType<typeof startTestServer>>[];
  const log = createLogger('silent');
  const rates = {
    queryCost: { burst: 10, perMinute: 1 },
    changes: { burst: 2, perMinute: 1 },
    subscriptions: { burst: 3, perMinute: 1 },
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    pools = [1, 2].map(() => openDatabase(database.url, { log }));
    await migrate(pools[0]!.db);
    servers = await Promise.all(
      pools.map(({ db }) =>
        startTestServer({}, { door, rates: createRateLimits({ db, log, rates }), recheckMs: 600_000 }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(pools.map((pool) => pool.close()));
    await database.drop();
  });
  const ask = (server: number, user: string, query: string) =>
    send(`${servers[server]!.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-test-user': user },
      body: JSON.stringify({ query }),
    });
  const inTurn = async (user: string, count: number, query: string) => {
    const answers = [];
    for (let index = 0; index < count; index += 1) answers.push(await ask(index % 2, user, query));
    return answers;
  };

  test('let a viewer spend together what one of them would, and say when to come back', async () => {
    const answers = await inTurn('ada', 12, '{ __typename viewer { id } }'); // each costs 2
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
    const { body, headers } = answers.at(-1)!;
    const [error] = (JSON.parse(body) as { errors: [{ message: string; extensions: Refusal }] }).errors;
    const seconds = Number(headers['retry-after']);
    expect(error.message).toBe(`too many queries in a short time; try again in ${seconds} s`);
    expect(error.extensions.code).toBe('RATE_LIMITED');
    expect(Math.ceil(error.extensions.retryAfterMs / 1_000)).toBe(seconds);
    expect(seconds).toBeGreaterThan(60); // two units, of which one comes back in a minute
    expect((await ask(1, 'bob', '{ viewer { id } }')).status).toBe(200);
  });

  test('count a query by its cost, and let the dearest through where nothing else was asked', async () => {
    const fields = Array.from({ length: 30 }, (_, index) => `a${index}: __typename`).join(' ');
    expect((await ask(0, 'cy', `{ ${fields} viewer { id } }`)).status).toBe(200);
    expect((await ask(1, 'cy', '{ viewer { id } }')).status).toBe(429);
  });

  test('count each file that is asked for like a query, whether there is one or not', async () => {
    const [id, paths] = [uuid(), [] as string[]];
    paths.push(
      messageImageUrl({ projectId: 'demo', id }),
      figureUrl({ projectId: 'demo', taskId: id, index: 0 }),
    );
    paths.push(
      jobFileUrl({ projectId: 'demo', jobId: id, path: 'x' }),
      `${AUDIT_EXPORT_PATH}demo?format=csv`,
    );
    paths.push(`${IMPORT_PATH}demo`, `${CHIP_METRICS_PATH}demo`);
    paths.push(pictureUrl({ projectId: 'demo', chartId: encodeNodeId('Chart', id), format: 'png' }));
    expect(paths.length).toBe(FILE_ROUTES.length);
    for (const path of paths) {
      const get = (server: number, user: string) =>
        send(`${servers[server]!.url}${path}`, { headers: { 'x-test-user': user } });
      const user = `reader of ${path}`;
      const [first, second, other] = [await get(0, user), await get(1, user), await get(1, `other ${user}`)];
      expect([path, first.status === 429, second.status, other.status === 429]).toEqual([
        path,
        false,
        429,
        false,
      ]);
      expect(second.body).toMatch(/^too many queries in a short time; try again in \d+ s\n$/);
      expect(Number(second.headers['retry-after'])).toBeGreaterThan(60);
      expect((await ask(0, user, '{ viewer { id } }')).status).toBe(429);
    }
  });

  test('count changes and subscriptions by themselves', async () => {
    const change = 'mutation { deleteCopilotSession(input: { sessionId: "x" }) { __typename } }';
    const stream = 'subscription { chipUpdated(chipId: "x") { chipId } }';
    const refusals = (answers: readonly { body: string }[]) =>
      answers.filter(({ body }) => body.includes('RATE_LIMITED')).length;
    expect(refusals(await inTurn('dan', 4, change))).toBe(2);
    expect(refusals(await inTurn('dan', 4, stream))).toBe(1);
    expect((await ask(0, 'dan', '{ viewer { id } }')).status).toBe(200);
  });

  test('take a statement for many requests, none for those that are refused, and let everything pass while the database is away', async () => {
    let statements = 0;
    const counted = new Proxy(pools[0]!.db, {
      get(target, name) {
        if (name === 'getExecutor') statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });
    const large = { ...rates, queryCost: { burst: 600, perMinute: 1 } };
    const server = createRateLimits({ db: counted, log, rates: large });
    for (let index = 0; index < 100; index += 1) await server.pass('queryCost', 'eve');
    expect(statements).toBe(5); // 20 at a time
    await Promise.all(Array.from({ length: 50 }, () => server.pass('queryCost', 'fay')));
    expect(statements).toBe(8);
    const flood = Array.from({ length: 1_000 }, () => server.pass('subscriptions', 'gil'));
    const outcomes = await Promise.allSettled(flood);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(statements).toBe(12); // one for each of three, and the one that was refused
    const away = openDatabase('postgres://nobody@127.0.0.1:9/none', { log });
    await createRateLimits({ db: away.db, log, rates }).pass('queryCost', 'eve');
    await away.close();
  });
});

type Refusal = { readonly code: string; readonly retryAfterMs: number };
