import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, print, separateOperations } from 'graphql';
import { FRAGMENTS } from '../../packages/client/src/fragments.ts';

const CLIENT = new URL('../../client/', import.meta.url).pathname;
/** Fragments that all features use. */
const SHARED = 'lib/graphql';

/** An operation of the web client with the fragments that it uses, from one or more folders, as text for a server. */
export async function clientDocument(
  folders: string | readonly string[],
  operation: string,
): Promise<string> {
  const all = [folders, SHARED].flat();
  const texts = await Promise.all(all.map(documentsOf));
  const document = separateOperations(parse([FRAGMENTS, ...texts.flat()].join('\n')))[operation];
  if (document === undefined) throw new Error(`${all.join(', ')} of the client: no operation ${operation}`);
  return print(document);
}

async function documentsOf(folder: string): Promise<readonly string[]> {
  const at = join(CLIENT, folder);
  const names = (await readdir(at)).filter((name) => name.endsWith('.graphql'));
  return Promise.all(names.map((name) => readFile(join(at, name), 'utf8')));
}
