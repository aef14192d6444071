import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { atLeast, ROLES, type Role } from '../../../src/domain/members/role.ts';
import { createMembers, type Members } from '../../../src/stores/pg/members.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
let members: Members;
let projectId: string;
beforeAll(async () => {
  store = await openPgStore();
  members = createMembers(store.db);
});
afterAll(() => store.close());
beforeEach(() => void (projectId = uuid()));

const add = (userId: string, role: Role, addedBy: string | null = 'ada') =>
  members.set({ projectId, userId, role, addedBy });

test('each role may do what those before it may, and not what those after it may', () => {
  const allowed = ROLES.map((role) => ROLES.filter((needed) => atLeast(role, needed)));
  expect(allowed).toEqual([ROLES.slice(0, 1), ROLES.slice(0, 2), ROLES.slice(0, 3), ROLES]);
});

test('members have a role in their project and none in others', async () => {
  await add('ada', 'owner', null);
  await add('grace', 'viewer');
  expect(await members.roleOf('grace', projectId)).toBe('viewer');
  expect(await members.roleOf('grace', uuid())).toBeNull();
  expect(await members.roleOf('alan', projectId)).toBeNull();
  expect(await members.projectsOf('grace')).toContainEqual({ projectId, role: 'viewer' });
  expect(await members.list(projectId)).toEqual([
    { projectId, userId: 'ada', role: 'owner', addedBy: null, addedAt: expect.any(Date) },
    { projectId, userId: 'grace', role: 'viewer', addedBy: 'ada', addedAt: expect.any(Date) },
  ]);
});

test('a changed role keeps who added the member, and a removed member has none', async () => {
  await add('ada', 'owner', null);
  await add('grace', 'viewer');
  await add('grace', 'admin', 'alan');
  expect((await members.list(projectId))[1]).toMatchObject({ role: 'admin', addedBy: 'ada' });
  expect(await members.remove('grace', projectId)).toBe('DONE');
  expect(await members.roleOf('grace', projectId)).toBeNull();
  expect(await members.remove('grace', projectId)).toBe('DONE');
});

test('the last owner can neither be removed nor become less', async () => {
  await add('ada', 'owner');
  await add('grace', 'admin');
  expect(await members.remove('ada', projectId)).toBe('LAST_OWNER');
  expect(await add('ada', 'admin')).toBe('LAST_OWNER');
  expect(await add('ada', 'owner')).toBe('DONE');
  await add('grace', 'owner');
  expect(await members.remove('ada', projectId)).toBe('DONE');
  expect(await members.remove('grace', projectId)).toBe('LAST_OWNER');
});

test('owners who remove each other at the same time leave one', async () => {
  const owners = Array.from({ length: 8 }, (_, index) => `owner ${index}`);
  for (const owner of owners) await add(owner, 'owner');
  const changes = await Promise.all(owners.map((owner) => members.remove(owner, projectId)));
  expect(changes.filter((change) => change === 'LAST_OWNER')).toHaveLength(1);
  expect(await members.list(projectId)).toHaveLength(1);
});
