/** What the page makes of the events of a real builder session, and whether it is what the server stored. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { textOf } from '@qpilot/client/view';
import fc from 'fast-check';
import { afterEdit, applyBuilderEvent } from '../../../client/features/builder/model/apply-builder-event.ts';
import {
  artifactsFrom,
  beginNewView,
  beginView,
  isBehind,
  isCatchingUp,
  withStored,
  writingTurn,
  type ArtifactEvent,
  type BuilderEvent,
  type BuilderView,
} from '../../../client/features/builder/model/builder-view.ts';
import type { BuilderStateFragment } from '../../../client/gql/graphql.ts';
import { clientDocument } from '../../support/client-documents.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { post } from '../../support/graphql-client.ts';
import { startModelServer, type ModelServer, type Reply } from '../../support/model-server.ts';
import { subscribe } from '../../support/websocket-client.ts';
import { bodyOf, type Said } from '../../support/wire-bodies.ts';

const FOLDERS = ['features/builder/documents', 'features/copilot/documents'];
const NOTHING = { instructions: null, config: null, description: null };
const noSettings = { llm: null, tools: null, clear: null };
const says = (...parts: readonly Said[]): Reply => ({ body: bodyOf('responses', parts) });
let calls = 0;
const call = (name: string, args: object): Said => ({
  call: [`c_${(calls += 1)}`, name, JSON.stringify(args)],
});

/** Longer than an event shows of arguments. */
const LONG = 'All of it. '.repeat(600);

/** One turn each: what the model answers. */
const TURNS: readonly (readonly Reply[])[] = [
  [
    says(
      { text: 'Working. ' },
      call('update_instructions', { content: '# Drift\nCheck T1.\nCheck T1.' }),
      call('edit_instructions', { old_text: 'T1', new_text: 'T2 ($$)' }),
      call('edit_instructions', { old_text: 'nowhere', new_text: 'x' }),
    ),
    says(
      { text: 'And more. ' },
      call('insert_instructions', { content: '## Task', line: 99 }),
      call('update_config', {
        ...noSettings,
        llm: { model: null, temperature: 0.2, reasoning_level: 'low' },
        tools: [{ category: 'research', tools: [] }],
      }),
      call('update_description', { content: 'Drift of T1' }),
      call('insert_instructions', { content: 'x', line: -1 }),
    ),
    says({ text: 'Done.' }),
  ],
  [says(call('update_instructions', { content: LONG })), says({ text: 'Long.' })],
  [says(call('update_config', { ...noSettings, clear: ['llm.temperature'] })), says({ text: 'Cleared.' })],
];

let model: ModelServer;
let app: TestApp;
let events: readonly BuilderEvent[] = [];
/** The session as it was stored after each turn, and before the first. */
const stored: BuilderStateFragment[] = [];
const documents: Record<string, string> = {};

async function run(name: string, variables: object): Promise<Record<string, unknown>> {
  const { data, errors } = await post(app.url, documents[name] ?? '', { variables });
  expect(errors).toEqual([]);
  return data ?? {};
}

async function readLog(sessionId: string, turns: number): Promise<readonly BuilderEvent[]> {
  const log: BuilderEvent[] = [];
  for await (const { data } of subscribe(app.url, documents['BuilderEvents'] ?? '', {
    sessionId,
    afterSeq: 0,
  })) {
    const event = data?.['builderEvents'] as BuilderEvent;
    log.push(event);
    if (log.filter(({ __typename }) => __typename === 'TurnFinishedEvent').length === turns) break;
  }
  return log;
}

beforeAll(async () => {
  const replies: Reply[] = [];
  model = await startModelServer(() => replies.shift() ?? says({ text: 'Nothing more.' }));
  app = await createTestApp({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', BUILDER_MODEL: 'any-model' },
  });
  for (const name of ['BuilderSend', 'BuilderSession', 'BuilderEvents']) {
    documents[name] = await clientDocument(FOLDERS, name);
  }
  let sessionId: string | null = null;
  stored.push({ artifacts: NOTHING, revision: 0 } as never);
  for (const [index, turn] of TURNS.entries()) {
    replies.push(...turn);
    const artifacts = index === 2 ? { description: 'By hand' } : {};
    const input = { sessionId, content: `Turn ${index}`, clientMessageId: randomUUID(), artifacts };
    const sent = (await run('BuilderSend', { input }))['sendBuilderMessage'] as {
      readonly session: { readonly id: string };
    };
    sessionId = sent.session.id;
    events = await readLog(sessionId, index + 1);
    stored.push((await run('BuilderSession', { id: sessionId }))['builderSession'] as BuilderStateFragment);
  }
});
afterAll(async () => {
  await app.stop();
  await model.close();
});

