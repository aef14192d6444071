/** The tools, and the copilot, for other programs. */
import type { Door } from '../identity/door.ts';
import { createMcpDoor, type McpDoor, type McpDoorDeps } from '../mcp/mcp-door.ts';
import { createShelf } from '../mcp/shelf.ts';
import { createToolCalls } from '../mcp/tool-calls.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import type { Infrastructure } from './stores.ts';
import type { Worker } from './worker.ts';

type Services = Omit<
  McpDoorDeps,
  'calls' | 'shelf' | 'identify' | 'addressOf' | 'publicOrigin' | 'recheckMs' | 'rates' | 'log'
>;

export function openMcp(deps: {
  readonly infrastructure: Infrastructure;
  readonly worker: Worker;
  readonly services: Services;
  readonly door: Door;
  readonly rates: RateLimits;
  readonly recheckMs: number;
  readonly now: () => Date;
}): McpDoor {
  const { infrastructure, worker, services, door, rates, recheckMs, now } = deps;
  const { config, log } = infrastructure;
  const shelf = createShelf(now);
  return createMcpDoor({
    ...services,
    calls: createToolCalls({ ...worker.answering.deps, shelf }),
    shelf,
    identify: (knock) => door.identify(knock),
    addressOf: (request) => door.addressOf(request),
    publicOrigin: config.doors.publicOrigin,
    recheckMs,
    rates: door.mode === 'none' ? null : rates,
    log,
  });
}
