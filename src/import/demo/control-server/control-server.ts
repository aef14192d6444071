/**
 * A simulated control server: it answers for the demo chip as if its laboratory had kept measuring, so that
 * the whole path of live values can be seen. It reads no store and changes nothing.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from '../../../base/errors.ts';
import { makeDemo } from '../../demo.ts';
import type { EntityDocument } from '../../documents.ts';
import { backendProperties, smallAnswer } from './answers.ts';
import { drifted, type StoredValue } from './drift.ts';

/** A control server that listens; `close` ends open connections. */
export type ControlServer = { readonly url: string; close(): Promise<void> };

/**
 * Starts to listen on the loopback address; port 0 takes any free one. The same seed and time give the same answers.
 * @throws StartupError when the port cannot be had.
 */
export async function startControlServer(options: {
  readonly port: number;
  readonly seed: number;
  readonly now: () => Date;
}): Promise<ControlServer> {
  const { seed, now } = options;
  const { chip, qubits, couplings } = makeDemo(now());
  const stored = [...qubits, ...couplings].flatMap(storedValues);
  const valuesAt = (at: Date) => stored.map((value) => drifted(value, seed, at));
  const answers = new Map<string, (at: Date) => object>([
    [`/chips/${chip.chip_id}`, (at) => smallAnswer(chip.chip_id, valuesAt(at), seed, at)],
    [
      `/backends/${chip.chip_id}/properties`,
      (at) => backendProperties(chip.chip_id, qubits.length, valuesAt(at), at),
    ],
  ]);
  const answerTo = (method: string, path: string): readonly [status: number, body: object] => {
    if (method !== 'GET') return [405, { error: 'this server is only read: use GET' }];
    const answer = answers.get(path);
    if (answer !== undefined) return [200, answer(now())];
    return [404, { error: `there is nothing here; ask ${[...answers.keys()].join(' or ')}` }];
  };
  const server = createServer(({ method = '', url = '' }, response) => {
    const [status, body] = answerTo(method, url.replace(/\?.*$/, ''));
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(body));
  });
  server.listen(options.port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new StartupError(`port ${options.port} cannot be had; give another with --port`, { cause });
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const storedValues = ({ qid, data }: EntityDocument): readonly StoredValue[] =>
  Object.values(data).map(({ parameter_name: parameter, value, error, unit }) => ({
    qid,
    parameter,
    value,
    error,
    unit,
  }));
