/** Posts JSON to an address that somebody entered. Follows no redirects, keeps no connection, reads no answer. */
import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { publicLookup, RefusedAddressError, refusalOf } from './private-addresses.ts';

/** That a message did not arrive: words without addresses and secrets, the answer, and whether trying again may help. */
export class DeliveryError extends Error {
  readonly retryable: boolean;
  /** Of HTTP or SMTP; null without an answer. */
  readonly status: number | null;
  constructor(
    message: string,
    { retryable, status = null }: { readonly retryable: boolean; readonly status?: number | null },
  ) {
    super(message);
    this.retryable = retryable;
    this.status = status;
  }
}

export type WebhookPost = {
  readonly url: string;
  /** Null: not signed. `whsec_` and base64, as of Standard Webhooks. */
  readonly secret: string | null;
  readonly id: string;
  readonly at: Date;
  readonly body: object;
};

/** Returns the status of the answer. @throws DeliveryError unless that is 2xx */
export type PostWebhook = (post: WebhookPost, signal: AbortSignal) => Promise<number>;

const TIMEOUT_MS = 15_000;
/** Worth another try: the receiver is busy, slow or restarts. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/** `allowedHosts`: of private networks, as `host` or `host:port`. */
export const createWebhooks =
  ({
    allowedHosts,
    timeoutMs = TIMEOUT_MS,
  }: {
    allowedHosts: ReadonlySet<string>;
    timeoutMs?: number;
  }): PostWebhook =>
  async ({ url: address, secret, id, at, body }, signal) => {
    const url = new URL(address);
    const refusal = refusalOf(url, allowedHosts);
    if (refusal !== null) throw new DeliveryError(refusal.message, { retryable: false });
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'user-agent': 'QPilot',
      ...(secret !== null && signatureOf({ secret, id, at, text })),
    };
    const isAllowed = allowedHosts.has(url.host) || allowedHosts.has(url.hostname);
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const status = await new Promise<number>((resolve, reject) => {
      const sent = open(url, {
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(!isAllowed && { lookup: publicLookup }),
      });
      sent.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      sent.on('error', reject);
      sent.end(text);
    }).catch((error: unknown) => {
      throw failureOf(error, url.host);
    });
    if (status >= 200 && status < 300) return status;
    throw new DeliveryError(`${url.host} answered ${status}`, { retryable: isPassing(status), status });
  };

/** Headers of Standard Webhooks. With the secret a receiver verifies the sender and rejects replayed messages. */
function signatureOf({
  secret,
  id,
  at,
  text,
}: {
  readonly secret: string;
  readonly id: string;
  readonly at: Date;
  readonly text: string;
}) {
  const seconds = Math.floor(at.getTime() / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

function failureOf(error: unknown, host: string): DeliveryError {
  if (error instanceof RefusedAddressError) return new DeliveryError(error.message, { retryable: false });
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  const isTimeout = name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR';
  const why = isTimeout
    ? 'did not answer in time'
    : `cannot be reached (${typeof code === 'string' ? code : 'unknown error'})`;
  return new DeliveryError(`${host} ${why}`, { retryable: true });
}
