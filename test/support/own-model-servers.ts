import { afterEach } from '@jest/globals';
import { startModelServer, type ModelServer } from './model-server.ts';

/** Starts servers as {@link startModelServer} does, for one test each: behind it they are closed. */
export function ownModelServers(): typeof startModelServer {
  const servers: ModelServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (...options) => {
    const server = await startModelServer(...options);
    servers.push(server);
    return server;
  };
}