/** As a page does: whatever the events cannot tell is read from the server. */
function follow(
  from: BuilderView,
  log: readonly BuilderEvent[],
  read: () => BuilderStateFragment,
): BuilderView {
  return log.reduce((view, event) => {
    const next = applyBuilderEvent(view, event);
    return isBehind(next) ? withStored(next, read()) : next;
  }, from);
}

const newest = () => stored.at(-1)!;
const of = (session: BuilderStateFragment) => [artifactsFrom(session.artifacts), session.revision];

describe('the view of a builder session', () => {
  test('has what the server stored, with every call and what became of it', () => {
    const view = follow(beginView(stored[0]!), events, newest);
    expect([view.state.artifacts, view.state.revision]).toEqual(of(newest()));
    const [first] = view.conversation.branch;
    expect(view.edits[first ?? '']?.map(({ artifact, outcome }) => `${artifact} ${outcome}`)).toEqual([
      'INSTRUCTIONS APPLIED',
      'INSTRUCTIONS APPLIED_FIRST',
      'INSTRUCTIONS NO_MATCH',
      'INSTRUCTIONS APPLIED_CLAMPED',
      'CONFIG APPLIED',
      'DESCRIPTION APPLIED',
      'INSTRUCTIONS INVALID_ARGS',
    ]);
    const text = textOf(view.conversation.turns[first ?? '']?.parts ?? []);
    const saidBefore = view.edits[first ?? '']?.map(({ offset }) => text.slice(0, offset).trim()) ?? [];
    expect(saidBefore.slice(0, 3)).toEqual(['Working.', 'Working.', 'Working.']);
    expect(new Set(saidBefore.slice(3))).toEqual(new Set([text.slice(0, text.indexOf('Done.')).trim()]));
    expect(writingTurn(view)).toBeNull();
  });

  test('follows short edits without asking, and asks where an event cannot tell', () => {
    const end = events.findIndex(({ __typename }) => __typename === 'TurnFinishedEvent');
    const never = (): never => {
      throw new Error('asked');
    };
    const view = follow(beginView(stored[0]!), events.slice(0, end + 1), never);
    expect([view.state.artifacts, view.state.revision]).toEqual(of(stored[1]!));
    const long = events.find((event) => event.__typename === 'ArtifactEvent' && event.seq > events[end]!.seq);
    const state = afterEdit(view.state, long as ArtifactEvent);
    expect(isBehind({ ...view, state })).toBe(true);
    expect(isBehind(withStored({ ...view, state }, newest()))).toBe(false);
  });

  test('is the same for any split of the stream: read at any turn, events again, late, or twice', () => {
    const whole = follow(beginView(stored[0]!), events, newest);
    fc.assert(
      fc.property(
        fc.nat(stored.length - 1),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
        (read, pieces) => {
          let view = beginView(stored[read]!);
          for (const [from, to] of pieces) {
            const [start, end] = [from % events.length, to % (events.length + 1)];
            view = follow(view, events.slice(Math.min(start, end), end), newest);
          }
          expect({ ...follow(view, events, newest), opened: whole.opened }).toEqual(whole);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('says who writes, so that nobody else does', () => {
    const started = events.slice(0, 1);
    expect(writingTurn(follow(beginView(stored[0]!), started, newest))).not.toBeNull();
  });

  test('keeps nobody from writing while the events of earlier turns come in', () => {
    const first = follow(beginView(newest()), events.slice(0, 1), newest);
    expect([isCatchingUp(first), writingTurn(first)]).toEqual([true, null]);
    const activeTurn = { __typename: 'Turn', id: events[0]!.turnId } as const;
    const running = { ...newest(), activeTurn };
    expect(writingTurn(follow(beginView(running), events.slice(0, 1), newest))?.id).toBe(events[0]!.turnId);
    expect(isCatchingUp(follow(beginView(newest()), events, newest))).toBe(false);
  });

  test('is whole at once where the page itself began it, so that the first message stays in sight', () => {
    expect(isCatchingUp(beginNewView(newest()))).toBe(false);
    expect(follow(beginNewView(stored[0]!), events, newest)).toEqual({
      ...follow(beginView(stored[0]!), events, newest),
      opened: { lastSeq: 0, activeTurnId: null },
    });
  });

  test('never takes older artifacts over newer ones', () => {
    const view = beginView(newest());
    expect(withStored(view, stored[1]!)).toBe(view);
  });
});
