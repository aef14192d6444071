/**
 * History of a workspace's text files, without requiring git: one log line per version, bodies stored by hash. A
 * version is recorded after its file was written, so that every recorded version existed; after a crash in between,
 * repeating the write records it.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode } from './system-code.ts';

const version = z.object({
  number: z.int().positive(),
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  sizeBytes: z.int().nonnegative(),
  at: z.iso.datetime(),
  /** The change in one line. */
  what: z.string(),
  /** Whether the body is stored; large and binary files only have a hash. */
  isKept: z.boolean(),
});

/** One version of one file. */
export type FileVersion = Readonly<z.infer<typeof version>>;

/** The versions of a workspace. */
export type Versions = {
  /** Oldest first. */
  list(): Promise<readonly FileVersion[]>;
  /** Records a version; null if the latest version is identical. */
  add(path: string, body: Buffer, what: string): Promise<FileVersion | null>;
  /** Text of a version; null if it was not stored. */
  text(version: FileVersion): Promise<string | null>;
  /** Bytes that storing a version of this body would take. */
  cost(body: Buffer): number;
};

/** Size limit for storing bodies. */
const MAX_KEPT_BYTES = 256 * 1024;
const MAX_WHAT_LENGTH = 200;

/** Opens or creates the history in `folder`; one writer at a time. */
export async function openVersions(folder: string, now: () => Date): Promise<Versions> {
  const bodies = join(folder, 'bodies');
  const log = join(folder, 'versions.jsonl');
  await mkdir(bodies, { recursive: true, mode: 0o700 });
  const list = async (): Promise<readonly FileVersion[]> => readLog(await textOf(log));
  const cost = (body: Buffer): number => (isText(body) ? body.length : 0);
  return {
    list,
    cost,
    async add(path, body, what) {
      const known = await list();
      const sha256 = createHash('sha256').update(body).digest('hex');
      if (known.findLast((each) => each.path === path)?.sha256 === sha256) return null;
      const isKept = isText(body);
      if (isKept) await writeFile(join(bodies, sha256), body, { mode: 0o600 });
      const added: FileVersion = {
        number: (known.at(-1)?.number ?? 0) + 1,
        path,
        sha256,
        sizeBytes: body.length,
        at: now().toISOString(),
        what: what.slice(0, MAX_WHAT_LENGTH),
        isKept,
      };
      // Start a new line first, in case a crash left a partial one.
      await appendFile(log, `\n${JSON.stringify(added)}`, { mode: 0o600 });
      return added;
    },
    text: async ({ sha256, isKept }) => (isKept ? textOf(join(bodies, sha256)) : null),
  };
}

/** Ignores lines truncated by a crash. */
function readLog(text: string): readonly FileVersion[] {
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = version.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

const isText = (body: Buffer): boolean =>
  body.length <= MAX_KEPT_BYTES && !body.includes(0) && Buffer.from(body.toString('utf8')).equals(body);

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  });
