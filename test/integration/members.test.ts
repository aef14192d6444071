/** Who may manage members, and what one project must not see or change of another: over GraphQL, as people of several roles. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { CONFIG_FOLDER } from '../../src/config/config-folder.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, type GraphqlAnswer } from '../support/graphql-client.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';

const SOURCES = `datasources:
  - { id: shared, name: Shared, type: sql, uri: DATASOURCE_A, projects: all }
  - { id: of-demo, name: Of demo, type: sql, uri: DATASOURCE_A, projects: [demo] }
  - { id: of-other, name: Of other, type: sql, uri: DATASOURCE_A, projects: [other] }
  - { id: unbound, name: Unbound, type: sql, uri: DATASOURCE_A }
`;

let app: TestApp;
let alone: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-members-'));
  const shipped = await readFile(join(CONFIG_FOLDER, 'qpilot.yaml'), 'utf8');
  await writeFile(join(folder, 'qpilot.yaml'), shipped.replace('datasources: []\n', SOURCES));
  const env = {
    QPILOT_CONFIG: join(folder, 'qpilot.yaml'),
    DATASOURCE_A: 'postgres://reader@127.0.0.1:9/none',
  };
  [app, alone] = await Promise.all([
    createTestApp({ projects: ['other'], door: headerDoor, env }),
    createTestApp({ env }),
  ]);
  await addMembers(app, [
    ['olga', 'demo', 'owner'],
    ['adam', 'demo', 'admin'],
    ['edda', 'demo', 'editor'],
    ['eve', 'demo', 'editor'],
    ['root', 'demo', 'viewer'],
    ['otto', 'other', 'owner'],
    ['both', 'demo', 'editor'],
    ['both', 'other', 'viewer'],
  ]);
});
afterAll(async () => {
  await Promise.all([app.stop(), alone.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const as = (user: string | null, query: string, project: string | null = 'demo'): Promise<GraphqlAnswer> =>
  post(app.url, query, { headers: signedIn(user, project) });
/** The only field of an answer. */
const only = async (answer: Promise<GraphqlAnswer>): Promise<unknown> => {
  const { data, errors } = await answer;
  expect(errors).toEqual([]);
  return Object.values(data ?? {})[0];
};
const codes = async (answer: Promise<GraphqlAnswer>) =>
  (await answer).errors.map(({ extensions }) => extensions['code']);

describe('members', () => {
  const OUTCOME = '__typename ... on UserError { message }';
  const set = (user: string, userId: string, role: string) =>
    only(as(user, `mutation { setMember(input: { userId: "${userId}", role: ${role} }) { ${OUTCOME} } }`));
  const remove = (user: string, userId: string) =>
    only(as(user, `mutation { removeMember(input: { userId: "${userId}" }) { ${OUTCOME} } }`));
  const roles = async (): Promise<Record<string, string>> => {
    const list = (await only(as('olga', '{ members { userId role } }'))) as {
      userId: string;
      role: string;
    }[];
    return Object.fromEntries(list.map(({ userId, role }) => [userId, role]));
  };
  const refused = { __typename: 'ForbiddenError', message: expect.stringContaining('only owners manage') };

  test('are added, changed and removed by admins up to editors, and by owners all', async () => {
    expect(await set('adam', 'new', 'VIEWER')).toEqual({ __typename: 'SetMemberPayload' });
    expect(await set('adam', 'new', 'EDITOR')).toEqual({ __typename: 'SetMemberPayload' });
    expect(await set('adam', 'new', 'ADMIN')).toEqual(refused);
    expect(await set('adam', 'adam', 'OWNER')).toEqual(refused);
    expect(await set('adam', 'olga', 'VIEWER')).toEqual(refused);
    expect(await remove('adam', 'olga')).toEqual(refused);
    expect(await roles()).toMatchObject({ new: 'EDITOR', adam: 'ADMIN', olga: 'OWNER' });
    expect(await remove('adam', 'new')).toEqual({ __typename: 'RemoveMemberPayload' });
    expect(await set('olga', 'new', 'ADMIN')).toEqual({ __typename: 'SetMemberPayload' });
    expect(await remove('olga', 'new')).toEqual({ __typename: 'RemoveMemberPayload' });
    expect(await roles()).not.toHaveProperty('new');
  });

  test('keep their last owner', async () => {
    const last = { __typename: 'ConflictError', message: expect.stringContaining('last owner') };
    expect([await remove('olga', 'olga'), await set('olga', 'olga', 'VIEWER')]).toEqual([last, last]);
  });

  test('may use the project from the next request on, and no longer than until they are removed', async () => {
    expect(await codes(as('grace', '{ viewer { role } }'))).toEqual(['NOT_FOUND']);
    await set('adam', 'grace', 'VIEWER');
    expect(await only(as('grace', '{ viewer { role projects { projectId role } } }'))).toEqual({
      role: 'viewer',
      projects: [{ projectId: 'demo', role: 'viewer' }],
    });
    await remove('adam', 'grace');
    expect(await codes(as('grace', '{ viewer { role } }'))).toEqual(['NOT_FOUND']);
  });
});

