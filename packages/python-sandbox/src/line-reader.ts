import type { Readable } from 'node:stream';

/** Reads the output of an untrusted process on demand; unread output stays in the pipe. */
export type LineReader = {
  /** Text up to the next line break. Rejects when the stream ends first or the line is longer than `maxBytes`. */
  line(maxBytes: number): Promise<string>;
  /** Exactly `count` bytes. Rejects when the stream ends first. */
  bytes(count: number): Promise<Buffer>;
};

const NEWLINE = 0x0a;

/** Takes over the stream. Calls must not overlap. */
export function createLineReader(stream: Readable): LineReader {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Collects chunks until `endOf` finds the end in the newest one; the rest is kept for the next call. */
  async function collect(
    endOf: (chunk: Buffer, before: number) => number,
    maxBytes: number,
  ): Promise<Buffer> {
    const parts: Buffer[] = [];
    let before = 0;
    let chunk = rest;
    for (;;) {
      const end = endOf(chunk, before);
      if (end >= 0) {
        rest = chunk.subarray(end);
        return Buffer.concat([...parts, chunk.subarray(0, end)]);
      }
      parts.push(chunk);
      before += chunk.length;
      if (before > maxBytes) throw new Error(`more than ${maxBytes} bytes without an end of the message`);
      const next = await chunks.next();
      if (next.done) throw new Error(`the stream ended after ${before} bytes of an unfinished message`);
      chunk = next.value;
    }
  }

  return {
    line: async (maxBytes) => {
      const bytes = await collect((chunk) => chunk.indexOf(NEWLINE) + 1 || -1, maxBytes);
      if (bytes.length > maxBytes + 1) throw new Error(`a line is longer than ${maxBytes} bytes`);
      return bytes.subarray(0, -1).toString();
    },
    bytes: (count) =>
      collect((chunk, before) => (before + chunk.length >= count ? count - before : -1), count),
  };
}
