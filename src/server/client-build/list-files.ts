import { glob } from 'node:fs/promises';

/** Paths below `cwd` that match, sorted. */
export async function listFiles(
  cwd: string,
  patterns: readonly string[],
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const path of glob(patterns, { cwd, exclude })) paths.push(path);
  return paths.toSorted();
}
