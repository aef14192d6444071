/**
 * The file of a backup: gzip over parts, each a line of JSON that says what it is and how many bytes follow. The last part
 * holds the checksum of everything before it, so a file that was cut or changed is noticed before anything is restored.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { StartupError } from '../../base/errors.ts';

const FORMAT = 1;

const head = z.object({
  kind: z.literal('head'),
  format: z.int(),
  program: z.string(),
  madeAt: z.iso.datetime(),
  /** Of Postgres, in the order in which they were applied. */
  migrations: z.array(z.string()),
  hasMongo: z.boolean(),
});
const part = z.discriminatedUnion('kind', [
  head,
  /** Rows of a table as Postgres writes them as JSON. */
  z.object({ kind: z.literal('rows'), table: z.string() }),
  /** Documents in BSON, one after the other. */
  z.object({ kind: z.literal('documents'), collection: z.string() }),
  z.object({ kind: z.literal('indexes'), collection: z.string() }),
  /** A file of the data folder, or of the experts; its path has slashes. */
  z.object({ kind: z.enum(['data-file', 'expert-file']), path: z.string() }),
  z.object({ kind: z.literal('end'), sha256: z.string() }),
]);

/** What a part is. */
export type Part = z.infer<typeof part>;
export type Head = z.infer<typeof head>;
/** A part with its bytes. */
export type FilledPart = { readonly part: Part; readonly body: Buffer };

/** The first part of a backup that this program makes. */
export const newHead = (given: Pick<Head, 'program' | 'migrations' | 'hasMongo'>): FilledPart => ({
  part: { kind: 'head', format: FORMAT, madeAt: new Date().toISOString(), ...given },
  body: Buffer.alloc(0),
});

/** Writes a whole backup under its name once it is complete, readable by its user only; nothing is left if it fails. */
export async function writeBackup(path: string, parts: AsyncIterable<FilledPart>): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const hash = createHash('sha256');
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const { part: what, body } of parts) {
      const framed = frame(what, body);
      hash.update(framed);
      yield framed;
    }
    yield frame({ kind: 'end', sha256: hash.digest('hex') }, Buffer.alloc(0));
  }
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(Readable.from(bytes(), { objectMode: false }), createGzip({ level: 6 }), file);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

const frame = (what: Part, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ ...what, bytes: body.length })}\n`), body]);

/**
 * The parts of a backup, head first.
 * @throws StartupError where the file is no backup, is damaged, or was made by a newer version
 */
export async function* readBackup(path: string): AsyncGenerator<FilledPart> {
  const hash = createHash('sha256');
  const source = createReadStream(path).on('error', () => undefined);
  const reader = createReader(source.pipe(createGunzip()), source);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const line = await reader.line();
      const { bytes, ...rest } = z.looseObject({ bytes: z.int().min(0) }).parse(JSON.parse(line.toString()));
      if (isFirst && rest['kind'] === 'head') refuseNewer(path, rest['format']);
      const what = part.parse(rest);
      if ((what.kind === 'head') !== isFirst) throw new Error('the head is not the first part');
      if (what.kind === 'end') {
        if (what.sha256 !== hash.digest('hex')) throw new Error('the checksum differs');
        await reader.end();
        return;
      }
      const body = await reader.take(bytes);
      hash.update(line).update('\n').update(body);
      yield { part: what, body };
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `${path} cannot be restored: it is no backup of QPilot, or it is damaged (${error instanceof Error ? error.message : String(error)}). Nothing was changed; use another copy`,
      { cause: error },
    );
  } finally {
    source.destroy();
  }
}

function refuseNewer(path: string, format: unknown): void {
  if (typeof format !== 'number' || format <= FORMAT) return;
  throw new StartupError(
    `${path} was made by a newer version of QPilot (format ${format}, this one reads up to ${FORMAT}); restore it with that version. Nothing was changed`,
  );
}

/** Takes lines and counted bytes from a stream. */
function createReader(stream: NodeJS.ReadableStream, source: NodeJS.EventEmitter) {
  const failed = new Promise<never>((_resolve, reject) => source.once('error', reject));
  failed.catch(() => undefined);
  const chunks = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const next = await Promise.race([chunks.next(), failed]);
    if (next.done === true) return false;
    held = held.length === 0 ? (next.value as Buffer) : Buffer.concat([held, next.value as Buffer]);
    return true;
  };
  const cut = (length: number, skip = 0): Buffer => {
    const taken = held.subarray(0, length);
    held = held.subarray(length + skip);
    return taken;
  };
  return {
    async line(): Promise<Buffer> {
      for (;;) {
        const at = held.indexOf(10);
        if (at >= 0) return cut(at, 1);
        if (!(await more())) throw new Error('it ends too early');
      }
    },
    /** Collects whole chunks first, since joining after each would copy a large part again and again. */
    async take(bytes: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      let missing = bytes;
      while (missing > 0) {
        if (held.length === 0 && !(await more())) throw new Error('it ends too early');
        const taken = cut(Math.min(missing, held.length));
        parts.push(taken);
        missing -= taken.length;
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    },
    /** The compressed stream has a checksum of its own, which is compared at its end. */
    async end(): Promise<void> {
      if (held.length > 0 || (await more())) throw new Error('something follows its end');
    },
  };
}
