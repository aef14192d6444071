import { createLogger } from '../../src/base/log.ts';
import { createLabServers } from '../../src/sources/mcp/lab-servers.ts';

/** For what needs no MCP servers of a lab. */
export const noLabServers = createLabServers({ settings: [], secrets: {}, log: createLogger('silent') });
