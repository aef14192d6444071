import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { listFiles } from '../build-folder.ts';
import { BUILD_PARTS } from './build-client.ts';

/** A file of the built client in memory, with its compressed forms, if any. */
export type ClientFile = {
  readonly body: Buffer;
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
  readonly contentType: string;
  /** Its name depends on its content, so it may be cached for ever. */
  readonly immutable: boolean;
  readonly etag: string;
};

/** A build in memory. */
export type ClientBuild = {
  /** By path from the root of the site, such as `/assets/index-3f.js`. */
  readonly files: ReadonlyMap<string, ClientFile>;
  /** The page, with {@link NONCE} as a placeholder. */
  readonly page: string;
  /** Text of the clients' operations by hash. */
  readonly documents: ReadonlyMap<string, string>;
};

/** Placeholder for the nonce of a response; `client/vite.config.ts` puts it into the page. */
export const NONCE = 'QPILOT_NONCE';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Reads a build into memory (about 3 MB), so that requests never reach the file system. */
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

/** Paths of the scripts that the page loads, and of their static imports. */
export function initialScripts({ page, files }: ClientBuild): readonly string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    const file = files.get(path);
    if (file === undefined || found.has(path)) return;
    found.add(path);
    // Vite puts static imports at the beginning of a file.
    for (const [, name] of file.body.toString().matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) {
      follow(`/assets/${name}`);
    }
  };
  for (const [, path] of page.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)) follow(path ?? '');
  return [...found];
}

/** Paths of the styles that the page loads. */
export const initialStyles = ({ page }: ClientBuild): readonly string[] =>
  [...page.matchAll(/href="(\/assets\/[\w.-]+\.css)"/g)].flatMap(([, path]) => path ?? []);
