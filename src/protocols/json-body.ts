import type { IncomingMessage } from 'node:http';
import { jsonIn } from '../base/json.ts';
import { isWithinDepth } from '../base/json-depth.ts';

/** Deeper JSON would overflow the stack of code that walks it. */
const MAX_DEPTH = 200;

/** A body as JSON, or why there is none, with the status that says so. */
export type ReadBody = { readonly body: unknown } | { readonly problem: string; readonly status: number };

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return { status: 413, problem: `a message has at most ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  const body = jsonIn(Buffer.concat(chunks).toString('utf8'));
  if (body === null) return { status: 400, problem: 'the body is not JSON' };
  if (!isWithinDepth(body, MAX_DEPTH))
    return { status: 400, problem: `a message is nested at most ${MAX_DEPTH} deep` };
  return { body };
}
