/** Real conversations of a real server, run through the view of the web client. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SessionEvent } from '@qpilot/client';
import { applyEvent, EMPTY_SESSION, shownTurns, textOf, type SessionView } from '@qpilot/client/view';
import fc from 'fast-check';
import { isAccordionOpen } from '../../../client/features/copilot/model/turn-rules.ts';
import {
  restoreSession,
  withBranch,
  type StoredSession,
} from '../../../client/features/copilot/model/restore-session.ts';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { clientDocument } from '../../support/client-documents.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { post } from '../../support/graphql-client.ts';
import { subscribe } from '../../support/websocket-client.ts';
import { until } from '@qpilot/test-support';

const DOCUMENTS = 'features/copilot/documents';

/** Answers with everything that an answer can have, or fails, as the question asks. */
const answerTurn: AnswerTurn = async ({ question, emit, joinMessages }) => {
  emit({ type: 'status', phase: 'THINKING', text: 'Thinking' });
  emit({ type: 'thinking', kind: 'SUMMARY', text: 'I should ' });
  emit({ type: 'thinking', kind: 'SUMMARY', text: 'look.', durationMs: 40_000 });
  emit(text('Let me see. '));
  emit(toolStart('a'));
  emit(toolStart('b'));
  emit({ type: 'source-fallback', from: 'LIVE', to: 'SNAPSHOT', reason: 'TIMEOUT', text: 'It was late.' });
  emit(toolEnd('b', false));
  emit(toolEnd('a'));
  if (question.text.includes('wait')) await until(async () => (await joinMessages?.())?.length);
  emit(text('T1 is 59.5 μs, I gue'));
  emit({ type: 'reset', reason: 'the model broke off', keepUntilOffset: 12 });
  emit(text('T1 is **59.5 μs**.'));
  if (question.text.includes('fail')) {
    return { ...completed, status: 'FAILED', error: { code: 'MODEL', message: 'no', retryable: true } };
  }
  return completed;
};

let app: TestApp;
let sessionId: string;
let events: readonly SessionEvent[];
const documents: Record<string, string> = {};

const run = async (name: string, variables: object): Promise<Record<string, unknown>> => {
  const { data, errors } = await post(app.url, documents[name] ?? '', { variables });
  expect(errors).toEqual([]);
  return data ?? {};
};

type Sent = { readonly session: { readonly id: string }; readonly turn: { readonly id: string } };

/** Every event of the session until `turns` of its turns have ended. */
async function readLog(turns: number): Promise<SessionEvent[]> {
  const log: SessionEvent[] = [];
  let ended = 0;
  for await (const { data } of subscribe(app.url, documents['CopilotEvents'] ?? '', {
    sessionId,
    afterSeq: 0,
  })) {
    const event = data?.['copilotEvents'] as SessionEvent;
    log.push(event);
    if (event.__typename === 'TurnFinishedEvent') ended += 1;
    if (ended === turns) return log;
  }
  throw new Error('the log ended early');
}

async function stored(throughTurnId?: string): Promise<StoredSession> {
  const { copilotSession } = await run('CopilotSession', { id: sessionId, first: 20, throughTurnId });
  return copilotSession as StoredSession;
}

beforeAll(async () => {
  app = await createTestApp({ answerTurn });
  const names = ['CopilotEvents', 'CopilotSession', 'CopilotSend', 'CopilotRetry', 'CopilotEdit'];
  for (const name of names) documents[name] = await clientDocument(DOCUMENTS, name);
  const ask = async (content: string, of: object = {}) => {
    const input = { content, clientMessageId: randomUUID(), ...of };
    return (await run('CopilotSend', { input }))['sendMessage'] as Sent;
  };
  const first = await ask('How is T1?');
  sessionId = first.session.id;
  await ask('And T2? fail', { sessionId, whenBusy: 'QUEUE' });
  const log = await readLog(2);
  const failed = shownTurns(viewOf(log)).at(-1);
  const input = { clientMessageId: randomUUID(), messageId: failed?.question.id, content: 'And T2*?' };
  await run('CopilotEdit', { input });
  await readLog(3);
  const again = { clientMessageId: randomUUID(), turnId: first.turn.id };
  await run('CopilotRetry', { input: again });
  events = await readLog(4);
});
afterAll(() => app.stop());

const viewOf = (log: readonly SessionEvent[], from = EMPTY_SESSION): SessionView =>
  log.reduce(applyEvent, from);

/** What a reader sees unasked: no words of thoughts, of running turns not what they were busy with, nor later siblings. */
const seen = (view: SessionView) =>
  shownTurns(view).map(({ siblingIds, thoughts, ...turn }) => ({
    ...turn,
    siblings: siblingIds.length,
    thoughts: thoughts.map(({ number, durationMs }) => ({ number, durationMs })),
  }));

