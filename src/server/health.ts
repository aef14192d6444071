import type { ServerResponse } from 'node:http';
import { abortable } from '../base/abortable.ts';

/** Checks one part of the system; rejects if it does not work. */
export type HealthCheck = (signal: AbortSignal) => Promise<unknown>;

/** Checks by name. Without a required part nothing works; without an optional one something is missing. */
export type HealthChecks = {
  readonly required: Readonly<Record<string, HealthCheck>>;
  readonly optional: Readonly<Record<string, HealthCheck>>;
  /** What new work needs, this process included: one that is stopping takes none. */
  readonly ready: Readonly<Record<string, HealthCheck>>;
};

const TIMEOUT_MS = 2_000;

/** Answers `GET /health`: 200 while every required part works, else 503. Reports what works, never where or why not. */
export async function respondWithHealth(checks: HealthChecks, response: ServerResponse): Promise<void> {
  const [required, optional] = await Promise.all([probe(checks.required), probe(checks.optional)]);
  const ok = Object.values(required).every((state) => state === 'ok');
  respond(response, ok, { status: ok ? 'ok' : 'unavailable', ...required, ...optional });
}

/**
 * Answers `GET /livez` (whether this process answers at all: nothing else is checked) and `GET /readyz` (whether it takes
 * new work, and the names of what is not ready). False for any other path. Neither needs sign-in.
 */
export function respondToProbe(
  path: string,
  { ready }: Pick<HealthChecks, 'ready'>,
  response: ServerResponse,
): boolean {
  if (path === '/livez') respond(response, true, { status: 'alive' });
  else if (path === '/readyz') void respondWithReadiness(ready, response);
  else return false;
  return true;
}

async function respondWithReadiness(ready: HealthChecks['ready'], response: ServerResponse): Promise<void> {
  const states = Object.entries(await probe(ready));
  const notReady = states.flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
  const ok = notReady.length === 0;
  respond(response, ok, { status: ok ? 'ready' : 'not ready', notReady });
}

function respond(response: ServerResponse, ok: boolean, body: object): void {
  response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}

/** The state of each part, of which one that does not answer in time does not work. */
export async function probe(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Record<string, 'ok' | 'unavailable'>> {
  const states = Object.entries(checks).map(async ([name, check]) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const works = await abortable(check(signal), signal).then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    );
    return [name, works] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}
