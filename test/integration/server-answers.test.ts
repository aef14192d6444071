import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } } } }`;
const MESSAGES = `query ($id: ID!) { copilotSession(id: $id) { messages(first: 10) { nodes {
  role text assessment strippedTables unverifiedTable
  blocks { ... on TextBlock { text } ... on ChartBlock { chart { title callId } } } } } } }`;
const NOTICES = `query ($id: ID!) { copilotSession(id: $id) { turns { nodes { notices { kind text } } } } }`;
const EVENTS = `subscription ($sessionId: ID!) { copilotEvents(sessionId: $sessionId, afterSeq: 0) { __typename
  ... on ChartEvent { chart { id title } } ... on StepResetEvent { droppedChartIds }
  ... on TurnFinishedEvent { message { assessment } } } }`;

let app: TestApp;
afterEach(() => app.stop());

const chart = (title: string): ChartSpec => ({ type: 'chart', kind: 'BAR', title, data: [], layout: {} });
const TABLE = '| a | b |\n|---|---|\n| 1 | 2 |\n';

/** An answer with a chart of its own words, begun twice, as the loop tells it. */
const answerTurn: NonNullable<Parameters<typeof createTestApp>[0]>['answerTurn'] = async ({ emit }) => {
  emit(text('Look.'));
  emit({ type: 'chart', chart: chart('broken') });
  emit({ type: 'reset', keepUntilOffset: 0, dropCharts: 1, reason: 'stream broke' });
  emit(text('Look:'));
  emit({ type: 'chart', chart: chart('whole') });
  emit(text(`\n\n${TABLE}`));
  return { ...completed, assessment: 'WARNING', strippedTables: 2 };
};

test('what is said of an answer stands in its message, also after a restart', async () => {
  app = await createTestApp({ answerTurn });
  const input = { content: 'How is it?', clientMessageId: randomUUID() };
  const { data } = await post(app.url, SEND, { variables: { input } });
  const { session } = (data as { sendMessage: { session: { id: string } } }).sendMessage;
  const events: Record<string, unknown>[] = [];
  for await (const { data: next } of sse(app.url, EVENTS, { sessionId: session.id })) {
    events.push(next!['copilotEvents'] as Record<string, unknown>);
    if (events.at(-1)?.['__typename'] === 'TurnFinishedEvent') break;
  }
  const shown = events.filter(({ __typename }) => __typename !== 'TokenEvent');
  const [, first] = shown as { chart: { id: string } }[];
  expect(shown.slice(1)).toEqual([
    { __typename: 'ChartEvent', chart: { id: expect.any(String), title: 'broken' } },
    { __typename: 'StepResetEvent', droppedChartIds: [first?.chart.id] },
    { __typename: 'ChartEvent', chart: { id: expect.any(String), title: 'whole' } },
    { __typename: 'TurnFinishedEvent', message: { assessment: 'WARNING' } },
  ]);

  const read = () => post(app.url, MESSAGES, { variables: { id: session.id } });
  const before = await read();
  expect(before.data).toEqual({
    copilotSession: {
      messages: {
        nodes: expect.arrayContaining([
          expect.objectContaining({
            role: 'USER',
            assessment: null,
            strippedTables: 0,
            unverifiedTable: false,
          }),
          {
            role: 'ASSISTANT',
            text: `Look:\n\n${TABLE}`,
            assessment: 'WARNING',
            strippedTables: 2,
            unverifiedTable: true,
            blocks: [
              { text: 'Look:' },
              { chart: { title: 'whole', callId: null } },
              { text: `\n\n${TABLE}` },
            ],
          },
        ]),
      },
    },
  });
  await app.restart();
  expect(await read()).toEqual(before);
  const { data: notices } = await post(app.url, NOTICES, { variables: { id: session.id } });
  expect(notices).toEqual({
    copilotSession: { turns: { nodes: [{ notices: [{ kind: 'STEP_RESET', text: 'stream broke' }] }] } },
  });
});
