/** Experts over GraphQL: what is listed, what is saved, who sees it, and what two at once lead to. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';

const DETAIL = `expertId displayName description icon color tags isBuiltIn loadError version author
  instructions instructionsSource warnings configSources { path layer }
  config { json llm { model temperature reasoningLevel }
    tools { name title locked tools unavailableReason allTools { name label enabled unavailableReason } } }`;
const SAVE = `mutation ($input: SaveExpertInput!) { saveExpert(input: $input) { __typename
  ... on SaveExpertPayload { expert { id ${DETAIL} } }
  ... on InvalidInputError { issues { path message } } ... on UserError { code message } } }`;
const DELETE = `mutation ($input: DeleteExpertInput!) { deleteExpert(input: $input) { __typename
  ... on DeleteExpertPayload { expertId }
  ... on InvalidInputError { issues { path message } } ... on UserError { code message } } }`;

type Expert = {
  readonly id: string;
  readonly expertId: string;
  readonly version: number | null;
  readonly config: {
    readonly json: unknown;
    readonly llm: unknown;
    readonly tools: readonly {
      readonly name: string;
      readonly tools: readonly string[];
      readonly unavailableReason: string | null;
      readonly allTools: readonly object[];
    }[];
  };
  readonly configSources: readonly { readonly path: string; readonly layer: string }[];
};
type Outcome = {
  readonly __typename: string;
  readonly message?: string;
  readonly expert?: Expert;
  readonly issues?: readonly { readonly path: readonly string[]; readonly message: string }[];
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ projects: ['other', 'full'], env: { TAVILY_API_KEY: 'tvly-planted-key' } });
});
afterAll(() => app.stop());

async function ask<Data>(query: string, variables: object = {}, project = 'demo'): Promise<Data> {
  const { data, errors } = await post(app.url, query, { variables, headers: { 'x-project-id': project } });
  expect(errors).toEqual([]);
  return data as Data;
}

const save = async (input: object, project?: string): Promise<Outcome> =>
  (await ask<{ saveExpert: Outcome }>(SAVE, { input }, project)).saveExpert;
const remove = async (input: object, project?: string): Promise<Outcome> =>
  (await ask<{ deleteExpert: Outcome }>(DELETE, { input }, project)).deleteExpert;
const idsOf = async (filter: object, project?: string): Promise<string[]> => {
  const query = 'query ($search: String, $tag: String) { experts(search: $search, tag: $tag) { expertId } }';
  return (await ask<{ experts: Expert[] }>(query, filter, project)).experts.map(({ expertId }) => expertId);
};
const draft = (expertId: string, more: object = {}) => ({
  expertId,
  displayName: 'Readout watch',
  instructions: '# Readout\r\n\n## Task\n',
  ...more,
});

describe('the shipped experts', () => {
  test('are listed by name and found by words and tags', async () => {
    expect(await idsOf({})).toEqual(['calibrator', 'coder', 'defaults', 'researcher', 'writer']);
    expect(await idsOf({ search: 'ROOT cause' })).toEqual(['researcher']);
    expect(await idsOf({ tag: 'Report' })).toEqual(['writer']);
    expect(await idsOf({ search: 'nothing of the kind' })).toEqual([]);
  });

  test('tell what they are told, what they may use, and where each setting is from', async () => {
    const { expert, unknown, path } = await ask<{ expert: Expert; unknown: unknown; path: unknown }>(
      `{ expert(expertId: "researcher") { id ${DETAIL} }
         unknown: expert(expertId: "nobody") { id } path: expert(expertId: "../researcher") { id } }`,
    );
    expect([unknown, path]).toEqual([null, null]);
    expect(await ask('query ($id: String!) { expert(expertId: $id) { id } }', { id: 'a\0b' })).toEqual({
      expert: null,
    });
    expect(expert).toMatchObject({ isBuiltIn: true, loadError: null, version: null, warnings: [] });
    expect(expert.config.llm).toEqual({ model: 'offline-analyst', temperature: 0, reasoningLevel: 'HIGH' });
    expect(expert.config.json).toMatchObject({ llm: { temperature: 0, reasoning_level: 'high' } });
    const category = (name: string) => expert.config.tools.find((each) => each.name === name);
    expect(category('core')).toMatchObject({ locked: true, unavailableReason: null });
    expect(category('sandbox')).toMatchObject({ tools: ['run_python', 'make_chart'] });
    expect(category('sandbox')?.allTools).toContainEqual({
      name: 'query_dataset',
      label: 'Ask an uploaded table',
      enabled: false,
      unavailableReason: null,
    });
    expect(category('research')?.unavailableReason).toBeNull();
    expect(category('mongodb')?.unavailableReason).toBe('needs an attached datasource of type mongodb');
    expect(category('coding')).toMatchObject({ tools: [], unavailableReason: 'has no tools in QPilot' });
    expect(category('calibration')?.allTools).toContainEqual(
      expect.objectContaining({
        name: 'verify_against_live',
        unavailableReason: 'needs LIVE_SOURCE_URL on the server',
      }),
    );
    expect(expert.configSources).toEqual(
      expect.arrayContaining([
        { path: 'tools.sandbox', layer: 'researcher' },
        { path: 'tools.calibration', layer: 'defaults' },
        { path: 'tools.core', layer: 'built-in' },
      ]),
    );
    const { node } = await ask<{ node: unknown }>(
      'query ($id: ID!) { node(id: $id) { ... on Expert { expertId } } }',
      { id: expert.id },
    );
    expect(node).toEqual({ expertId: 'researcher' });
  });

  test('can be neither replaced nor deleted', async () => {
    const [saved, replaced, removed] = await Promise.all([
      save(draft('writer')),
      save(draft('writer', { version: 1 })),
      remove({ expertId: 'writer' }),
    ]);
    expect(saved.issues).toEqual([
      {
        path: ['input', 'expertId'],
        message: 'writer is shipped with QPilot and cannot be changed; save yours under another id',
      },
    ]);
    expect(replaced.__typename).toBe('NotFoundError');
    expect(removed.issues?.[0]?.message).toBe('writer is shipped with QPilot and cannot be deleted');
    const { reloadExperts } = await ask<{ reloadExperts: { experts: Expert[] } }>(
      'mutation { reloadExperts { experts { expertId } } }',
    );
    expect(reloadExperts.experts).toContainEqual({ expertId: 'writer' });
  });
});

describe('saved experts', () => {
  test('lie over the defaults, count their versions, and are gone once deleted', async () => {
    const config = {
      llm: { temperature: 0.7 },
      tools: { git: [], notes: ['get_calibration_notes', 'sing'] },
    };
    const first = await save(
      draft('readout-watch', { config, tags: ['readout', 'readout'], color: '#AABBCC' }),
    );
    expect(first.expert).toMatchObject({
      displayName: 'Readout watch',
      isBuiltIn: false,
      version: 1,
      author: 'local',
      tags: ['readout'],
      color: '#aabbcc',
      instructions: '# Readout\n\n## Task\n',
      instructionsSource: 'EXPERT',
      warnings: ['tools.notes: sing cannot be used here.'],
    });
    expect(first.expert?.config.llm).toMatchObject({ temperature: 0.7, reasoningLevel: 'HIGH' });
    expect(first.expert?.configSources).toEqual(
      expect.arrayContaining([
        { path: 'llm.temperature', layer: 'readout-watch' },
        { path: 'tools.calibration', layer: 'defaults' },
      ]),
    );
    expect(await idsOf({ tag: 'readout' })).toEqual(['readout-watch']);

    const second = await save(draft('readout-watch', { version: 1, displayName: 'Readout II' }));
    expect(second.expert).toMatchObject({ displayName: 'Readout II', version: 2, tags: [] });
    const stale = await save(draft('readout-watch', { version: 1 }));
    expect(stale).toMatchObject({
      __typename: 'ConflictError',
      message: 'readout-watch is at version 2, not 1; read it again and save your changes over that',
    });
    expect((await remove({ expertId: 'readout-watch', version: 1 })).__typename).toBe('ConflictError');
    expect(await remove({ expertId: 'readout-watch', version: 2 })).toEqual({
      __typename: 'DeleteExpertPayload',
      expertId: 'readout-watch',
    });
    for (const expertId of ['readout-watch', 'a\0b']) {
      expect((await remove({ expertId })).__typename).toBe('NotFoundError');
    }
    expect((await save(draft('readout-watch', { version: 2 }))).__typename).toBe('NotFoundError');
  });

  test('of two saves at once one wins, and the other is told', async () => {
    const created = await Promise.all([save(draft('race')), save(draft('race'))]);
    expect(created.map(({ __typename }) => __typename).toSorted()).toEqual([
      'ConflictError',
      'SaveExpertPayload',
    ]);
    const names = ['Left', 'Right'];
    const replaced = await Promise.all(
      names.map((displayName) => save(draft('race', { displayName, version: 1 }))),
    );
    const won = replaced.findIndex(({ __typename }) => __typename === 'SaveExpertPayload');
    expect(replaced[1 - won]?.__typename).toBe('ConflictError');
    const { expert } = await ask<{ expert: unknown }>('{ expert(expertId: "race") { displayName version } }');
    expect(expert).toEqual({ displayName: names[won], version: 2 });
    await remove({ expertId: 'race' });
  });

  test('are 200 of a project at most, however many come at once', async () => {
    const postgres = new Client({ connectionString: app.environment['DATABASE_URL'] });
    await postgres.connect();
    try {
      await postgres.query(`insert into saved_experts (project_id, expert_id, display_name, tags, instructions, config,
        version, author_id, created_by) select 'full', 'e' || i, 'E', '[]', 'x', '{}', 1, 'ada', 'ada' from generate_series(1, 198) as i`);
    } finally {
      await postgres.end();
    }
    const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => save(draft(id), 'full')));
    const refused = outcomes.flatMap(({ issues }) => issues ?? []);
    expect(refused.map(({ message }) => message)).toEqual(
      Array(4).fill('this project has 200 saved experts, which is the limit; delete one first'),
    );
  });

  test('belong to their project alone', async () => {
    const { expert } = await save(draft('ours'));
    const read = 'query ($id: ID!) { expert(expertId: "ours") { expertId } node(id: $id) { id } }';
    expect(await ask(read, { id: expert?.id }, 'other')).toEqual({ expert: null, node: null });
    expect(await idsOf({}, 'other')).not.toContain('ours');
    expect((await save(draft('ours', { version: 1 }), 'other')).__typename).toBe('NotFoundError');
    expect((await remove({ expertId: 'ours' }, 'other')).__typename).toBe('NotFoundError');
    const theirs = await save(draft('ours', { displayName: 'Theirs' }), 'other');
    expect(theirs.expert).toMatchObject({ displayName: 'Theirs', version: 1 });
    expect(await ask('{ expert(expertId: "ours") { displayName } }')).toEqual({
      expert: { displayName: 'Readout watch' },
    });
    await remove({ expertId: 'ours' });
    expect(await idsOf({}, 'other')).toContain('ours');
  });

  test.each<[string, object, string, RegExp]>([
    ['an id with a slash', draft('../x'), 'input.expertId', /lowercase letters/u],
    ['an id in capitals', draft('Mine'), 'input.expertId', /lowercase letters/u],
    ['a long id', draft('a'.repeat(65)), 'input.expertId', /1 to 64/u],
    ['a blank name', draft('x', { displayName: ' \n ' }), 'input.displayName', /blank/u],
    ['blank instructions', draft('x', { instructions: '  \n' }), 'input.instructions', /blank/u],
    ['too many bytes', draft('x', { instructions: 'あ'.repeat(66_667) }), 'input.instructions', /200,000/u],
    ['a colour in words', draft('x', { color: 'red' }), 'input.color', /#4c6ef5/u],
    [
      'a wrong setting',
      draft('x', { config: { llm: { temperature: 3 } } }),
      'input.config.llm.temperature',
      /0 to 2/u,
    ],
    [
      'a locked category',
      draft('x', { config: { tools: { core: [] } } }),
      'input.config.tools.core',
      /every job/u,
    ],
    ['version 0', draft('x', { version: 0 }), 'input.version', /version/u],
  ])('with %s are refused, with the path', async (_what, input, path, message) => {
    const { issues } = await save(input);
    expect(issues?.map((issue) => issue.path.join('.'))).toEqual([path]);
    expect(issues?.[0]?.message).toMatch(message);
    expect(await idsOf({})).not.toContain('x');
  });
});

test('a setting that would reach into a prototype is refused, as a variable and written out', async () => {
  const config: unknown = JSON.parse('{"llm": {"__proto__": {"temperature": 1}}}');
  expect((await save(draft('proto', { config }))).issues?.[0]?.path).toEqual([
    'input',
    'config',
    'llm',
    '__proto__',
  ]);
  const literal = `mutation { saveExpert(input: { expertId: "proto", displayName: "P", instructions: "x",
    config: { constructor: { prototype: 1 } } }) { __typename } }`;
  expect(await ask(literal)).toEqual({ saveExpert: { __typename: 'InvalidInputError' } });
});

test('presets and models say what this server lacks for them, and no key is ever told', async () => {
  const answer = await ask<{
    configPresets: readonly { presetId: string; override: unknown; unavailableReason: string | null }[];
    modelCatalog: readonly { provider: string; models: readonly { name: string; available: boolean }[] }[];
  }>(`{ configPresets { presetId title description override unavailableReason }
        modelCatalog { provider title models { name available } } experts { ${DETAIL} } }`);
  const preset = (id: string) => answer.configPresets.find(({ presetId }) => presetId === id);
  expect(preset('fast')?.unavailableReason).toBe('the model gpt-4o-mini has no provider here');
  expect(preset('thorough')).toMatchObject({
    override: { llm: { temperature: 0, reasoning_level: 'high' } },
    unavailableReason: null,
  });
  expect(preset('offline')?.unavailableReason).toBeNull();
  expect(answer.modelCatalog.map(({ provider }) => provider)).toEqual(['openai', 'anthropic', 'offline']);
  expect(answer.modelCatalog.at(-1)?.models).toEqual([{ name: 'offline-analyst', available: true }]);
  expect(answer.modelCatalog[0]?.models).toContainEqual({ name: 'gpt-4.1', available: false });
  expect(JSON.stringify(answer)).not.toContain('planted');
});
