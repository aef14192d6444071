import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Endpoint, ROLE } from './endpoint.ts';

/**
 * The endpoint on Windows, where Postgres has no private unix socket: loopback, a free port chosen at each start,
 * and a random password stored beside the cluster.
 * @param dir absolute data folder
 */
export async function tcpEndpoint(dir: string): Promise<Endpoint> {
  const passwordFile = join(dir, 'password');
  const password = await readOrMakePassword(passwordFile);
  const port = await freePort();
  return {
    initdbArgs: ['--auth-local=scram-sha-256', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`],
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    url: (database) => `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`,
    prepare: async () => {},
    close: async () => {},
  };
}

async function readOrMakePassword(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFile(file, 'utf8');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port');
  return address.port;
}
