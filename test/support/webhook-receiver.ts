/** A receiver of webhooks on loopback that keeps what it was sent. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Its JSON. */
  readonly message: Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly type: string;
    readonly turn?: Readonly<Record<string, unknown>>;
    readonly job?: Readonly<Record<string, unknown>>;
  };
};

export type WebhookReceiver = {
  readonly url: string;
  readonly received: Received[];
  /** The most messages of one path that it had at once. */
  readonly mostAtOnce: (path: string) => number;
  /** How a path is answered; null: not before another answer is set. */
  answer(path: string, status: number | null): void;
  close(): Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const answers = new Map<string, number | null>();
  const open = new Map<string, Set<ServerResponse>>();
  const most = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const here = open.get(path) ?? new Set();
    open.set(path, here.add(response));
    response.once('close', () => here.delete(response));
    most.set(path, Math.max(most.get(path) ?? 0, here.size));
    void text(request).then((body) => {
      received.push({
        path,
        headers: request.headers,
        body,
        message: JSON.parse(body) as Received['message'],
      });
      const status = answers.get(path) ?? (answers.has(path) ? null : 204);
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostAtOnce: (path) => most.get(path) ?? 0,
    answer(path, status) {
      answers.set(path, status);
      if (status !== null) for (const each of open.get(path) ?? []) each.writeHead(status).end();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As a receiver checks it. */
export function isGenuine({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
