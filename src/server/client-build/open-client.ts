import type { Logger } from '../../base/log.ts';
import { findBuild } from '../build-folder.ts';
import { ROOT, runBuild } from '../run-build.ts';
import { CLIENT } from './build-client.ts';
import { readClientBuild, type ClientBuild } from './client-files.ts';

/** The state of the web client. */
export type ClientState =
  | { readonly kind: 'building' }
  | { readonly kind: 'ready'; readonly build: ClientBuild }
  /** `reason` is the output of the build, for the operator. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The web client of a server. The opener closes it. */
export type WebClient = {
  state(): ClientState;
  /** Resolves when ready or failed; never rejects. */
  readonly settled: Promise<void>;
  /** Aborts a running build. */
  close(): void;
};

/**
 * Finds the build of the current sources, else builds them in another process. The server answers meanwhile, and
 * without pages if the build fails.
 */
export function openClient(log: Logger): WebClient {
  const closing = new AbortController();
  let state: ClientState = { kind: 'building' };
  const open = async (): Promise<void> => {
    const found = await findBuild(ROOT, CLIENT);
    if (!found.exists) {
      log.info('the web client is being built, once for these sources; the API answers already');
      await runBuild('client', closing.signal);
    }
    state = { kind: 'ready', build: await readClientBuild(found.folder) };
    if (!found.exists) log.info('the web client is built');
  };
  const settled = open().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    state = { kind: 'failed', reason };
    if (!closing.signal.aborted)
      log.error({ reason }, 'the web client cannot be built; the API works without');
  });
  return { state: () => state, settled, close: () => closing.abort() };
}