describe('budgets', () => {
  const set = (user: string, rest: string) =>
    as(
      user,
      `mutation { setBudget(input: { of: MEMBER, ${rest} }) { __typename ... on UserError { message }
      ... on SetBudgetPayload { budgets { all { of userId turnsPerDay tokensPerDay setBy } } } } }`,
    );
  const turnsOf = async (user: string) => {
    const viewer = (await only(as(user, '{ viewer { budgets { of unit used limit } } }'))) as {
      budgets: { of: string; unit: string; used: number; limit: number | null }[];
    };
    return viewer.budgets.filter(({ unit }) => unit === 'TURNS');
  };

  test('are set by admins, shown to whom they are for, and hold for their messages', async () => {
    expect(await codes(set('edda', 'userId: "edda", turnsPerDay: 9'))).toEqual(['FORBIDDEN']);
    expect(await only(set('adam', 'turnsPerDay: 0'))).toEqual({
      __typename: 'InvalidInputError',
      message: expect.stringContaining('userId'),
    });
    expect(await only(set('adam', 'userId: "edda", turnsPerDay: 0'))).toEqual({
      __typename: 'SetBudgetPayload',
      budgets: {
        all: [{ of: 'MEMBER', userId: 'edda', turnsPerDay: 0, tokensPerDay: null, setBy: 'adam' }],
      },
    });
    expect(await turnsOf('edda')).toEqual([
      { of: 'MEMBER', unit: 'TURNS', used: 0, limit: 0 },
      { of: 'PROJECT', unit: 'TURNS', used: 0, limit: null },
    ]);
    const refused = {
      __typename: 'BudgetExceededError',
      message: expect.stringContaining(
        'you have used 0 of the 0 turns of a day; the next day begins at 00:00 UTC',
      ),
    };
    const outcome = '{ __typename ... on UserError { message } }';
    const ask = `mutation { sendMessage(input: { clientMessageId: "x", content: "x" }) ${outcome} }`;
    const work = `mutation { createJob(input: { description: "x", instructions: "x", idempotencyKey: "x" }) ${outcome} }`;
    expect(await only(as('edda', ask))).toEqual(refused);
    expect(await only(as('edda', work))).toEqual(refused);
    await set('adam', 'userId: "edda"');
    expect((await turnsOf('edda'))[0]?.limit).toBeNull();
  });
});

describe('a project', () => {
  test('of others is refused in the words of one that does not exist, which name only projects of the caller', async () => {
    const message = async (project: string) =>
      (await as('otto', '{ __typename }', project)).errors[0]?.message;
    expect(await message('demo')).toBe('you have no project demo; yours: other');
    expect(await message('nowhere')).toBe('you have no project nowhere; yours: other');
    expect((await as('stan', '{ __typename }', null)).errors).toMatchObject([
      { message: expect.stringContaining('a member of no project'), extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('that is not named is the only one of the caller, however many there are', async () => {
    expect(await only(as('otto', '{ viewer { projectId } }', null))).toEqual({ projectId: 'other' });
    expect((await as('both', '{ __typename }', null)).errors[0]?.message).toContain(
      'name one of demo, other',
    );
  });
});

describe('datasources', () => {
  const list = (user: string, project: string) => only(as(user, '{ datasources { id } }', project));
  const create = (user: string, id: string) =>
    only(
      as(
        user,
        `mutation { createJob(input: { description: "x", instructions: "x", idempotencyKey: "${uuid()}",
          datasourceIds: ["${id}"] }) { __typename ... on UserError { message } } }`,
      ),
    );

  test('are those of the project, and where there are several projects only what names it', async () => {
    expect(await list('edda', 'demo')).toEqual([{ id: 'shared' }, { id: 'of-demo' }]);
    expect(await list('otto', 'other')).toEqual([{ id: 'shared' }, { id: 'of-other' }]);
  });

  test('of the only project are also those that name none', async () => {
    const answer = post(alone.url, '{ datasources { id } }');
    expect(await only(answer)).toEqual([{ id: 'shared' }, { id: 'of-demo' }, { id: 'unbound' }]);
  });

  test('of another project are to a job as if they did not exist', async () => {
    const missing = (id: string) => ({
      __typename: 'NotFoundError',
      message: `this project has no datasource ${id}; the query datasources lists its own`,
    });
    for (const id of ['of-other', 'unbound', 'nothing'])
      expect(await create('edda', id)).toEqual(missing(id));
    expect(await create('edda', 'of-demo')).toEqual({ __typename: 'CreateJobPayload' });
  });
});

describe('experts', () => {
  const save = (user: string, version: number | null = null) =>
    only(
      as(
        user,
        `mutation { saveExpert(input: { expertId: "eves", displayName: "By ${user}", instructions: "x", version: ${version} }) {
          __typename ... on UserError { message } ... on SaveExpertPayload { expert { version author } } } }`,
      ),
    );
  const remove = (user: string) =>
    only(
      as(
        user,
        'mutation { deleteExpert(input: { expertId: "eves" }) { __typename ... on UserError { message } } }',
      ),
    );
  const notTheirs = {
    __typename: 'ForbiddenError',
    message: expect.stringContaining('made by another member'),
  };

  test('are replaced and deleted by who made them, and by admins', async () => {
    expect(await save('eve')).toMatchObject({ expert: { version: 1, author: 'eve' } });
    for (const version of [null, 1, 7]) expect(await save('edda', version)).toEqual(notTheirs);
    expect(await remove('edda')).toEqual(notTheirs);
    expect(await save('adam', 1)).toMatchObject({ expert: { version: 2, author: 'adam' } });
    // An admin's change does not make it the admin's.
    expect(await save('eve', 2)).toMatchObject({ expert: { version: 3, author: 'eve' } });
    expect(await save('edda', 3)).toEqual(notTheirs);
    expect(await remove('adam')).toEqual({ __typename: 'DeleteExpertPayload' });
  });

  test('that are shipped are read again for administrators of the installation only', async () => {
    const reload = 'mutation { reloadExperts { experts { expertId } } }';
    for (const user of ['edda', 'adam', 'olga']) expect(await codes(as(user, reload))).toEqual(['FORBIDDEN']);
    expect(await codes(as('root', reload))).toEqual([]);
  });
});
