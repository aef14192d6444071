import type { Server } from 'node:http';
import { StartupError } from '../base/errors.ts';

/**
 * Listens; `variable` sets the port.
 * @throws StartupError if the port is not available
 */
export async function listen(http: Server, host: string, port: number, variable: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  http.once('error', reject);
  http.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = inUse
      ? `port ${port} is taken by another program; set ${variable} to a free one`
      : `cannot listen on ${host}:${port}`;
    throw new StartupError(reason, { cause: error });
  } finally {
    http.off('error', reject);
  }
}
