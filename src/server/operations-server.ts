/**
 * Metrics and probes on a port of their own, which no proxy passes on. It opens before the stores and closes after them,
 * so that a process that starts or drains is seen as such.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { collectProcessMetrics, registry } from '../base/metrics.ts';
import type { Logger } from '../base/log.ts';
import { respondToProbe, type HealthCheck } from './health.ts';
import { listen } from './listen.ts';
import { pathOf } from './picture-response.ts';

export type OperationsOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What scrapers send as bearer token; null: nothing. Probes need none. */
  readonly token: string | null;
  readonly log: Logger;
};

/** What the process shows of itself, as soon as it can. */
export type Shown = {
  readonly ready: Readonly<Record<string, HealthCheck>>;
  /** Sets the gauges before a scrape is answered. Never rejects. */
  readonly measure: () => Promise<void>;
  /** What it sets, beside what the process counts. */
  readonly gauges: Registry | null;
};

const STARTING: Shown = {
  ready: { started: () => Promise.reject(new Error('the process is starting')) },
  measure: async () => undefined,
  gauges: null,
};

/** An operations server that listens. */
export type OperationsServer = {
  readonly url: string;
  show(shown: Shown): void;
  close(): Promise<void>;
};

/** @throws StartupError if the port is not available */
export async function startOperationsServer(options: OperationsOptions): Promise<OperationsServer> {
  const { host, port, token, log } = options;
  collectProcessMetrics();
  let shown = STARTING;
  const answerScrape = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (token !== null && !isSame(request.headers.authorization, `Bearer ${token}`)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('send METRICS_TOKEN as a bearer token\n');
      return;
    }
    await shown.measure();
    const all = shown.gauges === null ? registry : Registry.merge([registry, shown.gauges]);
    const text = await all.metrics();
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
  };
  const http = createServer((request, response) => {
    const path = pathOf(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') response.writeHead(405).end();
    else if (respondToProbe(path, shown, response)) return;
    else if (path !== '/metrics') response.writeHead(404).end();
    else {
      answerScrape(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'the metrics could not be shown');
        response.writeHead(500).end();
      });
    }
  });
  await listen(http, host, port, 'METRICS_PORT');
  const address = http.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    show: (next) => void (shown = next),
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Compares in a time that says nothing about where the texts differ. */
function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(wanted));
}
