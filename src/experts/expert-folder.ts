import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';

/** The text of a file, null where there is no such file, or why it cannot be read. */
export type ReadFile = { readonly text: string | null } | { readonly problem: string };

/** What the files of a folder of experts say, not yet understood. */
export type ExpertFolder = {
  /** `defaults.yaml`, over which every expert is laid. */
  readonly defaults: ReadFile;
  /** `instructions.md`: the instructions of experts that have none. */
  readonly template: ReadFile;
  /** One for each folder with a `config.yaml`, in the order of their names. */
  readonly experts: readonly {
    readonly name: string;
    readonly config: ReadFile;
    readonly instructions: ReadFile;
  }[];
};

/** A file larger than this is not read: nothing that belongs here is nearly as large. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * Reads all of a folder. A file that cannot be read is told in its place and keeps no other from being read; a folder
 * without `config.yaml` is none of an expert.
 * @throws StartupError when the folder itself cannot be read.
 */
export async function readExpertFolder(folder: string): Promise<ExpertFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new StartupError(`the experts in ${folder} cannot be read`, { cause: error });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const [defaults, template, ...experts] = await Promise.all([
    readText(join(folder, 'defaults.yaml')),
    readText(join(folder, 'instructions.md')),
    ...names.toSorted().map(async (name) => ({
      name,
      config: await readText(join(folder, name, 'config.yaml')),
      instructions: await readText(join(folder, name, 'instructions.md')),
    })),
  ]);
  return { defaults, template, experts: experts.filter(({ config }) => !isMissing(config)) };
}

const isMissing = (file: ReadFile): boolean => 'text' in file && file.text === null;

async function readText(path: string): Promise<ReadFile> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { text: null } : { problem: `cannot be read (${code})` };
  }
  if (bytes.byteLength > MAX_FILE_BYTES) {
    return { problem: `has ${bytes.byteLength} bytes; at most ${MAX_FILE_BYTES} are read` };
  }
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { problem: 'is not UTF-8 text' };
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
