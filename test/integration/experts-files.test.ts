import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigPresets } from '../../src/experts/config-presets.ts';
import { openExpertCatalog, readSettled, type ExpertCatalog } from '../../src/experts/expert-catalog.ts';
import { createLogger } from '../../src/base/log.ts';
import { ResourceStack } from '../../src/base/resource-stack.ts';
import { createExpertsService } from '../../src/services/experts/experts.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestDatabase } from '../support/databases.ts';
import { until } from '@qpilot/test-support';

let folder: string;
let resources: ResourceStack;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-experts-'));
  resources = new ResourceStack();
  await writeFile(join(folder, 'defaults.yaml'), 'llm: {temperature: 0}');
  await expert('one', 'display_name: One');
});
afterEach(async () => {
  await resources.closeAll();
  await rm(folder, { recursive: true, force: true });
});

async function expert(id: string, config: string): Promise<void> {
  await mkdir(join(folder, id), { recursive: true });
  await writeFile(join(folder, id, 'config.yaml'), config);
}

const open = (watched: boolean): Promise<ExpertCatalog> =>
  openExpertCatalog({ folder, watched, log: createLogger('silent') }, resources);
const nameOf = ({ current }: ExpertCatalog, id: string) => current.experts.get(id)?.displayName;

test('files are read again when they are asked to be, and one reading never changes', async () => {
  const catalog = await open(false);
  const before = catalog.current;
  expect(await catalog.reload()).toBe(before);
  await expert('one', 'display_name: Uno');
  await expert('two', '{}');
  const [after, again] = await Promise.all([catalog.reload(), catalog.reload()]);
  expect(after).toBe(again);
  expect(after.hash).not.toBe(before.hash);
  expect([nameOf(catalog, 'one'), nameOf(catalog, 'two')]).toEqual(['Uno', 'Two']);
  expect(before.experts.get('one')?.displayName).toBe('One');
  expect(before.experts.has('two')).toBe(false);
});

test('however many ask at once, the files are read once for all of them, and anew for whoever asks later', async () => {
  const catalog = await open(false);
  const asked = Array.from({ length: 50 }, () => catalog.reload());
  expect(new Set(asked).size).toBe(1);
  await asked[0];
  await expert('one', 'display_name: Uno');
  await catalog.reload();
  expect(nameOf(catalog, 'one')).toBe('Uno');
});

test('while they are watched, a change, a new folder and a removed one are seen by themselves', async () => {
  const catalog = await open(true);
  await expert('one', 'display_name: Uno');
  await until(() => nameOf(catalog, 'one') === 'Uno', { what: 'the changed file' });
  await expert('two', '{}');
  await until(() => nameOf(catalog, 'two') === 'Two', { what: 'the new expert' });
  await rm(join(folder, 'one'), { recursive: true });
  await until(() => !catalog.current.experts.has('one'), { what: 'the removed expert' });
});

test('folders without settings, files beside them and unreadable files keep no other expert out', async () => {
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'README.md'), 'not an expert');
  await mkdir(join(folder, 'folder', 'config.yaml'), { recursive: true });
  await expert('binary', '{}');
  await writeFile(join(folder, 'binary', 'instructions.md'), Buffer.from([0xff, 0xfe, 0x00]));
  const { current } = await open(false);
  expect([...current.experts.keys()].toSorted()).toEqual(['binary', 'defaults', 'folder', 'one']);
  expect(current.experts.get('binary')?.loadError).toBe('instructions.md is not UTF-8 text');
  expect(current.experts.get('folder')?.loadError).toBe('config.yaml is not a file');
  expect(current.experts.get('one')?.loadError).toBeNull();
});

test('pipes, links, huge files and files with NUL are told and never waited for; a byte order mark is no text', async () => {
  for (const id of ['pipe', 'huge', 'nul', 'marked']) await expert(id, '\uFEFFdisplay_name: Marked');
  execFileSync('mkfifo', [join(folder, 'pipe', 'instructions.md')]);
  await truncate(join(folder, 'huge', 'config.yaml'), 5_000_000_000);
  await writeFile(join(folder, 'nul', 'instructions.md'), 'a\u0000b');
  await writeFile(join(folder, 'marked', 'instructions.md'), '\uFEFF# Marked\r\n');
  await symlink(join(folder, 'one'), join(folder, 'linked'));
  const { experts } = (await open(false)).current;
  expect(Object.fromEntries([...experts].map(([id, { loadError }]) => [id, loadError]))).toEqual({
    defaults: null,
    one: null,
    marked: null,
    pipe: 'instructions.md is not a file',
    huge: 'config.yaml has 5000000000 bytes; at most 1000000 are read',
    nul: 'instructions.md is not a text: it contains NUL',
    linked: 'config.yaml is behind a symbolic link; put the folder itself here',
  });
  expect(experts.get('marked')).toMatchObject({ displayName: 'Marked', instructions: '# Marked\n' });
});

