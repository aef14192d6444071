import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PythonResult } from '../../../src/sandbox/python-result.ts';

/** What a script would leave if it got out: a file outside, text that it must not see, a connection. */
export type Marker = 'file' | 'secret' | 'connection';

/** One way to try to get out, as an analysis. */
export type HostileScript = {
  readonly name: string;
  readonly family: string;
  /** Python, in which `{secret}` (path of a file), `{marker}` (path to be made), `{port}` and `{variable}` are filled in. */
  readonly script: string;
  /** What shows that it got out. */
  readonly marker: Marker;
};

/** Things outside that hostile scripts are after. */
export type Traps = {
  /** The script with the places of these traps filled in. */
  arm(script: HostileScript): string;
  /** What was reached since the last time, by whatever script. */
  reached(results: readonly PythonResult[]): Promise<readonly Marker[]>;
  close(): Promise<void>;
};

const SECRET = 'secret-of-the-host';
const VARIABLE = 'QPILOT_CANARY';

/** Lays traps: a file and a variable that hold the secret, a folder that anybody may write, a listener. The caller closes. */
export async function openTraps(): Promise<Traps> {
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-traps-'));
  const markers = join(folder, 'markers');
  await mkdir(markers);
  await writeFile(join(folder, 'secret'), SECRET);
  for (const each of [folder, markers]) await chmod(each, 0o777);
  process.env[VARIABLE] = SECRET;
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.on('error', () => {}).destroy();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const values: Readonly<Record<string, string | number>> = {
    secret: join(folder, 'secret'),
    marker: join(markers, 'made'),
    port: (listener.address() as AddressInfo).port,
    variable: VARIABLE,
  };
  return {
    arm: ({ script }) =>
      script.replace(/\{(secret|marker|port|variable)\}/g, (_, key: string) => String(values[key])),
    reached: async (results) => {
      const made = await readdir(markers);
      for (const name of made) await rm(join(markers, name), { recursive: true });
      const found: Marker[] = [
        ...(made.length > 0 ? (['file'] as const) : []),
        ...(JSON.stringify(results).includes(SECRET) ? (['secret'] as const) : []),
        ...(connections > 0 ? (['connection'] as const) : []),
      ];
      connections = 0;
      return found;
    },
    close: async () => {
      Reflect.deleteProperty(process.env, VARIABLE);
      await once(listener.close(), 'close');
      await rm(folder, { recursive: true });
    },
  };
}
