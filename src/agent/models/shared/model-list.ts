import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceStack } from '../../../base/resource-stack.ts';
import type { ModelProvider } from '../provider.ts';
import { toModelError, type ProviderFault, type ProviderSite } from './provider-errors.ts';

/** Options of a request for a list, which is small and may be missing for a while. */
export const LIST_REQUEST = { timeout: 5_000, maxRetries: 0 } as const;

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

/** The names in an SDK's list of models, by the contract of {@link ModelProvider.list}. */
export async function readModelList(
  asked: PromiseLike<{ readonly data: readonly { readonly id: string }[] }>,
  { title, site, faultOf }: ListSite,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  try {
    const { data } = await asked;
    return data.map(({ id }) => id);
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
  const closing = new AbortController();
  const read = async () => {
    const listed = list(closing.signal);
    names = (await listed.catch(() => null)) ?? [];
  };
  const keep = async () => {
    for (;;) {
      await sleep(LIST_EVERY_MS, undefined, { signal: closing.signal, ref: false });
      await read();
    }
  };
  await Promise.race([read(), sleep(FIRST_LIST_MS, undefined, { ref: false })]);
  // Rejects once, when it is closed.
  const kept = keep().catch(() => undefined);
  resources.defer(async () => {
    closing.abort();
    await kept;
  });
  return () => names;
}
