/** Tokens of servers that somebody signed in at, in a file that only they can read. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

const fileIn = (env: Env): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'qpilot', 'tokens.json');

async function readAll(env: Env): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(fileIn(env), 'utf8')) as Record<string, string>;
  } catch {
    return {}; // none yet
  }
}

/** The token for a server: `QPILOT_TOKEN`, for example an API key, else that of the last login there; null without one. */
export async function tokenFor(url: string, env: Env): Promise<string | null> {
  const given = env['QPILOT_TOKEN'];
  if (given !== undefined && given !== '') return given;
  return (await readAll(env))[new URL(url).origin] ?? null;
}

/** Keeps a token for a server, or forgets it; returns the file. */
export async function keepToken(url: string, token: string | null, env: Env): Promise<string> {
  const { [new URL(url).origin]: _old, ...others } = await readAll(env);
  const file = fileIn(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const all = token === null ? others : { ...others, [new URL(url).origin]: token };
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600); // of a file that was there before
  return file;
}
