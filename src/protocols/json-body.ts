import type { IncomingMessage } from 'node:http';
import { jsonIn } from '../base/json.ts';
import { isWithinDepth } from '../base/json-depth.ts';

/** Deeper JSON would overflow the stack of code that walks it. */
const MAX_DEPTH = 200;

/** Values and entries in a body: a few MB of empty lists take minutes and gigabytes to check. Pictures and texts are one each. */
const MAX_PARTS = 50_000;

/** A body as JSON, or why there is none, with the status that says so. */
export type ReadBody = { readonly body: unknown } | { readonly problem: string; readonly status: number };

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  const countParts = createPartCount();
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return { status: 413, problem: `a message has at most ${maxBytes} bytes` };
    if (countParts(chunk) > MAX_PARTS)
      return { status: 413, problem: `a message has at most ${MAX_PARTS} values and entries` };
    chunks.push(chunk);
  }
  const body = jsonIn(Buffer.concat(chunks).toString('utf8'));
  if (body === null) return { status: 400, problem: 'the body is not JSON' };
  if (!isWithinDepth(body, MAX_DEPTH))
    return { status: 400, problem: `a message is nested at most ${MAX_DEPTH} deep` };
  return { body };
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `,` `:` `[` `{` stand between values and before entries. */
const BETWEEN: ReadonlySet<number> = new Set([0x2c, 0x3a, 0x5b, 0x7b]);

/** Counts while bytes arrive, a piece at a time. */
function createPartCount(): (chunk: Buffer) => number {
  let [parts, isText, isEscaped] = [0, false, false];
  return (chunk) => {
    for (const byte of chunk) {
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isText = true;
      else if (BETWEEN.has(byte)) parts += 1;
    }
    return parts;
  };
}
