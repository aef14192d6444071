import { pino } from 'pino';
import type { GraphQLServices } from '../../schema/context.ts';
import { openDoor } from '../../src/identity/door.ts';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/http.ts';
import { LOCAL_CALLER } from '../../src/services/members/access.ts';
import { createPictures } from '../../src/pictures/pictures.ts';
import { noTracing } from '../../src/base/tracing/tracing.ts';
import { stubServices } from './stub-services.ts';

/** Far beyond what a test opens. */
const many = { perUser: 2_000, inAll: 2_000 };
export const OPEN = { operations: many, subscriptions: many, sockets: many };

/** A server on a free port over stub services, for tests of the transports. */
export async function startTestServer(
  given: Partial<GraphQLServices> = {},
  options: Partial<ServerOptions> = {},
): Promise<RunningServer & { readonly logged: string[] }> {
  const logged: string[] = [];
  const services = stubServices(given);
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    production: false,
    graphqlJit: true,
    client: null,
    open: OPEN,
    door: openDoor(LOCAL_CALLER, services.access),
    rates: null,
    persistedOnly: false,
    maxFileBytes: 1_000_000,
    services,
    pictures: createPictures(),
    health: { required: {}, optional: {}, ready: {} },
    now: () => new Date(),
    log: pino({ base: null }, { write: (line: string) => void logged.push(line) }),
    tracing: noTracing,
    ...options,
  });
  return Object.assign(server, { logged });
}
