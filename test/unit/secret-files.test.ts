import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { readConfig } from '../../src/config/config.ts';

let folder: string;
const inFile = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every secret may come from a file, whose last line end is no part of it', async () => {
  const config = readConfig({
    OPENAI_API_KEY_FILE: await inFile('openai', 'sk-of-a-file\n'),
    DATABASE_URL_FILE: await inFile('database', 'postgres://ada:pass@db/qpilot\r\n'),
    METRICS_TOKEN_FILE: await inFile('token', 'a-token-of-some-length'),
    METRICS_PORT: '9464',
    DATASOURCE_FRIDGE_FILE: await inFile('fridge', 'postgres://reader@db/fridge'),
  });
  expect(config.providers.openai).toMatchObject({ apiKey: 'sk-of-a-file' });
  expect(config.databaseUrl).toBe('postgres://ada:pass@db/qpilot');
  expect(config.metrics).toMatchObject({ token: 'a-token-of-some-length' });
  expect(config.datasourceUris['DATASOURCE_FRIDGE']).toBe('postgres://reader@db/fridge');
});

test('a file that is missing or empty, a secret given twice and a wrong one are named without the secret', async () => {
  expect(() => readConfig({ OPENAI_API_KEY_FILE: '/nowhere/openai' })).toThrow(
    'OPENAI_API_KEY_FILE=/nowhere/openai: the file cannot be read (ENOENT)',
  );
  const empty = await inFile('empty', '\n');
  expect(() => readConfig({ OPENAI_API_KEY_FILE: empty })).toThrow(/the file is empty/);
  const key = await inFile('key', 'sk-hidden');
  const twice = () => readConfig({ OPENAI_API_KEY_FILE: key, OPENAI_API_KEY: 'sk-other' });
  expect(twice).toThrow('OPENAI_API_KEY and OPENAI_API_KEY_FILE are both set; set one of them');
  const wrong = await inFile('wrong', 'mysql://ada:hidden@db');
  const mistyped = () => readConfig({ DATABASE_URL_FILE: wrong });
  expect(mistyped).toThrow(/DATABASE_URL: must start with/);
  expect(mistyped).not.toThrow(/hidden/);
});

test('every variable of .env.example that names a key, token, secret or address can come from a file', async () => {
  const example = await readFile('.env.example', 'utf8');
  const names = [...example.matchAll(/^#(\w+)=/gm)].map(([, name]) => name!);
  const secrets = names.filter((name) => /KEY|TOKEN|SECRET|PASSWORD|_UR[IL]$/.test(name));
  expect(secrets.length).toBeGreaterThan(8);
  for (const name of secrets)
    expect(() => readConfig({ [`${name}_FILE`]: '/nowhere/x' })).toThrow(
      `${name}_FILE=/nowhere/x: the file cannot`,
    );
});
