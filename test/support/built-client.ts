import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT } from '../../src/server/client-build/build-client.ts';
import { openClient, type WebClient } from '../../src/server/client-build/open-client.ts';
import { tryFileLock } from '@qpilot/embedded-stores';
import { createLogger } from '../../src/base/log.ts';
import { until } from '@qpilot/test-support';

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
/** A build takes ten seconds, and longer where much else goes on. */
const BUILD_MS = 120_000;

/**
 * The web client of the sources as they are. Whoever asks first builds it, if nobody has before; whoever asks meanwhile
 * waits, so that a run builds once.
 */
export async function builtClient(): Promise<Pick<WebClient, 'state'>> {
  const lock = await until(() => tryFileLock(join(ROOT, CLIENT.folder, '.test-lock')), {
    timeoutMs: BUILD_MS,
    intervalMs: 100,
    what: 'the build of the client by another test file',
  });
  try {
    const client = openClient(createLogger('silent'));
    await client.settled;
    const state = client.state();
    if (state.kind === 'failed') throw new Error(`the client cannot be built: ${state.reason}`);
    return client;
  } finally {
    lock.release();
  }
}
