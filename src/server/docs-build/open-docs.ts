import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../base/log.ts';
import { findBuild } from '../build-folder.ts';
import { ROOT, runBuild } from '../run-build.ts';
import { DOCS } from './build-docs.ts';
import { readDocsSite, type DocsSite } from './docs-files.ts';

/** The state of the documentation site. */
export type DocsState =
  | { readonly kind: 'building' }
  | { readonly kind: 'ready'; readonly site: DocsSite }
  /** `reason` is the output of the build, for the operator. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The documentation of a server. The opener closes it. */
export type Docs = {
  /** The state at a visit; the first one has the site looked for, and built by another process if it is not there. */
  visit(): Promise<DocsState>;
  /** Aborts a running build. */
  close(): void;
};

/** How long a visitor waits for a site that is only read. */
const READ_MS = 1_000;

/** Does nothing before the first visit, so that a start takes no longer for it. */
export function openDocs(log: Logger): Docs {
  const closing = new AbortController();
  let state: DocsState = { kind: 'building' };
  let opened: Promise<void> | undefined;
  const open = async (): Promise<void> => {
    const found = await findBuild(ROOT, DOCS);
    if (!found.exists) {
      log.info('the documentation is being built, once for these pages');
      await runBuild('docs', closing.signal);
    }
    state = { kind: 'ready', site: await readDocsSite(found.folder) };
  };
  return {
    visit: async () => {
      opened ??= open().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        state = { kind: 'failed', reason };
        if (!closing.signal.aborted) log.error({ reason }, 'the documentation cannot be built');
      });
      if (state.kind === 'building') {
        const waiting = new AbortController();
        await Promise.race([
          opened,
          delay(READ_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
        ]);
        waiting.abort();
      }
      return state;
    },
    close: () => closing.abort(),
  };
}
