/** What is known to be bad: muted by editors for a project, with a reason and an end, and in the audit. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post, type GraphqlAnswer } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(DEMO_NOW.getTime() + days * DAY_MS);

let app: TestApp;
let now = DEMO_NOW;
beforeAll(async () => {
  app = await createTestApp({ demo: true, projects: ['other'], door: headerDoor, now: () => now });
  await addMembers(app, [
    ['edda', 'demo', 'editor'],
    ['vera', 'demo', 'viewer'],
    ['adam', 'demo', 'admin'],
    ['otto', 'other', 'owner'],
  ]);
});
afterAll(() => app.stop());

const as = (user: string, query: string, variables: object = {}): Promise<GraphqlAnswer> =>
  post(app.url, query, { variables, headers: signedIn(user, user === 'otto' ? 'other' : 'demo') });

const ALL = 'partId parameter reason mutedBy { name } mutedAt until';
const MUTE = `mutation ($input: MuteInput!) { mute(input: $input) {
  __typename ... on MutePayload { mutes { all { ${ALL} } } } ... on UserError { message } } }`;
const UNMUTE = `mutation ($input: UnmuteInput!) { unmute(input: $input) {
  __typename ... on UnmutePayload { mutes { all { ${ALL} } } } } }`;

const mute = async (user: string, input: object) => {
  const given = {
    chipId: 'demo-64',
    partId: '27',
    parameter: 't1',
    reason: 'magnet is off',
    until: inDays(7),
  };
  const { data } = await as(user, MUTE, { input: { ...given, ...input } });
  return data?.['mute'] as Record<string, unknown>;
};
const muted = async (user = 'vera') =>
  (await as(user, `{ mutes(chipId: "demo-64") { ${ALL} } }`)).data?.['mutes'] as Record<string, unknown>[];

test('an editor mutes a value with a reason until a time; all members see it until then', async () => {
  now = DEMO_NOW;
  expect(await mute('edda', {})).toMatchObject({ __typename: 'MutePayload' });
  expect(await muted()).toEqual([
    {
      partId: '27',
      parameter: 't1',
      reason: 'magnet is off',
      mutedBy: { name: 'edda' },
      mutedAt: DEMO_NOW.toISOString(),
      until: inDays(7).toISOString(),
    },
  ]);
  // Again: for longer, and why.
  await mute('adam', { reason: 'until the thermal cycle', until: inDays(9) });
  await mute('edda', { partId: 'Q00-Q02', parameter: null, until: inDays(3) });
  expect((await muted()).map(({ partId, parameter, reason }) => [partId, parameter, reason])).toEqual([
    ['0-2', null, 'magnet is off'],
    ['27', 't1', 'until the thermal cycle'],
  ]);
  now = inDays(4);
  expect((await muted()).map(({ partId }) => partId)).toEqual(['27']);
  const input = { chipId: 'demo-64', partId: '27', parameter: 't1' };
  await as('edda', UNMUTE, { input });
  await as('edda', UNMUTE, { input });
  expect(await muted()).toEqual([]);
});

test.each([
  ['without a reason', { reason: ' ' }, 'must not be blank'],
  ['for ever', { until: inDays(400) }, 'within 366 days'],
  ['until yesterday', { until: inDays(-1) }, 'in the future'],
  ['of a qubit that is not there', { partId: '99' }, '99'],
  ['of a chip that is not there', { chipId: 'demo-65' }, 'demo-65'],
])('nothing is muted %s', async (_how, input, words) => {
  expect(String((await mute('edda', input))['message'])).toContain(words);
  expect(await muted()).toEqual([]);
});

test('viewers mute nothing, another project sees nothing, and the audit says who did it', async () => {
  expect(
    JSON.stringify(
      await as('vera', MUTE, { input: { chipId: 'demo-64', partId: '1', reason: 'x', until: inDays(1) } }),
    ),
  ).toContain('role editor');
  expect(await muted()).toEqual([]);
  await mute('edda', { partId: '3' });
  expect(JSON.stringify(await as('otto', '{ mutes(chipId: "demo-64") { partId } }'))).not.toContain('"3"');
  const { data } = await as('adam', '{ auditLog(first: 20) { nodes { action personName outcome } } }');
  const { nodes } = data!['auditLog'] as { nodes: Record<string, unknown>[] };
  expect(nodes).toContainEqual({ action: 'mute', personName: 'edda', outcome: 'DONE' });
  expect(nodes).toContainEqual({ action: 'mute', personName: 'vera', outcome: 'FORBIDDEN' });
});
