import { z } from 'zod';

const answer = z.record(z.string(), z.string());

/** Parts of the server by name, and whether each works. */
export type HealthChecks = readonly { readonly name: string; readonly works: boolean }[];

/**
 * What `GET /health` tells; it tells it also while a part is down.
 * @throws when the server does not answer, or something else does
 */
export async function readHealth(signal: AbortSignal): Promise<HealthChecks> {
  const response = await fetch('/health', { signal });
  const { status: _whole, ...parts } = answer.parse(await response.json());
  return Object.entries(parts).map(([name, state]) => ({ name, works: state === 'ok' }));
}
