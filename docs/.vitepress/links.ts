/**
 * Pages link to files of the repository by their path, so that links work in an editor, too. In the site, such a link leads
 * to the page of that file, to a copy of it, or is its name only.
 */
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { PAGES, ROOT } from './pages.ts';

/** Files below these are copied when a page links to them. Settings are not: an operator's own are nobody else's business. */
const COPIED = ['examples/', 'deploy/', 'docs/', 'packages/', 'schema/'];

/** Pages that describe a file of settings. */
const DESCRIBED: Readonly<Record<string, string>> = {
  '.env.example': 'reference/settings.md',
  'README.md': 'index.md',
  'config/qpilot.yaml': 'reference/settings.md',
};

const sources = new Map([...PAGES].map(([source, page]) => [page, source]));
const copies = new Set<string>();

/** What of markdown-it is used here. */
type Token = {
  type: string;
  tag: string;
  attrs: [string, string][] | null;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
};
type Markdown = {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: { relativePath?: string } }) => void): void;
    };
  };
};

/** Makes the links of all pages lead to something of the site. */
export function linkRepositoryFiles(markdown: Markdown): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env: { relativePath = '' } }) => {
    // While it gathers words for the search, VitePress names a page by its path in the repository.
    const source = sources.get(relativePath) ?? (PAGES.has(relativePath) ? relativePath : undefined);
    if (source === undefined) return;
    for (const { children } of tokens) {
      let isName = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          if (/^(?:[a-z]+:|#|\/)/iu.test(href)) continue;
          const target = targetOf(source, href);
          isName = target.page === null && !target.isCopied;
          if (isName)
            Object.assign(token, { type: 'name_open', tag: 'span', attrs: [['title', target.path]] });
          else if (target.page !== null) token.attrs = [['href', `/${target.page}${target.anchor}`]];
          // With a target the page's router leaves the link to the browser.
          else
            token.attrs = [
              ['href', `/docs/files/${target.path}`],
              ['target', '_self'],
            ];
        } else if (token.type === 'link_close' && isName) {
          Object.assign(token, { type: 'name_close', tag: 'span' });
          isName = false;
        }
      }
    }
  });
}

type Target = {
  readonly path: string;
  readonly anchor: string;
  /** Path of the page in the site; null for a file that is none. */
  readonly page: string | null;
  readonly isCopied: boolean;
};

/** @throws Error if there is no such file */
function targetOf(source: string, href: string): Target {
  const [, given = '', anchor = ''] = /^([^#]*)(#.*)?$/u.exec(href) ?? [];
  const path = posix.join(posix.dirname(source), decodeURI(given)).replace(/\/$/u, '');
  const page = PAGES.get(path) ?? DESCRIBED[path] ?? null;
  if (page === null && !existsSync(join(ROOT, path)))
    throw new Error(`${source} links to ${path}, which is not there`);
  const isCopied =
    page === null && COPIED.some((folder) => path.startsWith(folder)) && statSync(join(ROOT, path)).isFile();
  if (isCopied) copies.add(path);
  return { path, anchor, page, isCopied };
}

/** Writes the files that pages link to into the built site. */
export function copyLinkedFiles(folder: string): void {
  for (const path of copies) {
    const copy = join(folder, 'files', path);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(ROOT, path), copy);
  }
}
