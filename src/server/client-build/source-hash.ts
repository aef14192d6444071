import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './list-files.ts';

/** What a build is made of: the client, the schema it is typed by, and the versions of its libraries. */
const SOURCES = [
  'client/**/*.*',
  'schema/schema.graphql',
  'codegen.ts',
  'tsconfig.json',
  'package-lock.json',
];
/** What builds make. */
const MADE = ['client/dist/**', 'client/gql/**'];

/** Name of the build of these sources: the same sources have the same name, whoever builds them and when. */
export async function sourceHash(root: string): Promise<string> {
  const paths = await listFiles(root, SOURCES, MADE);
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
