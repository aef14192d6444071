import { readFileSync } from 'node:fs';
import { StartupError } from '../base/errors.ts';

/** Variables that hold secrets, or addresses that may. */
const SECRET = /(?:_(?:URI|URL|KEY|SECRET|TOKEN)|^DATASOURCE_\w+)$/u;
const FILE = '_FILE';

/**
 * The environment with secrets from files: `OPENAI_API_KEY_FILE=/run/secrets/openai` sets OPENAI_API_KEY to the content of that
 * file without the line's end. Holds for every variable with a secret.
 * @throws StartupError for a file that cannot be read or is empty, and for a secret that is given twice; the secret is not repeated.
 */
export function withSecretFiles(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const read = Object.entries(env).flatMap(([variable, path]) => {
    const name = variable.endsWith(FILE) ? variable.slice(0, -FILE.length) : '';
    if (!SECRET.test(name) || path === undefined || path === '') return [];
    if (env[name]) throw new StartupError(`${name} and ${variable} are both set; set one of them`);
    return [[name, secretIn(variable, path)] as const];
  });
  return { ...env, ...Object.fromEntries(read) };
}

function secretIn(variable: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new StartupError(`${variable}=${path}: the file cannot be read (${why})`, { cause: error });
  }
  if (text === '') throw new StartupError(`${variable}=${path}: the file is empty`);
  return text;
}
