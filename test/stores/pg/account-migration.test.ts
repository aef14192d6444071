/** People who were here before accounts were (issuer, subject), as the version before wrote them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { migrate, migrateTo } from '../../../src/stores/pg/migrate.ts';
import { accountOf, createPeople, proxyAccount } from '../../../src/stores/pg/people.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

const A = 'https://a.example';
const B = 'https://b.example/';
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const idToken = (iss: string): string => `${part({ alg: 'RS256' })}.${part({ iss, sub: 'x' })}.signature`;

let database: TestDatabase;
let open: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url, { log: pino({ level: 'silent' }) });
  await open.pool.query('drop schema public, auth cascade; create schema public');
  await migrateTo(open.db, '20261229-2-reviewed-calls');
  const person = async (id: string, email: string, groups: string | null = null) =>
    open.pool.query(
      `insert into auth."user" ("id", "name", "email", "emailVerified", "isAdmin", "disabled", "groups")
       values ($1, $1, $2, true, false, false, $3)`,
      [id, email, groups],
    );
  let minute = 0;
  const account = async (
    userId: string,
    providerId: string,
    accountId: string,
    token: string | null = null,
  ) => {
    minute += 1;
    await open.pool.query(
      `insert into auth."account" ("id", "accountId", "providerId", "userId", "idToken", "accessToken", "createdAt", "updatedAt")
       values ($1, $2, $3, $4, $5, $5, now() + $6 * interval '1 minute', now())`,
      [`account-${minute}`, accountId, providerId, userId, token, minute],
    );
  };
  await person('aoi', 'aoi@lab.example', '["lab"]');
  await account('aoi', 'oidc', 'Aoi-1', idToken(A));
  await account('aoi', 'oidc', 'thief', idToken(A)); // came in by her address
  await account('aoi', 'oidc', 'b-1', idToken(B)); // the laboratory changed its provider
  await person('ben', 'ben-1@oidc.invalid');
  await account('ben', 'oidc', 'Ben-1', idToken(A));
  await person('pia', 'pia@lab.example');
  await account('pia', 'credential', 'pia');
  await person('rin', 'rin@lab.example');
  await account('rin', 'proxy', 'rin');
  await person('qd', '0123456789abcdef@qdash.invalid');
  await account('qd', 'qdash', '65a1b2c3d4e5f60718293a4b');
  await open.pool.query(
    `insert into auth."session" ("id", "expiresAt", "token", "updatedAt", "userId")
     values ('s', now() + interval '1 day', 'a raw token', now(), 'pia')`,
  );
  await migrate(open.db);
});
afterAll(async () => {
  await open.close();
  await database.drop();
});

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
  (await open.pool.query<Record<string, unknown>>(sql)).rows;

test('each account is of its issuer and the same person; a second subject of one issuer is taken off', async () => {
  const accounts = await rows(
    `select "userId", "providerId", "accountId" from auth."account" where "providerId" = 'oidc' order by "createdAt"`,
  );
  expect(accounts).toEqual([
    { userId: 'aoi', providerId: 'oidc', accountId: accountOf(A, 'Aoi-1') },
    { userId: 'aoi', providerId: 'oidc', accountId: accountOf(B, 'b-1') },
    { userId: 'ben', providerId: 'oidc', accountId: accountOf(A, 'Ben-1') },
  ]);
});

test('addresses are shown as before, and only those with a password sign in by one', async () => {
  const people = await createPeople(open.db).list();
  expect(people.map(({ id, email }) => [id, email])).toEqual([
    ['aoi', 'aoi@lab.example'],
    ['ben', null],
    ['pia', 'pia@lab.example'],
    ['qd', null],
    ['rin', 'rin@lab.example'],
  ]);
  expect(people[0]?.groups).toEqual(['lab']);
  const typed = await rows(`select "id" from auth."user" where "email" not like '%@account.invalid'`);
  expect(typed).toEqual([{ id: 'pia' }]);
});

test('no session and no token is left', async () => {
  expect(await rows('select from auth."session"')).toEqual([]);
  const kept = await rows(
    'select from auth."account" where coalesce("idToken", "accessToken", "refreshToken") is not null',
  );
  expect(kept).toEqual([]);
});

test('people of a proxy become those of the first one that is configured, and of no other', async () => {
  const people = createPeople(open.db);
  const about = { name: 'rin', email: null, groups: [] };
  await people.adoptFromProxy(A);
  expect((await people.enter({ ...proxyAccount(A, 'rin'), ...about }))?.id).toBe('rin');
  await people.adoptFromProxy(B);
  for (const issuer of [B, null])
    expect((await people.enter({ ...proxyAccount(issuer, 'rin'), ...about }))?.id).not.toBe('rin');
  await people.adoptFromProxy(null);
  expect((await people.enter({ ...proxyAccount(A, 'rin'), ...about }))?.id).toBe('rin');
});

test('one account is of one person', async () => {
  const again = open.pool.query(
    `insert into auth."account" ("id", "accountId", "providerId", "userId", "updatedAt") values ('x', $1, 'oidc', 'pia', now())`,
    [accountOf(A, 'Aoi-1')],
  );
  await expect(again).rejects.toThrow('account_of_provider');
});
