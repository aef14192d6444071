import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import { pino } from 'pino';
import { createSignIn } from '../../../src/identity/sign-in.ts';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { createPeople } from '../../../src/stores/pg/people.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let open: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url, { log });
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

test('our migrations make the tables that better-auth wants', async () => {
  const signIn = createSignIn({
    db: open.db,
    secret: 'x'.repeat(32),
    publicOrigin: null,
    log,
    events: {},
    withPasswords: true,
    oidc: null,
  });
  const { toBeCreated, toBeAdded } = await getMigrations(signIn.options);
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
});

test('of two who follow one link at once, one gets an account', async () => {
  const people = createPeople(open.db);
  const soon = new Date(Date.now() + 60_000);
  const terms = {
    email: null,
    projectId: 'demo',
    role: 'editor',
    isAdmin: false,
    invitedBy: 'olga',
  } as const;
  await people.invite({ ...terms, hash: 'one', expiresAt: soon });
  const accept = (email: string) => people.accept('one', { name: 'Ed', email, passwordHash: 'x' });
  const ends = await Promise.allSettled([accept('a@lab.example'), accept('b@lab.example')]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await people.list()).toHaveLength(1);
});

test('a link that fails for an address with an account is not spent; an expired one is of no use', async () => {
  const people = createPeople(open.db);
  const terms = { email: null, projectId: null, role: null, isAdmin: false, invitedBy: 'olga' } as const;
  await people.invite({ ...terms, hash: 'two', expiresAt: new Date(Date.now() + 60_000) });
  const [known] = await people.list();
  const again = people.accept('two', {
    name: 'Ed',
    email: String(known?.email).toUpperCase(),
    passwordHash: 'x',
  });
  await expect(again).rejects.toThrow('has an account; sign in with it');
  expect(await people.invitation('two')).not.toBeNull();
  await people.invite({ ...terms, hash: 'three', expiresAt: new Date(Date.now() - 1) });
  expect(await people.invitation('three')).toBeNull();
  await expect(
    people.accept('three', { name: 'Eve', email: 'e@x.example', passwordHash: 'x' }),
  ).rejects.toThrow('not valid');
});
