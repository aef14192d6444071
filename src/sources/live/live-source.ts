/**
 * The live source: a control server or backend-properties endpoint, queried for values of this moment. Read only,
 * within limits across all processes. It has no stored values: callers that fall back to them must say so.
 */
import { LRUCache } from 'lru-cache';
import type {
  LiveFallbackReason,
  LiveOutcome,
  LiveQuota,
  LiveReading,
} from '../../domain/live/live-reading.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import { StartupError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { LiveCallScope } from '../../stores/pg/live-calls.ts';
import { getJson, type Endpoint, type JsonAnswer } from './get-json.ts';
import type { LiveLimiter } from './limiter.ts';
import { readAnswer } from './read-answer.ts';

/** Longest that asking may take. */
const TIMEOUT_MS = 10_000;
/** As long as this a reading is repeated when the limit is reached. */
const REPEAT_FOR_MS = 60_000;
/** Number of chips with a cached last reading. */
const KEPT_READINGS = 16;

/** Asks a live source. Chips are those of the viewer's project: a `Chip` is proof of that. */
export type LiveSource = {
  /** False without an address; every read then falls back with that reason. */
  readonly isSetUp: boolean;
  /** Reads all values of a chip. Rejects only when `signal` fires, with its reason. */
  read(chip: LiveCallScope, signal: AbortSignal): Promise<LiveOutcome>;
  /** Why the newest call of this process brought no values; null if it brought some, or nothing was asked yet. */
  lastFailure(): string | null;
  /** Calls that are left; null while unknown. */
  quota(chip: LiveCallScope): Promise<LiveQuota | null>;
};

export type LiveSourceOptions = {
  /**
   * Address, in which `{project}` and `{chip}` are replaced by ids; user and password in it are sent as Basic
   * authorization. Null where there is no live source.
   */
  readonly url: string | null;
  readonly fetch?: typeof fetch;
  readonly limiter: LiveLimiter;
  readonly now: () => Date;
  readonly log: Logger;
  readonly timeoutMs?: number;
};

/**
 * A live source; it opens nothing until it is asked.
 * @throws StartupError for an address that cannot be asked, without repeating it.
 */
export function createLiveSource(options: LiveSourceOptions): LiveSource {
  const { limiter, now, log, timeoutMs = TIMEOUT_MS } = options;
  const endpointOf = options.url === null ? null : endpoints(options.url);
  const request = { fetch: options.fetch ?? fetch, timeoutMs };
  const earlier = new LRUCache<string, LiveReading>({ max: KEPT_READINGS });
  let failure: string | null = null;

  return {
    isSetUp: endpointOf !== null,
    quota: (chip) => limiter.quota(chip),
    lastFailure: () => failure,
    async read(chip, signal) {
      signal.throwIfAborted();
      if (endpointOf === null) {
        return fallback('UNREACHABLE', 'none is configured; set LIVE_SOURCE_URL');
      }
      const key = JSON.stringify([chip.projectId, chip.chipId]);
      const permission = await limiter.take(chip);
      if (!permission.allowed) {
        const { because, message, retryAfterMs } = permission;
        const reading = because === 'LIMIT' ? youngOf(earlier.get(key), now()) : null;
        if (reading === null) return fallback('RATE_LIMITED', message, retryAfterMs);
        const repeated = `${message}, so this repeats what was read at ${formatTime(reading.readAt)}`;
        return { type: 'values', reading, repeated };
      }
      const answer = await getJson(endpointOf(chip), { ...request, signal });
      const outcome = outcomeOf(answer, chip.chipId, now(), timeoutMs);
      failure = outcome.type === 'values' ? null : outcome.message;
      if (outcome.type === 'values') earlier.set(key, outcome.reading);
      else log.warn({ chipId: chip.chipId, why: outcome.message }, 'the live source gave no values');
      return outcome;
    },
  };
}

const youngOf = (reading: LiveReading | undefined, now: Date): LiveReading | null =>
  reading !== undefined && now.getTime() - reading.readAt.getTime() < REPEAT_FOR_MS ? reading : null;

/** Makes the address of a chip. */
function endpoints(url: string): (chip: LiveCallScope) => Endpoint {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || (address.protocol !== 'http:' && address.protocol !== 'https:')) {
    throw new StartupError(
      'LIVE_SOURCE_URL is not an http or https address; example: http://127.0.0.1:4100/chips/{chip}',
    );
  }
  const headers = loginOf(address);
  address.username = '';
  address.password = '';
  // The parser writes braces in a path as %7B and %7D, and in a query as they are.
  const template = address.href.replaceAll(/%7B(project|chip)%7D/gi, '{$1}');
  return ({ projectId, chipId }) => ({
    url: template
      .replaceAll('{project}', () => encodeURIComponent(projectId))
      .replaceAll('{chip}', () => encodeURIComponent(chipId)),
    headers,
  });
}

function loginOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  try {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  } catch {
    throw new StartupError('user and password in LIVE_SOURCE_URL must be percent-encoded');
  }
}

function outcomeOf(answer: JsonAnswer, chipId: string, readAt: Date, timeoutMs: number): LiveOutcome {
  switch (answer.type) {
    case 'json': {
      const read = readAnswer(answer.value, chipId, readAt);
      return read.type === 'reading'
        ? { type: 'values', reading: read.reading, repeated: null }
        : fallback('UNREACHABLE', `its answer ${read.message}`);
    }
    case 'status':
      return ofStatus(answer.status, answer.retryAfterMs);
    case 'timeout':
      return fallback('TIMEOUT', `it did not answer within ${timeoutMs / 1000} s`);
    case 'broken':
      return fallback('UNREACHABLE', answer.message);
    default:
      return answer satisfies never;
  }
}

function ofStatus(status: number, retryAfterMs: number | null): LiveOutcome {
  if (status === 401 || status === 403 || status === 407) {
    const message = `it refuses QPilot's credentials (HTTP ${status}); the operator must put valid ones into LIVE_SOURCE_URL`;
    return { type: 'refused', message };
  }
  if (status === 429) return fallback('RATE_LIMITED', 'it is asked too often (HTTP 429)', retryAfterMs);
  if (status >= 300 && status < 400) {
    const message = `it redirects (HTTP ${status}), which is not followed; LIVE_SOURCE_URL must be the final address`;
    return fallback('UNREACHABLE', message);
  }
  return fallback('UNREACHABLE', `it answers HTTP ${status}`, retryAfterMs);
}

const fallback = (
  reason: LiveFallbackReason,
  message: string,
  retryAfterMs: number | null = null,
): LiveOutcome => ({ type: 'fallback', reason, message, retryAfterMs });
