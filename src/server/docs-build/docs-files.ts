import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { listFiles } from '../build-folder.ts';

/** A file of the built site; it stays on the disk. */
export type DocsFile = {
  readonly path: string;
  readonly contentType: string;
  /** Forms of it that are stored beside it. */
  readonly brotli: boolean;
  readonly gzip: boolean;
  /** Its name depends on its content, so it may be cached for ever. */
  readonly immutable: boolean;
  readonly etag: string;
};

/** The built site. */
export type DocsSite = {
  /** By path below `/docs/`; pages without their ending, and `''` for the first one. */
  readonly files: ReadonlyMap<string, DocsFile>;
  /** What its pages may do, as a `content-security-policy`. */
  readonly policy: string;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** Copies of files of the repository are shown, whatever they are. */
const SHOWN = /^files\//u;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Looks at a build: what is in it, and which scripts and styles its pages have inside. */
export async function readDocsSite(folder: string): Promise<DocsSite> {
  const paths = await listFiles(folder, ['**/*.*', 'files/**/*']);
  const names = new Set(paths);
  const files = new Map<string, DocsFile>();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const name of names) {
    const isShown = SHOWN.test(name);
    const contentType = isShown ? 'text/plain; charset=utf-8' : TYPES[extname(name)];
    if (contentType === undefined || (isShown && /\.(?:br|gz)$/u.test(name))) continue;
    const path = join(folder, name);
    const body = await readFile(path);
    const isPage = !isShown && name.endsWith('.html');
    if (isPage) {
      const html = body.toString();
      for (const [, text = ''] of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/gu))
        scripts.add(hashOf(text));
      for (const [, text = ''] of html.matchAll(/\sstyle="([^"]*)"/gu)) styles.add(hashOf(unescaped(text)));
    }
    files.set(isPage ? name.replace(/\.html$/u, '').replace(/(?:^|(?<=\/))index$/u, '') : name, {
      path,
      contentType,
      brotli: names.has(`${name}.br`),
      gzip: names.has(`${name}.gz`),
      immutable: name.startsWith('assets/'),
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
    });
  }
  return { files, policy: policy([...scripts], [...styles]) };
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Scripts and styles only of this server, and those that the built pages have inside, by their hashes. */
const policy = (scripts: readonly string[], styles: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self'",
    `style-src-attr 'unsafe-hashes' ${styles.join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
