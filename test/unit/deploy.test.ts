/** The files of `deploy` name only settings, commands, paths and ports that there are, and leave time to drain. */
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { readConfig, type Config } from '../../src/config/config.ts';
import { respondToProbe } from '../../src/server/health.ts';
import { MAX_IMPORT_BYTES } from '../../src/server/imports.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
type Variables = Readonly<Record<string, string>>;

/** All that the server reads; another test compares it with the code. */
const KNOWN = new Set([...read('.env.example').matchAll(/^#([A-Z][A-Z0-9_]+)=/gmu)].map(([, name]) => name));
const OTHERS = new Set(['NODE_ENV']);

const pairs = (text: string): Variables =>
  Object.fromEntries(
    [...text.matchAll(/([A-Z][A-Z0-9_]+)=(\S+)/gu)].map(([, name = '', value = '']) => [name, value]),
  );
const directives = (unit: string, name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gmu'))].map(([, value = '']) => value);

/** The template as for a server on port 4000. */
const UNITS = ['qpilot.service', 'qpilot-worker.service', 'qpilot@.service'].map((name) =>
  read(`deploy/systemd/${name}`).replaceAll('%i', '4000'),
);
const image = read('deploy/Containerfile').replaceAll('\\\n', ' ');
const compose = parse(read('deploy/compose.yaml')) as {
  services: { qpilot: { environment: Variables; stop_grace_period: string }; proxy: { command: string[] } };
};
const imageVariables = pairs(/^ENV (.*)$/mu.exec(image)?.[1] ?? '');
const { qpilot, proxy } = compose.services;

const PLACES: readonly (readonly [string, Variables])[] = [
  ...UNITS.map((unit, at) => [`unit ${at}`, pairs(directives(unit, 'Environment').join(' '))] as const),
  ['image', imageVariables],
  ['compose file', { ...imageVariables, ...qpilot.environment }],
];

/** As the server reads them, with secrets in place of their files. */
const configOf = (variables: Variables): Config =>
  readConfig({
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => !name.endsWith('_FILE'))),
    DATABASE_URL: 'postgresql://qpilot@postgres/qpilot',
    MONGODB_URI: 'mongodb://mongo',
    ...(variables['PUBLIC_URL'] !== undefined && { PUBLIC_URL: 'https://qpilot.example.org' }),
  });

test.each(PLACES)('the settings of the %s are known, and fit together', (_where, variables) => {
  const unknown = Object.keys(variables).filter(
    (name) => !KNOWN.has(name) && !OTHERS.has(name) && !KNOWN.has(name.replace(/_FILE$/u, '')),
  );
  expect(unknown).toEqual([]);
  expect(configOf(variables).production).toBe(true);
});

test('commands run files and scripts that there are', () => {
  const commands = [
    ...UNITS.flatMap((unit) => directives(unit, 'ExecStart')),
    ...[...image.matchAll(/^CMD \[(.*)\]$/gmu)].map(([, words = '']) => words.replaceAll(/[",]/gu, ' ')),
  ].map((command) => command.trim());
  expect(commands).toHaveLength(4);
  for (const command of commands)
    expect([command, existsSync(join(ROOT, command.split(/\s+/u).at(-1)!))]).toEqual([command, true]);
  // As npm start runs it.
  for (const command of commands.filter((each) => each.endsWith('start.js')))
    expect(command.split(/\s+/u).slice(-3)).toEqual(manifest.scripts.start.replace('exec ', '').split(' '));
  const scripts = [...image.matchAll(/npm run ([a-z][\w:-]*)/gu)].map(([, name = '']) => name);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const copied = [...image.matchAll(/^COPY (?!--from)(.*) \S+$/gmu)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('whoever stops a server waits longer than it drains', () => {
  const takesS = (variables: Variables): number => {
    const { drainMs, drainNoticeMs } = configOf(variables);
    return (drainNoticeMs + drainMs) / 1_000 + 5; // to close what is open
  };
  const [server, worker] = PLACES.map(([, variables]) => takesS(variables));
  const [forServer, forWorker] = UNITS.map((unit) => Number(directives(unit, 'TimeoutStopSec')[0]));
  expect([forServer! >= server!, forWorker! >= worker!]).toEqual([true, true]);
  expect(Number.parseInt(qpilot.stop_grace_period, 10)).toBeGreaterThanOrEqual(
    takesS({ ...imageVariables, ...qpilot.environment }),
  );
  // docker stop kills after ten seconds, unless it is told otherwise.
  expect(configOf(imageVariables).drainMs).toBeLessThanOrEqual(8_000);
});

test('ports are those that the server listens on', () => {
  const { port } = readConfig({});
  const [server, worker] = PLACES.map(([, variables]) => configOf(variables));
  expect([server?.port, Number(/^EXPOSE (\d+)$/mu.exec(image)?.[1])]).toEqual([port, port]);
  expect(proxy.command.at(-1)).toBe(`qpilot:${port}`);
  for (const file of ['nginx.conf', 'Caddyfile', 'traefik.yaml'])
    expect(read(`docs/operations/${file}`)).toContain(`127.0.0.1:${port}`);
  expect(server?.metrics?.port).not.toBe(worker?.metrics?.port);
  const probe = /^HEALTHCHECK .*fetch\('http:\/\/127\.0\.0\.1:(\d+)(\/\w+)'\)/mu.exec(image);
  expect(probe?.[1]).toBe(imageVariables['METRICS_PORT']);
  const response = { writeHead: () => response, end: () => response } as unknown as ServerResponse;
  expect(respondToProbe(probe?.[2] ?? '', { ready: {} }, response)).toBe(true);
});

test('nginx lets through the largest forms that QPilot takes', () => {
  const [, megabytes = ''] = /client_max_body_size (\d+)m;/u.exec(read('docs/operations/nginx.conf')) ?? [];
  const { limits } = parse(read('config/qpilot.yaml')) as { limits: { uploadMegabytes: number } };
  expect(Number(megabytes)).toBeGreaterThan(Math.max(limits.uploadMegabytes, MAX_IMPORT_BYTES / 1024 / 1024));
});
