import { isUtf8 } from 'node:buffer';
import { constants, type Dirent } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../base/errors.ts';

/** The text of a file (null if it does not exist), or why it cannot be read. */
export type ReadFile = { readonly text: string | null } | { readonly problem: string };

/** The unparsed files of a folder of experts. */
export type ExpertFolder = {
  /** `defaults.yaml`, the base of every expert. */
  readonly defaults: ReadFile;
  /** `instructions.md`: the instructions of experts that have none. */
  readonly template: ReadFile;
  /** One for each folder with a `config.yaml`, sorted by name. */
  readonly experts: readonly {
    readonly name: string;
    readonly config: ReadFile;
    readonly instructions: ReadFile;
  }[];
};

/** Larger files are not read; legitimate ones are far smaller. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * Reads a folder. An unreadable file is reported in place and does not affect the others. Folders without `config.yaml`
 * are ignored; symbolic links are not followed.
 * @throws StartupError if the folder itself cannot be read.
 */
export async function readExpertFolder(folder: string): Promise<ExpertFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new StartupError(`the experts in ${folder} cannot be read`, { cause: error });
  });
  const candidates = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const [defaults, template, ...experts] = await Promise.all([
    readText(join(folder, 'defaults.yaml')),
    readText(join(folder, 'instructions.md')),
    ...candidates
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(async (entry) => ({ name: entry.name, ...(await readExpert(join(folder, entry.name), entry)) })),
  ]);
  return { defaults, template, experts: experts.filter(({ config }) => !isMissing(config)) };
}

async function readExpert(
  folder: string,
  entry: Dirent,
): Promise<{ config: ReadFile; instructions: ReadFile }> {
  const [config, instructions] = await Promise.all([
    readText(join(folder, 'config.yaml')),
    readText(join(folder, 'instructions.md')),
  ]);
  if (!entry.isSymbolicLink() || isMissing(config)) return { config, instructions };
  return {
    config: { problem: 'is behind a symbolic link; put the folder itself here' },
    instructions: { text: null },
  };
}

const isMissing = (file: ReadFile): boolean => 'text' in file && file.text === null;

/** Reads regular files only: pipes and devices may never end. */
async function readText(path: string): Promise<ReadFile> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readOpen(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { text: null } : { problem: `cannot be read (${code})` };
  }
}

async function readOpen(file: FileHandle): Promise<ReadFile> {
  const stat = await file.stat();
  if (!stat.isFile()) return { problem: 'is not a file' };
  if (stat.size > MAX_FILE_BYTES) {
    return { problem: `has ${stat.size} bytes; at most ${MAX_FILE_BYTES} are read` };
  }
  return textOf(await file.readFile());
}

/** Text without a byte order mark. */
function textOf(bytes: Buffer): ReadFile {
  if (!isUtf8(bytes)) return { problem: 'is not UTF-8 text' };
  if (bytes.includes(0)) return { problem: 'is not a text: it contains NUL' };
  return { text: bytes.toString('utf8').replace(/^\uFEFF/u, '') };
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