describe('the view of a conversation', () => {
  test('made from its events is the one made from what is stored', async () => {
    const live = viewOf(events);
    const restored = restoreSession(await stored());
    expect(seen(live)).toEqual(seen(restored));
    expect(live.seq).toBe(restored.seq);
    const [turn] = shownTurns(live);
    expect(turn?.thoughts).toEqual([{ number: 1, text: 'I should look.', durationMs: 40_000 }]);
    expect(turn?.parts.map(({ type }) => type)).toEqual(['text', 'chart', 'table', 'text']);
    expect(textOf(turn?.parts ?? [])).toBe('Let me see. T1 is **59.5 μs**.');
    expect(turn?.notices).toEqual([
      { kind: 'SOURCE_FALLBACK', text: 'It was late.' },
      { kind: 'STEP_RESET', text: 'the model broke off' },
    ]);
    expect(turn?.steps.map(({ callId, status }) => [callId, status])).toEqual([
      ['a', 'OK'],
      ['b', 'OK'],
    ]);
  });

  test('shows the newest branch, and another one where it is asked for', async () => {
    const live = viewOf(events);
    expect(live.branch).toHaveLength(1);
    const old = shownTurns(live)[0]?.siblingIds[0];
    const switched = withBranch(live, await stored(old));
    expect(shownTurns(switched).map(({ question }) => question.text)).toEqual(['How is T1?', 'And T2*?']);
    expect(viewOf(events, switched)).toBe(switched);
  });

  test('is the same after any stream of reconnects: events again, late, or twice', () => {
    const whole = viewOf(events);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }), (pieces) => {
        let view = EMPTY_SESSION;
        for (const [from, to] of pieces) {
          const [start, end] = [from % events.length, to % (events.length + 1)];
          view = viewOf(events.slice(Math.min(start, end), end), view);
        }
        expect(viewOf(events, view)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  test('continues from what is stored at any moment of a running turn', async () => {
    const end = restoreSession(await stored());
    const last = shownTurns(end).at(-1)!;
    const running: StoredSession['turns']['nodes'][number] = {
      ...(await stored()).turns.nodes[0]!,
      status: 'RUNNING',
      message: null,
      toolCalls: [],
    };
    const atReload = await stored();
    const restored = restoreSession({
      ...atReload,
      activeTurn: running,
      turns: { ...atReload.turns, nodes: [running] },
    });
    expect(restored.seq).toBe(last.afterSeq);
    expect(shownTurns(restored)[0]?.steps).toEqual([]);
    expect(seen(viewOf(events, restored))).toEqual(seen(end));
  });

  test('counts kinds of events that it does not know, and skips them', () => {
    const unknown = { ...events[0]!, __typename: 'NewEvent' } as unknown as SessionEvent;
    expect(applyEvent(EMPTY_SESSION, unknown)).toEqual({ ...EMPTY_SESSION, seq: 1 });
    const known = viewOf(events.slice(0, 4));
    const later = { ...unknown, seq: known.seq + 1 };
    expect(applyEvent(known, later)).toEqual({ ...known, seq: known.seq + 1 });
  });

  test('takes charts of the model back with the step that made them, and only those', () => {
    const at = events.findIndex(({ __typename }) => __typename === 'StepResetEvent');
    const before = viewOf(events.slice(0, at));
    const reset = events[at] as Extract<SessionEvent, { __typename: 'StepResetEvent' }>;
    const chart = Object.values(before.turns)[0]?.parts.find((part) => part.type === 'chart');
    const dropped = applyEvent(before, { ...reset, droppedChartIds: [chart?.chart.id ?? ''] });
    expect(Object.values(dropped.turns)[0]?.parts.map(({ type }) => type)).toEqual(['text', 'table']);
    const kept = Object.values(applyEvent(before, reset).turns)[0];
    expect(kept?.parts.map(({ type }) => type)).toEqual(['text', 'chart', 'table']);
    expect(textOf(kept?.parts ?? [])).toBe('Let me see. ');
  });
});

test('a message that steered stands in the answer that read it, live and as stored', async () => {
  const ask = async (content: string, of: object) => {
    const input = { content, clientMessageId: randomUUID(), sessionId, ...of };
    return (await run('CopilotSend', { input }))['sendMessage'] as Sent;
  };
  await ask('wait', {});
  const { turn: steering } = await ask('Q1, too', { whenBusy: 'STEER' });
  const live = viewOf(await readLog(6));
  const restored = restoreSession(await stored());
  expect(seen(live)).toEqual(seen(restored));
  const turn = shownTurns(live).at(-1);
  expect(turn?.parts.map((part) => (part.type === 'message' ? part.message.text : part.type))).toEqual([
    'text',
    'chart',
    'table',
    'Q1, too',
    'text',
  ]);
  expect(live.turns[steering.id]).toMatchObject({ status: 'JOINED', joinsId: turn?.id });
});

describe('the steps of an answer', () => {
  const step = { status: 'OK' } as never;
  const running = { status: 'RUNNING' } as never;
  const words = [{ type: 'text', text: 'Q0' }] as const;
  const failed = { status: 'ERROR' } as never;
  test.each([
    ['are shown before its words', { status: 'RUNNING', steps: [step] }, null, true],
    ['close when its words come', { status: 'RUNNING', steps: [step], parts: words }, null, false],
    ['are shown while one runs', { status: 'RUNNING', steps: [step, running], parts: words }, null, true],
    ['not before there are any', { status: 'RUNNING', steps: [] }, null, false],
    ['close when it is done', { status: 'COMPLETED', steps: [step] }, null, false],
    ['stay open where one failed', { status: 'COMPLETED', steps: [step, failed] }, null, true],
    ['stay open where the reader opened them', { status: 'COMPLETED', steps: [step] }, 'open', true],
    ['stay closed where the reader closed them', { status: 'RUNNING', steps: [failed] }, 'closed', false],
  ] as const)('%s', (_what, turn, choice, isOpen) => {
    expect(isAccordionOpen({ parts: [], ...turn }, choice)).toBe(isOpen);
  });
});
