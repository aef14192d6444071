/** Requests and responses of `/auth`, between Node's and those of the web. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TrustedProxies } from '../config/doors.ts';

/** Largest body; passwords and names are short. */
const MAX_BODY_BYTES = 64_000;

/** Reads a body; null if it is larger than anything that belongs here. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers with JSON that nobody may store. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  cookies: readonly string[] = [],
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
  });
  response.end(text);
}

/** What a refusal says: ours and better-auth's has a code and a message, that of the flow of devices the names of OAuth. */
const REFUSAL = ['code', 'message', 'error', 'error_description'];

/**
 * Sends an answer of better-auth: where it leads, its cookies, and of its body the fields of `says`. Everything else stays
 * here, for example the tokens of sessions, which scripts must not get.
 */
export async function sendResponse(
  from: Response,
  response: ServerResponse,
  says: readonly string[],
): Promise<void> {
  const fields = from.status < 400 ? says : REFUSAL;
  const said: unknown = await from.json().catch(() => null);
  const body = Object.fromEntries(Object.entries(said ?? {}).filter(([name]) => fields.includes(name)));
  for (const name of ['location', 'x-retry-after']) {
    const value = from.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  sendJson(response, from.status, body, from.headers.getSetCookie());
}

const PLAIN = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/iu;

/** The address at the other end of the connection. */
export const peerOf = (request: IncomingMessage): string =>
  (request.socket.remoteAddress ?? '').replace(PLAIN, '');

/**
 * Where a request comes from: the peer, or, behind proxies that are trusted, the last address of `X-Forwarded-For` that is
 * not one of them.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const peer = peerOf(request);
  if (!trusted.has(peer)) return peer;
  const hops = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim().replace(PLAIN, ''))
    .filter((hop) => hop !== '');
  return hops.findLast((hop) => !trusted.has(hop)) ?? hops[0] ?? peer;
}
