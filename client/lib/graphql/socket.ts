import { createClient, type Client } from 'graphql-ws';
import { chosenProject } from './project.ts';

const LONGEST_WAIT_MS = 10_000;

/**
 * Makes the socket of all subscriptions of a page. It connects with the first subscription and tries again without end, at most
 * {@link LONGEST_WAIT_MS} apart. After a drop it subscribes again as before: whoever follows numbered events must
 * subscribe by a cursor of their own instead (`client/lib/live/`).
 */
export function createSocket(): Client {
  const projectId = chosenProject();
  return createClient({
    url: new URL('/graphql', location.href).href.replace(/^http/, 'ws'),
    ...(projectId !== null && { connectionParams: { projectId } }),
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: (retries) => pause(Math.min(LONGEST_WAIT_MS, 250 * 2 ** retries)),
  });
}

/** Ends early when the network comes back. */
function pause(durationMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  addEventListener('online', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