test('a folder is read until two readings are the same, so that no expert is half old and half new', async () => {
  const readings = ['old, old', 'old, new', 'new, new', 'new, new', 'later'];
  expect(await readSettled(async () => readings.shift())).toBe('new, new');
  let restless = 0;
  expect(await readSettled(async () => (restless += 1))).toBe(5);
});

test('a folder that is gone keeps what was read, and a server does not start without one', async () => {
  const catalog = await open(false);
  await rm(folder, { recursive: true });
  await expect(catalog.reload()).rejects.toThrow(`the experts in ${folder} cannot be read`);
  expect(nameOf(catalog, 'one')).toBe('One');
  await expect(open(false)).rejects.toThrow('cannot be read');
  await mkdir(folder);
  await catalog.reload();
  expect(catalog.current.experts.get('defaults')?.loadError).toBe('defaults.yaml is missing');
});

const viewer = { id: 'local', name: 'local', projectId: 'demo', role: 'owner' as const, isOperator: true };
const everything = { search: null, tag: null };

async function openService() {
  const catalog = await open(false);
  const testDatabase = await createTestDatabase();
  resources.defer(() => testDatabase.drop());
  const database = openDatabase(testDatabase.url, { log: createLogger('silent'), connections: 2 });
  resources.defer(() => database.close());
  return { catalog, service: createExpertsService({ db: database.db, catalog }) };
}

test('a saved expert hides one that is shipped later under its id, until it is deleted', async () => {
  const { catalog, service } = await openService();
  await service.save(viewer, { expertId: 'two', displayName: 'Mine', instructions: 'mine' });
  await expert('two', 'display_name: Shipped');
  await catalog.reload();
  const shown = async () => {
    const listed = (await service.list(viewer, everything)).filter(({ expertId }) => expertId === 'two');
    const found = await service.find(viewer, 'two');
    return [...listed.map(({ displayName }) => displayName), found?.displayName, found?.version];
  };
  expect(await shown()).toEqual(['Mine', 'Mine', 1]);
  const again = { expertId: 'two', displayName: 'Still mine', instructions: 'mine', version: 1 };
  await service.save(viewer, again);
  expect(await shown()).toEqual(['Still mine', 'Still mine', 2]);
  await service.delete(viewer, { expertId: 'two' });
  expect(await shown()).toEqual(['Shipped', 'Shipped', null]);
  await expect(service.delete(viewer, { expertId: 'two' })).rejects.toThrow('cannot be deleted');
  await expect(service.save(viewer, again)).rejects.toThrow('no saved expert two');
});

test('what a list shows and what its experts say is of one reading, whatever happens in between', async () => {
  const { catalog, service } = await openService();
  await service.save(viewer, { expertId: 'saved', displayName: 'Saved', instructions: 'x' });
  const listed = await service.list(viewer, everything);

  await writeFile(join(folder, 'defaults.yaml'), 'llm: {temperature: 1}');
  await rm(join(folder, 'one'), { recursive: true });
  await catalog.reload();
  const details = await service.details(viewer, listed);
  expect(details.map((expert) => [expert?.expertId, expert?.resolution.config.llm.temperature])).toEqual([
    ['defaults', 0],
    ['one', 0],
    ['saved', 0],
  ]);
  const now = await Promise.all(['one', 'saved', null].map((id) => service.find(viewer, id)));
  expect(now.map((expert) => expert?.resolution.config.llm.temperature)).toEqual([undefined, 1, 1]);
});

test('a preset that is no setting is told with its place', async () => {
  const file = join(folder, 'presets.yaml');
  await writeFile(file, 'hot: {title: Hot, description: Too hot., override: {llm: {temperature: 3}}}');
  await expect(readConfigPresets(file)).rejects.toThrow('hot.override.llm.temperature: must be from 0 to 2');
});
