import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, print, separateOperations } from 'graphql';

const CLIENT = new URL('../../client/', import.meta.url).pathname;

/** An operation of the web client with the fragments that it uses, as text for a server. */
export async function clientDocument(folder: string, operation: string): Promise<string> {
  const at = join(CLIENT, folder);
  const names = (await readdir(at)).filter((name) => name.endsWith('.graphql'));
  const texts = await Promise.all(names.map((name) => readFile(join(at, name), 'utf8')));
  const document = separateOperations(parse(texts.join('\n')))[operation];
  if (document === undefined) throw new Error(`client/${folder} has no operation ${operation}`);
  return print(document);
}
