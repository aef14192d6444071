import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { WallCheck } from './walls.ts';

/** Targets outside the container that contained code learns about and must not reach. */
export type Canaries = {
  /** A world-readable file. */
  readonly canaryPath: string;
  /** A path in a world-writable folder, where no file may appear. */
  readonly markerPath: string;
  /** Port of a loopback listener that must see no connection. */
  readonly port: number;
};

/** Outcome of each attempt as the contained process reports it; `failed` is the good outcome. */
export const attemptsSchema = z.record(z.string(), z.object({ failed: z.boolean(), detail: z.string() }));

/** See {@link attemptsSchema}. */
export type Attempts = z.infer<typeof attemptsSchema>;

/** Name of the attempt to reach the listener. A connection seen there overrides the reported outcome. */
export const CONNECT = 'connect';

const CANARY = 'canary-of-the-self-test';

/**
 * Lets `attempt` attack a file, a path and a listener, and judges by its report and by what these targets saw. Rejects
 * when `attempt` does.
 */
export async function tryWalls(
  attempt: (canaries: Canaries) => Promise<Attempts>,
  isRequired: (name: string) => boolean,
): Promise<readonly WallCheck[]> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-walls-'));
  const canaryPath = join(folder, 'canary');
  const markerPath = join(folder, 'marker');
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  try {
    await writeFile(canaryPath, CANARY);
    await chmod(folder, 0o777);
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const attempts = await attempt({ canaryPath, markerPath, port });
    const walls = Object.entries(attempts).map(([name, { failed, detail }]): WallCheck => {
      const wasReached = name === CONNECT && connections > 0;
      const ok = failed && !wasReached && !detail.includes(CANARY);
      return { name, ok, required: isRequired(name), detail };
    });
    return [...walls, { name: 'leave no trace', ok: !existsSync(markerPath), required: true, detail: '' }];
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The only check of a self-test that did not finish. */
export function unfinished(detail: string): readonly WallCheck[] {
  return [
    { name: 'self-test', ok: false, required: true, detail: `the self-test did not finish: ${detail}` },
  ];
}
