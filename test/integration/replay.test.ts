import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { replay, type Replayed } from '../support/replay-command.ts';
import { readEverything } from '../support/stored-rows.ts';
import { until } from '@qpilot/test-support';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { session { id } turn { id } } } }`;
const SESSION = `query ($id: ID!) { copilotSession(id: $id) { messages(first: 10) { nodes { role text } } } }`;

let app: TestApp;
afterEach(() => app.stop());

/** Asks a question and waits for its answer. */
async function ask(content: string): Promise<{ sessionId: string; turnId: string; answer: string }> {
  const input = { content, clientMessageId: randomUUID() };
  const { data } = await post(app.url, SEND, { variables: { input } });
  const { session, turn } = (data as { sendMessage: { session: { id: string }; turn: { id: string } } })
    .sendMessage;
  let answer: string | undefined;
  await until(async () => {
    const read = await post(app.url, SESSION, { variables: { id: session.id } });
    const { nodes } = (
      read.data as { copilotSession: { messages: { nodes: { role: string; text: string }[] } } }
    ).copilotSession.messages;
    answer = nodes.find(({ role }) => role === 'ASSISTANT')?.text;
    return answer !== undefined;
  });
  return { sessionId: session.id, turnId: turn.id, answer: answer! };
}

/** Removes what was measured. */
async function emptyCalibration(): Promise<void> {
  const client = await MongoClient.connect(app.environment['MONGODB_URI']!);
  const db = client.db(app.environment['MONGODB_DB']);
  await Promise.all(['qubit', 'task_result_history'].map((name) => db.collection(name).deleteMany({})));
  await client.close();
}

const everythingStored = () => readEverything(app.environment['DATABASE_URL']!);

test('a turn is answered again from its record, and anew from the data of today', async () => {
  // The command's clock is the real one, and the analyst says how old things are.
  app = await createTestApp({ demo: true, writesCalibration: true, now: () => new Date() });
  const { turnId, answer } = await ask('Which five qubits have the shortest T1?');
  const before = await everythingStored();

  // Frozen: what the tools said then still stands, whatever has become of the data.
  await emptyCalibration();
  const frozen = await replay(app, turnId, '--json');
  expect(frozen.stderr).toBe('');
  const { recorded, replayed, comparison } = JSON.parse(frozen.stdout) as Replayed;
  expect(answer).toContain(recorded.text.split('\n')[0]);
  expect(recorded.calls.length).toBeGreaterThan(0);
  expect(replayed).toMatchObject({ text: recorded.text, calls: recorded.calls, error: null });
  expect(comparison).toMatchObject({ sameText: true, callsOnlyRecorded: [], numbersOnlyReplayed: [] });

  // Rebuilt: the data of today, which is gone.
  const rebuilt = JSON.parse((await replay(app, turnId, '--rebuild', '--json')).stdout) as Replayed;
  expect(rebuilt.comparison).toMatchObject({ sameText: false, callsOnlyReplayed: [] });
  expect(rebuilt.comparison.numbersOnlyRecorded.length).toBeGreaterThan(0);

  // People get both beside each other, and nothing was written.
  const shown = await replay(app, turnId);
  expect(shown.stdout).toContain('RECORDED: offline-analyst');
  expect(shown.stdout).toContain('The answers are the same.');
  expect(await everythingStored()).toBe(before);
});

test('what cannot be replayed is told in words', async () => {
  app = await createTestApp({ answerTurn: () => Promise.reject(new Error('no model')) });
  const unknown = await replay(app, randomUUID());
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no turn') });
  expect(await replay(app, 'a')).toMatchObject({ code: 1, stderr: expect.stringContaining('id of a Turn') });
  expect(await replay(app, 'a', 'b')).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
});
