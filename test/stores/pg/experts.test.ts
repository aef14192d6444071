import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import {
  deleteSavedExpert,
  type ExpertToSave,
  findSavedExperts,
  insertSavedExpert,
  listSavedExperts,
  replaceSavedExpert,
} from '../../../src/stores/pg/experts.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
let project: string;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(() => void (project = uuid()));

const expert = (expertId: string, more: Partial<ExpertToSave> = {}): ExpertToSave => ({
  expertId,
  displayName: expertId.toUpperCase(),
  description: null,
  icon: null,
  color: '#123456',
  tags: ['b', 'a'],
  config: { model: { name: 'm', odd: [1, null, '"'] } },
  instructions: 'Do {this}.\n',
  authorId: 'ada',
  ...more,
});
const insert = (id: string, { most = 10, as = project } = {}) =>
  insertSavedExpert(store.db, as, expert(id), most);
const replace = (id: string, version: number, more: Partial<ExpertToSave> = {}) =>
  replaceSavedExpert(store.db, project, expert(id, more), { version, createdBy: null });
const remove = (id: string, version: number | null, createdBy: string | null = null) =>
  deleteSavedExpert(store.db, project, id, { version, createdBy });
const versions = async (as = project) =>
  (await listSavedExperts(store.db, as)).map(({ expertId, version }) => [expertId, version]);

test('an expert is read as it was saved, and listed by id without its instructions', async () => {
  const [z, a] = [await insert('z'), await insert('a')];
  expect(z).toMatchObject({ ...expert('z'), version: 1 });
  expect(await findSavedExperts(store.db, project, ['z', 'unknown'])).toEqual([z]);
  expect(await findSavedExperts(store.db, project, [])).toEqual([]);
  const listed = await listSavedExperts(store.db, project);
  expect(listed.map(({ expertId }) => expertId)).toEqual(['a', 'z']);
  const { instructions: _long, ...rest } = a ?? expert('a');
  expect(listed[0]).toEqual(rest);
});

test('an id is taken once in a project, also by two at the same moment', async () => {
  const made = await Promise.all([insert('one'), insert('one'), insert('one')]);
  expect(made.filter((each) => each !== null)).toHaveLength(1);
  expect(await insert('one')).toBeNull();
  expect(await insert('one', { as: uuid() })).not.toBeNull();
});

test('a project has no more experts than allowed, however many come at once', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `e${index}`);
  await Promise.all(ids.map(() => store.pool.query('select 1'))); // opens the connections, so that none waits
  const made = await Promise.all(ids.map((id) => insert(id, { most: 3 })));
  expect(made.filter((each) => each !== null)).toHaveLength(3);
  expect(await versions()).toHaveLength(3);
  expect(await insert('other', { most: 3, as: uuid() })).not.toBeNull();
  const [[id] = []] = await versions();
  await remove(String(id), null);
  expect(await insert('now there is room', { most: 3 })).not.toBeNull();
});

test('a save replaces everything, raises the version by one, and is dated', async () => {
  const first = await insert('one');
  const second = await replace('one', 1, { tags: [], config: {}, authorId: 'eve', color: null });
  expect(second).toMatchObject({ version: 2, tags: [], config: {}, authorId: 'eve', color: null });
  expect(second?.savedAt.getTime()).toBeGreaterThan(first?.savedAt.getTime() ?? Infinity);
  expect(await findSavedExperts(store.db, project, ['one'])).toEqual([second]);
});

test('of two saves of the same version one is stored, and an older or unknown version none', async () => {
  await insert('one');
  const saves = await Promise.all([
    replace('one', 1, { displayName: 'A' }),
    replace('one', 1, { displayName: 'B' }),
  ]);
  const [stored, ...more] = saves.filter((each) => each !== null);
  expect(more).toEqual([]);
  expect(await findSavedExperts(store.db, project, ['one'])).toEqual([stored]);
  for (const version of [1, 3]) expect(await replace('one', version)).toBeNull();
  expect(await replace('unknown', 1)).toBeNull();
});

test('a save or removal in one project changes nothing in another', async () => {
  const other = uuid();
  await insert('same');
  await insert('same', { as: other });
  await replace('same', 1);
  expect([await versions(), await versions(other)]).toEqual([[['same', 2]], [['same', 1]]]);
  expect(await remove('same', null)).toBe(true);
  expect([await versions(), await versions(other)]).toEqual([[], [['same', 1]]]);
  expect(await findSavedExperts(store.db, project, ['same'])).toEqual([]);
});

test('a removal of a version that is not the current one removes nothing', async () => {
  await insert('one');
  await replace('one', 1);
  expect(await remove('one', 1)).toBe(false);
  expect(await versions()).toEqual([['one', 2]]);
  expect(await remove('one', 2)).toBe(true);
  expect(await remove('one', 2)).toBe(false);
  expect(await insert('one')).toMatchObject({ version: 1 });
});

test('an expert remains that of who made it: for others, it is not there to replace or remove', async () => {
  await insert('one');
  await replace('one', 1, { authorId: 'eve' });
  const saved = expert('one', { authorId: 'eve' });
  const byEve = { version: 2, createdBy: 'eve' };
  expect(await replaceSavedExpert(store.db, project, saved, byEve)).toBeNull();
  expect(await remove('one', null, 'eve')).toBe(false);
  const byAda = await replaceSavedExpert(store.db, project, saved, { version: 2, createdBy: 'ada' });
  expect(byAda).toMatchObject({ version: 3, authorId: 'eve', createdBy: 'ada' });
  expect(await remove('one', null, 'ada')).toBe(true);
});
