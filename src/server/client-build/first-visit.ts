import type { ClientBuild } from './client-files.ts';

/** Paths of the scripts that the page itself asks for, with all that they import before they run. */
export function initialScripts({ page, files }: ClientBuild): readonly string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    const file = files.get(path);
    if (file === undefined || found.has(path)) return;
    found.add(path);
    // Static imports stand at the beginning of a file, as Vite writes it.
    for (const [, name] of file.body.toString().matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) {
      follow(`/assets/${name}`);
    }
  };
  for (const [, path] of page.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)) follow(path ?? '');
  return [...found];
}

/** Paths of the styles that the page itself asks for. */
export const initialStyles = ({ page }: ClientBuild): readonly string[] =>
  [...page.matchAll(/href="(\/assets\/[\w.-]+\.css)"/g)].flatMap(([, path]) => path ?? []);
