/**
 * Clients that send the same operation over and over, in a process of their own so that their work is not counted as
 * the server's. Started by `request-load.ts`; ends with its parent.
 */
import { Agent, request } from 'node:http';
import { z } from 'zod';

const command = z.object({ url: z.string(), body: z.string(), clients: z.number(), requests: z.number() });

process.on('message', (message) => {
  sendAll(command.parse(message)).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  );
});

async function sendAll({ url, body, clients, requests }: z.infer<typeof command>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const send = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    });
    outgoing.once('error', reject).end(body);
    return promise;
  };
  let left = requests;
  const client = async (): Promise<void> => {
    while ((left -= 1) >= 0) await send();
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
}
