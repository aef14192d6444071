/** The tools, and the copilot, for other programs. */
import { createPlaces } from '../base/places.ts';
import type { Door } from '../identity/door.ts';
import { createChatDoor } from '../protocols/chat/chat-door.ts';
import { createMcpDoor, type McpDoorDeps } from '../protocols/mcp/mcp-door.ts';
import { createShelf } from '../protocols/mcp/shelf.ts';
import { createToolCalls } from '../protocols/mcp/tool-calls.ts';
import { limitsOfAll, type OpenLimits } from '../server/fair-share.ts';
import type { OtherDoor } from '../server/http.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import type { Infrastructure } from './stores.ts';
import type { Worker } from './worker.ts';

type Services = Omit<
  McpDoorDeps,
  'calls' | 'pictures' | 'shelf' | 'identify' | 'addressOf' | 'publicOrigin' | 'recheckMs' | 'rates' | 'log'
>;

const STREAMS_RETRY_MS = 30_000;

export function openProtocols(deps: {
  readonly infrastructure: Infrastructure;
  readonly worker: Worker;
  readonly services: Services;
  /** Draws charts. */
  readonly pictures: Pictures;
  readonly door: Door;
  readonly rates: RateLimits;
  /** How much may be open at once. */
  readonly open: OpenLimits;
  readonly recheckMs: number;
  readonly now: () => Date;
}): readonly OtherDoor[] {
  const { infrastructure, worker, services, pictures, door, rates, open, recheckMs, now } = deps;
  const { config, log } = infrastructure;
  const isOpen = door.mode === 'none';
  const shelf = createShelf(now);
  const shared = {
    ...services,
    identify: (knock: Parameters<Door['identify']>[0]) => door.identify(knock),
    addressOf: (request: Parameters<Door['addressOf']>[0]) => door.addressOf(request),
    publicOrigin: config.doors.publicOrigin,
    recheckMs,
    rates: isOpen ? null : rates,
    log,
  };
  const { subscriptions } = isOpen ? limitsOfAll(open) : open;
  return [
    createMcpDoor({
      ...shared,
      pictures,
      calls: createToolCalls({ ...worker.answering.deps, shelf, pictures, log }),
      shelf,
    }),
    createChatDoor({ ...shared, takePlace: createPlaces('streams', subscriptions, STREAMS_RETRY_MS) }),
  ];
}
