/** What people can get wrong when they sign in: the real server refuses it, and the pages say why in each language. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuthError, refusalIn } from '../../client/lib/auth/auth.ts';
import { account as english } from '../../client/lib/i18n/en/account.ts';
import { account as japanese } from '../../client/lib/i18n/ja/account.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { auth, becomeOwner, join, PASSWORD } from '../support/people.ts';

let it: TestApp;
let owner: string;
let ed: string;
beforeAll(async () => {
  it = await createTestApp({ projects: ['other'], env: { AUTH_MODE: 'accounts' } });
  owner = await becomeOwner(it);
  ed = await join(it.url, owner, { email: 'ed@lab.example', projectId: 'demo', role: 'admin' });
});
afterAll(() => it.stop());

type Try = readonly [what: string, path: string, make: () => object | Promise<object>, as?: () => string];
const asNobody = () => '';
const newPassword = (password: string) => () => ({ currentPassword: PASSWORD, newPassword: password });
const linkFor = async (email: string): Promise<string> => {
  const body = { email, projectId: 'demo', role: 'viewer' };
  return (
    String((await auth(it.url, '/invitations', { body, cookie: owner })).body['link']).split('#')[1] ?? ''
  );
};
const account = (token: string, email: string, password: string) => ({ token, name: 'Zoe', email, password });
const ownId = async () =>
  ((await auth(it.url, '/me', { cookie: owner })).body['person'] as { id: string }).id;
const asEd = () => ed;
const asOwner = () => owner;

const TRIES: readonly Try[] = [
  ['a wrong password', '/sign-in/email', () => ({ email: 'ed@lab.example', password: 'wrong wrong wrong' })],
  ['no address', '/sign-in/email', () => ({ email: 'ed', password: PASSWORD })],
  ['a spent link', '/invitation', () => ({ token: 'A'.repeat(43) })],
  [
    'a spent link, with an account',
    '/accept',
    () => account('A'.repeat(43), 'a@lab.example', 'seven cold mice'),
  ],
  [
    'a password like the name',
    '/accept',
    async () => account(await linkFor('zoe@lab.example'), 'zoe@lab.example', 'zoezoezoezoe'),
  ],
  [
    'an address with an account',
    '/accept',
    async () => account(await linkFor('ed@lab.example'), 'ed@lab.example', 'seven cold mice'),
  ],
  ['a weak new password', '/change-password', newPassword('aaaaaaaaaaaaaaa'), asEd],
  [
    'a wrong current password',
    '/change-password',
    () => ({ currentPassword: 'wrong wrong wrong', newPassword: 'seven cold mice' }),
    asEd,
  ],
  [
    'a wrong password for a second factor',
    '/two-factor/enable',
    () => ({ password: 'wrong wrong wrong' }),
    asEd,
  ],
  ['a second factor that is off', '/two-factor/verify-totp', () => ({ code: '123456' }), asEd],
  ['a code without a sign-in before it', '/two-factor/verify-totp', () => ({ code: '123456' })],
  [
    'a backup code without a sign-in before it',
    '/two-factor/verify-backup-code',
    () => ({ code: 'abcde-fghij' }),
  ],
  ['a code of no terminal', '/device/approve', () => ({ userCode: 'ABCDEFGH' }), asEd],
  ['a terminal without a sign-in', '/device/approve', () => ({ userCode: 'ABCDEFGH' })],
  [
    'an owner invited by an admin',
    '/invitations',
    () => ({ email: 'x@lab.example', projectId: 'demo', role: 'owner' }),
    asEd,
  ],
  ['the last administrator', '/people', async () => ({ id: await ownId(), disabled: true }), asOwner],
  ['keys without a sign-in', '/keys', () => ({ name: 'x', days: 1, role: 'viewer', projectId: null })],
];

test.each(TRIES.map(([what, path, make, as = asNobody]) => [what, path, make, as] as const))(
  '%s is refused in words of the page',
  async (_what, path, make, as) => {
    const cookie = as();
    const { status, body } = await auth(it.url, path, {
      body: await make(),
      ...(cookie !== '' && { cookie }),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    const refusal = new AuthError(path, status, body);
    expect([refusal.code, refusalIn(english.refusals, refusal)]).toEqual([refusal.code, expect.any(String)]);
    expect(refusalIn(japanese.refusals, refusal)).toMatch(/\p{Script=Hiragana}/u);
  },
);

test('a refusal without words of its own is not English in Japanese', () => {
  expect(japanese.refusedBecause('Something new')).toMatch(/^[^A-Za-z]+$/u);
});
