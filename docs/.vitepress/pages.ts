/** Which files of the repository are pages of the site, and where: all of `docs`, and those that readers expect at the root. */
import { globSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Files at the root that are pages, with the addresses of these. */
const AT_THE_ROOT = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
} as const;

/** Path in the site by path in the repository. */
export const PAGES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(AT_THE_ROOT),
  ...globSync('docs/**/*.md', { cwd: ROOT }).map(
    (path) => [path, path.replace(/^docs\//u, '').replace(/README\.md$/u, 'index.md')] as const,
  ),
]);

/** Patterns of what else is there. */
export const NOT_PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
    .map(({ name }) => `${name}/**`),
];
