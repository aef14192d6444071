import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openExpertCatalog, type ExpertCatalog } from '../../src/experts/expert-catalog.ts';
import { readConfigPresets } from '../../src/experts/config-presets.ts';
import { createLogger } from '../../src/log.ts';
import { Opening } from '../../src/opening.ts';
import { createExpertsService } from '../../src/services/experts.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestDatabase } from '../support/databases.ts';
import { until } from '../support/until.ts';

let folder: string;
let opening: Opening;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-experts-'));
  opening = new Opening();
  await writeFile(join(folder, 'defaults.yaml'), 'llm: {temperature: 0}');
  await expert('one', 'display_name: One');
});
afterEach(async () => {
  await opening.closeAll();
  await rm(folder, { recursive: true, force: true });
});

async function expert(id: string, config: string): Promise<void> {
  await mkdir(join(folder, id), { recursive: true });
  await writeFile(join(folder, id, 'config.yaml'), config);
}

const open = (watched: boolean): Promise<ExpertCatalog> =>
  openExpertCatalog({ folder, watched, log: createLogger('silent') }, opening);
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
  expect(current.experts.get('folder')?.loadError).toBe('config.yaml cannot be read (EISDIR)');
  expect(current.experts.get('one')?.loadError).toBeNull();
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

test('what a list shows and what its experts say is of one reading, whatever happens in between', async () => {
  const catalog = await open(false);
  const testDatabase = await createTestDatabase();
  opening.defer(() => testDatabase.drop());
  const database = openDatabase(testDatabase.url, { log: createLogger('silent'), connections: 2 });
  opening.defer(() => database.close());
  const service = createExpertsService({ db: database.db, catalog });
  const viewer = { id: 'local', name: 'local', projectId: 'demo' };
  await service.save(viewer, { expertId: 'saved', displayName: 'Saved', instructions: 'x' });
  const listed = await service.list(viewer, { search: null, tag: null });

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
