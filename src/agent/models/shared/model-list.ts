import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceStack } from '../../../base/resource-stack.ts';
import type { ModelProvider } from '../provider.ts';
import { toModelError, type ProviderFault, type ProviderSite } from './provider-errors.ts';

/** Options of a request for a list, which is small and may be missing for a while. */
export const LIST_REQUEST = { timeout: 5_000, maxRetries: 0 } as const;

/** How often what a cloud says of its models is read again. */
const FACTS_EVERY_MS = 6 * 3_600_000;
/** How often a kept list is read again. */
const LIST_EVERY_MS = 15_000;
/** A start does not wait longer than this for a server that does not answer. */
const FIRST_LIST_MS = 2_000;

/** What error messages about a list need. */
export type ListSite = {
  readonly title: string;
  readonly site: ProviderSite;
  readonly faultOf: (error: unknown) => ProviderFault | null;
};

/** The names that `read` gives, its failures translated by the contract of {@link ModelProvider.list}. */
export async function readList(
  read: () => Promise<readonly string[]>,
  { title, site, faultOf }: ListSite,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    const fault = faultOf(error);
    if (fault?.status === 404) return null;
    throw toModelError(error, fault, { model: title, streaming: false, provider: site });
  }
}

/** Polls a list until `resources` closes it; it is empty while the server does not answer. Never rejects. */
export async function keepModelList(
  list: ModelProvider['list'],
  resources: ResourceStack,
): Promise<() => readonly string[]> {
  let names: readonly string[] = [];
  const first = poll(
    async (signal) => {
      names = (await list(signal)) ?? [];
    },
    { everyMs: LIST_EVERY_MS, onFailure: () => (names = []), resources },
  );
  await Promise.race([first, sleep(FIRST_LIST_MS, undefined, { ref: false })]);
  return () => names;
}

/** Reads a list for what it says of its models, now and then until `resources` closes it; a start does not wait for it. */
export function keepFacts(list: ModelProvider['list'], resources: ResourceStack): void {
  void poll(list, { everyMs: FACTS_EVERY_MS, onFailure: () => undefined, resources });
}

type Polling = {
  readonly everyMs: number;
  readonly onFailure: () => void;
  readonly resources: ResourceStack;
};

/** Resolves after the first reading. */
function poll(
  read: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, onFailure, resources }: Polling,
): Promise<unknown> {
  const closing = new AbortController();
  const once = () => read(closing.signal).catch(onFailure);
  const first = once();
  const keep = async () => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: closing.signal, ref: false });
      await once();
    }
  };
  // Rejects once, when it is closed.
  const kept = first.then(keep).catch(() => undefined);
  resources.defer(async () => {
    closing.abort();
    await kept;
  });
  return first;
}
