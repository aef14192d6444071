import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { applyArtifactCall } from '../../src/domain/artifacts/apply-artifact-call.ts';
import type { ArtifactToolName } from '../../src/domain/artifacts/artifact-calls.ts';
import type { Artifacts } from '../../src/domain/artifacts/artifacts.ts';
import { CATEGORY_RULES } from '../../src/experts/tool-categories.ts';
import { builderClient, type BuilderEvent } from '../support/builder-client.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { forgetMinute } from '../support/forget-minute.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { until } from '@qpilot/test-support';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

/** A response of the model. */
const says = (...parts: readonly Said[]): Reply => ({ body: bodyOf('responses', parts) });
const calls = (name: ArtifactToolName, args: object, id = `c_${name}`): Said => ({
  call: [id, name, JSON.stringify(args)],
});
/** A model with a small window. */
const SMALL_MODEL = 'gpt-3.5-turbo';
const noSettings = { llm: null, tools: null, clear: null };

describe('the instruction builder over HTTP and WebSocket', () => {
  let model: ModelServer;
  let app: TestApp;
  let client: ReturnType<typeof builderClient>;
  /** What the model answers next, in order. */
  let replies: Reply[] = [];
  beforeEach(async () => {
    replies = [];
    await forgetMinute(app.environment['DATABASE_URL']!);
  });

  beforeAll(async () => {
    model = await startModelServer(() => replies.shift() ?? says({ text: 'Done.' }));
    app = await createTestApp({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', BUILDER_MODEL: SMALL_MODEL },
    });
    client = builderClient(app.url);
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });

  const artifactEvents = (events: readonly BuilderEvent[]) =>
    events.filter(({ __typename }) => __typename === 'ArtifactEvent');
  /** Sends a message and waits for the end of its turn. */
  const tell = async (content: string, answers: readonly Reply[], more: object = {}) => {
    replies.push(...answers);
    const sent = await client.send(content, more);
    if (sent.__typename !== 'SendBuilderMessagePayload') throw new Error(JSON.stringify(sent));
    const events = await client.turn(sent);
    const session = (await client.session(sent.session.id))!;
    return { sent, events, session };
  };
  /** Instructions of the newest model request. */
  /** The instructions, and what the server says with the newest message. */
  const prompt = () => {
    const { instructions, input } = model.requests.at(-1)! as {
      instructions: string;
      input: { role?: string; content?: string }[];
    };
    return `${instructions}\n${input.findLast(({ role }) => role === 'user')?.content}`;
  };

  test('the model thinks as hard about a message as it asks for, where it can', async () => {
    const effortOf = () => (model.requests.at(-1)!['reasoning'] as { effort?: string } | undefined)?.effort;
    const { sent } = await tell('Think hard', [], { model: 'o4-mini', effort: 'HIGH' });
    expect(effortOf()).toBe('high');
    const sessionId = sent.session.id;
    await tell('As you like', [], { sessionId, model: 'o4-mini' });
    expect(effortOf()).toBeUndefined();
    await tell('Think hard', [], { sessionId, effort: 'HIGH' });
    expect(model.requests.at(-1)).toMatchObject({ model: SMALL_MODEL });
    expect(model.requests.at(-1)).not.toHaveProperty('reasoning');
  });

  test('every artifact tool changes the stored artifacts in call order, each as one revision', async () => {
    const artifacts = { instructions: '# Drift\nCheck T1.', config: null, description: null };
    const { events, session, sent } = await tell(
      'Set this up',
      [
        says(
          { text: 'Working on it. ' },
          calls('edit_instructions', { old_text: 'T1', new_text: 'T1 and T2 ($$)' }),
          calls('insert_instructions', { content: '## Task\nWeekly.', line: null }),
          calls('update_config', {
            ...noSettings,
            llm: { model: null, temperature: 0.2, reasoning_level: null },
            tools: [{ category: 'research', tools: [] }],
          }),
          calls('update_description', { content: 'Drift of T1 and T2' }),
        ),
        says({ text: 'All set.' }),
      ],
      { artifacts },
    );
    expect(session).toMatchObject({
      title: 'Set this up',
      status: 'OPEN',
      revision: 5,
      artifacts: {
        instructions: '# Drift\nCheck T1 and T2 ($$).\n## Task\nWeekly.',
        config: { llm: { temperature: 0.2 }, tools: { research: [] } },
        description: 'Drift of T1 and T2',
      },
    });
    expect(session.revisions.nodes.map(({ revision, author }) => `${revision} ${author}`)).toEqual([
      '5 AI',
      '4 AI',
      '3 AI',
      '2 AI',
      '1 USER',
    ]);
    expect(session.messages.nodes.map(({ text }) => text)).toEqual([
      'Working on it. \n\nAll set.',
      'Set this up',
    ]);
    expect(
      artifactEvents(events).map(({ outcome, revisionBefore, revisionAfter }) => [
        outcome,
        revisionBefore,
        revisionAfter,
      ]),
    ).toEqual([1, 2, 3, 4].map((before) => ['APPLIED', before, before + 1]));
    for (const { callId } of artifactEvents(events)) {
      const of = events.filter((event) => event.callId === callId).map(({ __typename }) => __typename);
      expect(of).toEqual(['ToolCallStartedEvent', 'ArtifactEvent', 'ToolCallFinishedEvent']);
    }
    expect(events.filter(({ __typename }) => __typename === 'TurnFinishedEvent')).toHaveLength(1);

    // The recorded calls lead from the base of the turn to the artifacts that stand.
    const { turnCalls } = (await client.ask(
      'query ($id: ID!) { turnCalls: node(id: $id) { ... on Turn { toolCalls { tool arguments } } } }',
      { id: sent.turn.id },
    )) as { turnCalls: { toolCalls: { tool: ArtifactToolName; arguments: unknown }[] } };
    const replayed = turnCalls.toolCalls.reduce<Artifacts>(
      (before, call) =>
        applyArtifactCall(before, call.tool, call.arguments, { categories: CATEGORY_RULES, strict: false })
          .artifacts,
      artifacts,
    );
    expect(replayed).toEqual(session.artifacts);
  });

  test('the model hears the true outcome of every call, and a failed one blocks no later one', async () => {
    const { events, session } = await tell(
      'Try these',
      [
        says(
          calls('edit_instructions', { old_text: 'T9', new_text: 'T1' }, 'no_match'),
          calls('insert_instructions', { content: 'x', line: 0 }, 'bad_line'),
          { call: ['broken', 'update_description', '{"content": '] },
          calls('update_config', { ...noSettings, tools: [{ category: 'core', tools: [] }] }, 'locked'),
          calls('edit_instructions', { old_text: 'a', new_text: 'b' }, 'first'),
          calls('insert_instructions', { content: 'end', line: 99 }, 'clamped'),
          calls('update_description', { content: 'Same' }, 'same'),
        ),
      ],
      { artifacts: { instructions: 'a a', description: 'Same' } },
    );
    expect(
      Object.fromEntries(
        artifactEvents(events).map(({ callId, outcome }) => [callId?.split('@')[0], outcome]),
      ),
    ).toEqual({
      no_match: 'NO_MATCH',
      bad_line: 'INVALID_ARGS',
      broken: 'INVALID_ARGS',
      locked: 'LOCKED',
      first: 'APPLIED_FIRST',
      clamped: 'APPLIED_CLAMPED',
      same: 'NO_CHANGE',
    });
    expect(session).toMatchObject({ revision: 3, artifacts: { instructions: 'b a\nend' } });
    const sent = model.requests.at(-1)!['input'] as { type: string; call_id: string; output: string }[];
    const outputs = sent.filter(({ type }) => type === 'function_call_output');
    const heard = new Map(outputs.map(({ call_id, output }) => [call_id, output]));
    expect(outputs).toHaveLength(7);
    expect(heard.get('no_match')).toContain('NO_MATCH');
    expect(heard.get('broken')).toContain('not valid JSON');
  });

  test('in strict mode an edit of a text that stands more than once is refused', async () => {
    const edit = () => says(calls('edit_instructions', { old_text: 'a', new_text: 'b' }));
    const { events, session } = await tell('Strictly', [edit()], {
      artifacts: { instructions: 'a a' },
      strict: true,
    });
    expect(artifactEvents(events)).toMatchObject([
      { outcome: 'AMBIGUOUS', revisionBefore: 1, revisionAfter: 1 },
    ]);
    const { events: again } = await tell('Less strictly', [edit()], { sessionId: session.id, strict: false });
    expect(artifactEvents(again)).toMatchObject([{ outcome: 'APPLIED_FIRST' }]);
  });

  test('the prompt holds the artifacts as they are now, what the user changed, and stubs of earlier calls', async () => {
    const long = `Secret passage ${'x'.repeat(500)}`;
    const first = await tell('Write it', [
      says(calls('update_instructions', { content: `${long}\nline two` })),
      says({ text: 'Written.' }),
    ]);
    const { sessionId } = { sessionId: first.session.id };
    await tell('Go on', [says({ text: 'Yes.' })], {
      sessionId,
      baseRevision: 1,
      artifacts: { instructions: 'line one\nline two', config: { llm: { temperature: 1 } } },
    });
    expect(prompt()).toContain('line one\nline two');
    expect(prompt()).toContain(
      'the user changed the instructions (line 1), the settings (llm.temperature) by hand',
    );
    const conversation = JSON.stringify(model.requests.at(-1)!['input']);
    expect(conversation).toContain('update_instructions: APPLIED');
    expect(conversation).not.toContain('Secret passage');
  });

  test('reviewed changes wait as proposals, and are taken or dropped part by part', async () => {
    const { events, session } = await tell(
      'Propose something',
      [
        says(
          calls('update_instructions', { content: 'A\nb\nc\nD' }),
          calls('update_description', { content: 'Proposed' }),
        ),
      ],
      { artifacts: { instructions: 'a\nb\nc\nd', description: 'Old' }, review: true },
    );
    expect(artifactEvents(events)).toMatchObject([
      { outcome: 'APPLIED', isProposal: true, revisionBefore: 1, revisionAfter: 1 },
      { outcome: 'APPLIED', isProposal: true },
    ]);
    expect(session).toMatchObject({
      revision: 1,
      artifacts: { instructions: 'a\nb\nc\nd', description: 'Old' },
    });
    const [first, second] = session.proposal!.diff.instructions;
    const description = session.proposal!.diff.description!;
    const sessionId = session.id;

    expect(
      await client.update({ sessionId, baseRevision: 1, artifacts: { description: 'Mine' } }),
    ).toMatchObject({
      __typename: 'InvalidInputError',
      message: expect.stringContaining('accept or reject'),
    });
    const some = await client.resolve({ sessionId, accept: [first!.id], reject: [description.id] });
    expect(some.session).toMatchObject({
      revision: 2,
      artifacts: { instructions: 'A\nb\nc\nd', description: 'Old' },
      proposal: { diff: { instructions: [{}], description: null } },
    });
    expect(await client.resolve({ sessionId, accept: ['nonsense'], reject: [] })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    const rest = await client.resolve({
      sessionId,
      accept: [some.session.proposal!.diff.instructions[0]!.id],
      reject: [],
    });
    expect(rest.session).toMatchObject({
      revision: 3,
      artifacts: { instructions: 'A\nb\nc\nD' },
      proposal: null,
    });
    expect(second).toBeDefined();
  });

  test('going back is a revision itself; a turn can be undone as a whole; two states can be compared', async () => {
    const { session, sent } = await tell(
      'Change twice',
      [
        says(
          calls('edit_instructions', { old_text: 'one', new_text: 'two' }),
          calls('update_description', { content: 'Two' }),
        ),
      ],
      { artifacts: { instructions: 'one', description: 'One' } },
    );
    const sessionId = session.id;
    const undone = await client.revert({ sessionId, turnId: sent.turn.id });
    expect(undone.session).toMatchObject({
      revision: 4,
      artifacts: { instructions: 'one', description: 'One' },
    });
    expect(undone.session.revisions.nodes[0]).toMatchObject({ author: 'REVERT' });
    const back = await client.revert({ sessionId, revision: 3, baseRevision: 4 });
    expect(back.session).toMatchObject({
      revision: 5,
      artifacts: { instructions: 'two', description: 'Two' },
    });
    expect(await client.revert({ sessionId, revision: 99 })).toMatchObject({ __typename: 'NotFoundError' });
    expect(await client.revert({ sessionId, revision: 1, turnId: sent.turn.id })).toMatchObject({
      __typename: 'InvalidInputError',
    });
    const { it } = (await client.ask(
      'query ($id: ID!) { it: builderSession(id: $id) { artifactDiff(from: 1, to: 5) { instructions { fromLine words { kind text } } description { before after } } } }',
      { id: sessionId },
    )) as { it: { artifactDiff: object } };
    expect(it.artifactDiff).toEqual({
      instructions: [
        {
          fromLine: 1,
          words: [
            { kind: 'REMOVED', text: 'one' },
            { kind: 'ADDED', text: 'two' },
          ],
        },
      ],
      description: { before: 'One', after: 'Two' },
    });
  });

  test('a session begins with its first message or is asked for once, and a failed message leaves none', async () => {
    const clientRequestId = crypto.randomUUID();
    const [one, two] = await Promise.all([
      client.create({ expertId: 'researcher', clientRequestId }),
      client.create({ expertId: 'researcher', clientRequestId }),
    ]);
    expect(one).toMatchObject({
      __typename: 'CreateBuilderSessionPayload',
      session: { status: 'OPEN', lastSeq: 0, revision: 0 },
    });
    expect(two.session.id).toBe(one.session.id);
    expect(await client.create({ expertId: 'nobody', clientRequestId: 'n' })).toMatchObject({
      __typename: 'NotFoundError',
    });
    for (const [more, type] of [
      [{ content: ' ' }, 'InvalidInputError'],
      [{ artifacts: { config: [1] } }, 'InvalidInputError'],
      [{ artifacts: { description: 'two\nlines' } }, 'InvalidInputError'],
      [{ expertId: 'nobody' }, 'NotFoundError'],
    ] as const) {
      expect(await client.send('Hello', more)).toMatchObject({ __typename: type });
    }
    const named = await tell('Name me', [], { sessionId: one.session.id });
    expect(named.session.title).toBe('Name me');
  });

  test('artifacts that alone are too large for the model end the turn with their sizes, none of them cut', async () => {
    const asked = model.requests.length;
    const instructions = 'Read this line, too.\n'.repeat(5_000);
    const { events, session } = await tell('Shorten it', [], { artifacts: { instructions } });
    expect(events.at(-1)).toMatchObject({
      turnStatus: 'FAILED',
      error: {
        code: 'CONTEXT_TOO_LARGE',
        message: expect.stringMatching(/window .+ has 16385.+instructions have 105,000 characters/u),
      },
    });
    expect(session.artifacts.instructions).toBe(instructions);
    expect(model.requests).toHaveLength(asked);
  });

  test('a long conversation is summarised once, up to a mark, and its artifacts never are', async () => {
    const passage = `Passage ${'of the instructions '.repeat(40)}`;
    const first = await tell('First of all', [
      says(calls('update_instructions', { content: passage })),
      says({ text: 'Written.' }),
    ]);
    const { id: sessionId } = first.session;
    const summaries = () => model.requests.filter(({ tools }) => !Array.isArray(tools) || tools.length === 0);
    const before = summaries().length;
    const talk = 'More about drift, please. '.repeat(300);
    while (summaries().length === before) {
      const { events } = await tell(talk, [], { sessionId });
      expect(events.at(-1)).toMatchObject({ turnStatus: 'COMPLETED' });
    }
    const conversation = () => JSON.stringify(model.requests.at(-1)!['input']);
    const summarised = JSON.stringify(summaries().slice(before));
    expect(summarised).toContain('First of all');
    expect(summarised).not.toContain(passage);
    const made = summaries().length;
    expect(conversation()).not.toContain('First of all');
    expect(prompt()).toContain(passage);
    await tell('One more', [], { sessionId });
    expect(summaries()).toHaveLength(made);
    expect(conversation()).toContain('One more');
    expect(conversation()).not.toContain('First of all');
    const { it } = (await client.ask('query ($id: ID!) { it: builderSession(id: $id) { summary } }', {
      id: sessionId,
    })) as { it: { summary: string } };
    expect(it.summary).toBe('Done.');
  });

  test('a model that only called its tools has not failed', async () => {
    const { events, session } = await tell('Quietly', [
      says(calls('update_description', { content: 'Quiet' })),
      says(),
      says(),
    ]);
    expect(events.at(-1)).toMatchObject({ turnStatus: 'COMPLETED', error: null });
    expect(session.artifacts.description).toBe('Quiet');
  });

  test('sessions are listed by their newest message, those without one are not', async () => {
    const first = await tell('The first of the list', []);
    const second = await tell('The second of the list', []);
    await client.create({ clientRequestId: 'without a message' });
    await tell('Again', [], { sessionId: first.session.id });
    const list =
      'query ($after: String) { builderSessions(first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }';
    const page = async (after: string | null) =>
      (await client.ask(list, { after }))['builderSessions'] as {
        readonly nodes: readonly { readonly id: string }[];
        readonly pageInfo: { readonly endCursor: string };
      };
    const newest = await page(null);
    expect(newest.nodes).toEqual([{ id: first.session.id }]);
    expect((await page(newest.pageInfo.endCursor)).nodes).toEqual([{ id: second.session.id }]);
  });

  test('nobody else sees a session', async () => {
    const { session } = await tell('Mine', []);
    const other = builderClient(app.url, { 'x-project-id': 'other' });
    await expect(other.session(session.id)).rejects.toThrow(); // there is no project other
    expect(await client.session(Buffer.from('BuilderSession:unknown').toString('base64url'))).toBeNull();
    await until(async () => (await client.session(session.id))?.activeTurn === null);
  });
});
