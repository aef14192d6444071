import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { BUILD_PARTS } from './build-client.ts';
import { listFiles } from './list-files.ts';

/** A file of the built client, whole and in memory, as are its compressed forms where it has them. */
export type ClientFile = {
  readonly body: Buffer;
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
  readonly contentType: string;
  /** Its name changes with its content, so it may be kept for ever. */
  readonly immutable: boolean;
  readonly etag: string;
};

/** A build as it is served. */
export type ClientBuild = {
  /** By path from the root of the site, such as `/assets/index-3f.js`. */
  readonly files: ReadonlyMap<string, ClientFile>;
  /** The page, with {@link NONCE} wherever a nonce belongs. */
  readonly page: string;
  /** Text of every operation of the clients by its hash. */
  readonly documents: ReadonlyMap<string, string>;
};

/** What stands in the page for the nonce of an answer; `client/vite.config.ts` puts it there. */
export const NONCE = 'QPILOT_NONCE';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** Reads a build into memory: about 3 MB, and nothing that a request asks for reaches the file system. */
export async function readClientBuild(folder: string): Promise<ClientBuild> {
  const root = join(folder, BUILD_PARTS.files);
  const paths = await listFiles(root, ['**/*.*']);
  const names = new Set(paths);
  const optional = (name: string): Promise<Buffer> | null =>
    names.has(name) ? readFile(join(root, name)) : null;
  const files = new Map<string, ClientFile>();
  for (const name of paths) {
    const contentType = TYPES[extname(name)];
    if (contentType === undefined) continue;
    const body = await readFile(join(root, name));
    files.set(`/${name}`, {
      body,
      brotli: await optional(`${name}.br`),
      gzip: await optional(`${name}.gz`),
      contentType,
      immutable: name.startsWith('assets/'),
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
    });
  }
  const manifest: unknown = JSON.parse(await readFile(join(folder, BUILD_PARTS.documents), 'utf8'));
  const documents = z.record(z.string(), z.string()).parse(manifest);
  return {
    files,
    page: await readFile(join(root, 'index.html'), 'utf8'),
    documents: new Map(Object.entries(documents)),
  };
}
