/** What a terminal keeps of servers, in files that only their owner can read: the token of a sign-in, and the project. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;
type File = 'tokens.json' | 'projects.json';

const pathOf = (file: File, env: Env): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'qpilot', file);

async function readAll(file: File, env: Env): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(pathOf(file, env), 'utf8')) as Record<string, string>;
  } catch {
    return {}; // none yet
  }
}

/** Keeps something of a server, or forgets it; returns the file. */
async function keep(file: File, url: string, kept: string | null, env: Env): Promise<string> {
  const { [new URL(url).origin]: _old, ...others } = await readAll(file, env);
  const path = pathOf(file, env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const all = kept === null ? others : { ...others, [new URL(url).origin]: kept };
  await writeFile(path, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await chmod(path, 0o600); // of a file that was there before
  return path;
}

/** The token for a server: `QPILOT_TOKEN`, for example an API key, else that of the last login there; null without one. */
export async function tokenFor(url: string, env: Env): Promise<string | null> {
  const given = env['QPILOT_TOKEN'];
  if (given !== undefined && given !== '') return given;
  return (await readAll('tokens.json', env))[new URL(url).origin] ?? null;
}

/** Keeps a token for a server, or forgets it; returns the file. */
export const keepToken = (url: string, token: string | null, env: Env): Promise<string> =>
  keep('tokens.json', url, token, env);

/** The project that was named or chosen last at a server; null without one. */
export const lastProject = async (url: string, env: Env): Promise<string | null> =>
  (await readAll('projects.json', env))[new URL(url).origin] ?? null;

/** Remembers it. */
export const keepProject = (url: string, projectId: string, env: Env): Promise<string> =>
  keep('projects.json', url, projectId, env);
