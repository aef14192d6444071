/** Pictures of messages as clients send and see them, and conversations that are opened on a task result. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TurnRun } from '../../src/agent/turn-run.ts';
import { completed } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { jpeg, png, webpLossy } from '../support/pictures.ts';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id } message { id images { url contentType width height } } }
  ... on UserError { reason: message } ... on InvalidInputError { issues { path message } } } }`;
const EDIT = `mutation ($input: EditMessageInput!) { editMessage(input: $input) { __typename
  ... on SendMessagePayload { message { id text images { url width } } } ... on UserError { reason: message } } }`;
const DEMO = { 'x-project-id': 'demo' };

type Image = { url: string; contentType: string; width: number; height: number };
type Sent = {
  __typename: string;
  session: { id: string };
  turn: { id: string };
  message: { id: string; images: Image[] };
  issues: { path: string[]; message: string }[];
};

let app: TestApp;
let taskId: string;
const runs: TurnRun[] = [];
beforeAll(async () => {
  app = await createTestApp({
    demo: true,
    projects: ['other'],
    env: { OPENAI_API_KEY: 'sk-not-used' },
    answerTurn: async (run) => {
      runs.push(run);
      return completed;
    },
  });
  const { data } = await post(
    app.url,
    '{ chip(chipId: "demo-64") { taskResults(first: 1, filter: { taskName: "CheckT1", qid: "45" }) { edges { node { taskId } } } } }',
    { headers: DEMO },
  );
  taskId = /"taskId":"([^"]+)"/u.exec(JSON.stringify(data))![1]!;
});
afterAll(() => app.stop());

let count = 0;
const newId = (): string => `message-${(count += 1)}`;

/** Sends a message as a form, with its pictures. */
async function send(images: readonly Buffer[], more: Record<string, unknown> = {}): Promise<Sent> {
  const input = {
    content: 'What is this?',
    clientMessageId: newId(),
    ...more,
    images: images.map(() => ({ file: null })),
  };
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: SEND, variables: { input } }));
  form.set(
    'map',
    JSON.stringify(Object.fromEntries(images.map((_, at) => [at, [`variables.input.images.${at}.file`]]))),
  );
  images.forEach((image, at) =>
    form.set(String(at), new Blob([new Uint8Array(image)], { type: 'text/plain' }), 'a.txt'),
  );
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...DEMO, 'graphql-require-preflight': '1', accept: 'application/json' },
    body: form,
  });
  const { data, errors } = (await response.json()) as { data?: { sendMessage: Sent }; errors?: unknown };
  if (!data) throw new Error(JSON.stringify(errors));
  return data.sendMessage;
}

describe('Pictures of a message', () => {
  test('are taken by their content, and shown again to who sent them', async () => {
    const pictures = [png(64, 48), jpeg(32, 16), webpLossy(8, 4)];
    const { __typename, message } = await send(pictures);
    expect(__typename).toBe('SendMessagePayload');
    expect(message.images.map(({ contentType, width, height }) => [contentType, width, height])).toEqual([
      ['image/png', 64, 48],
      ['image/jpeg', 32, 16],
      ['image/webp', 8, 4],
    ]);
    const { url } = message.images[0]!;
    const shown = await fetch(app.url + url);
    expect([
      shown.status,
      shown.headers.get('content-type'),
      shown.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/png', 'nosniff']);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(pictures[0]);
    const foreign = await fetch(app.url + url.replace('/demo/', '/other/'));
    const unknown = await fetch(app.url + url.replace(/[^/]+$/u, '00000000-0000-4000-8000-000000000000'));
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await foreign.text()).toBe(await unknown.text());
  });

  test.each([
    ['five of them', Array.from({ length: 5 }, () => png(1, 1)), 'must be at most 4 images'],
    ['a file of something else', [Buffer.from('hello')], 'is not a PNG, JPEG or WebP'],
    ['a cut-off file', [png(64, 48).subarray(0, 20)], 'its header is broken'],
    ['one of more than 5 MiB', [png(4, 4, 5 * 1024 * 1024)], 'at most 5 MiB'],
    ['one of 20,000 pixels', [png(20_000, 4)], 'is 20000 × 4 pixels'],
  ])('are refused for %s', async (_what, images, message) => {
    const { __typename, issues } = await send(images);
    expect(__typename).toBe('InvalidInputError');
    expect(issues[0]?.path.slice(0, 2)).toEqual(['input', 'images']);
    expect(issues[0]?.message).toContain(message);
  });

  test('are refused for a model that cannot see, naming those that can', async () => {
    const { issues } = await send([png(1, 1)], { model: 'offline-analyst' });
    expect(issues[0]?.message).toMatch(/^offline-analyst cannot look at pictures; choose one of gpt-4\.1, /u);
  });

  test('belong to what makes a repeated message the same', async () => {
    const clientMessageId = newId();
    const first = await send([png(2, 2)], { clientMessageId });
    const again = await send([png(2, 2)], { clientMessageId });
    expect([again.turn.id, again.message.id]).toEqual([first.turn.id, first.message.id]);
    expect((await send([png(3, 3)], { clientMessageId })).__typename).toBe('ConflictError');
    expect((await send([], { clientMessageId })).__typename).toBe('ConflictError');
  });

  test('stay with the question when it is edited, and go with the conversation', async () => {
    const { session, message } = await send([png(7, 7)]);
    const input = { messageId: message.id, content: 'And this?', clientMessageId: newId() };
    const { data } = await post(app.url, EDIT, { variables: { input }, headers: DEMO });
    const edited = (data as { editMessage: { message: { images: Image[] } } }).editMessage.message;
    expect(edited.images).toMatchObject([{ width: 7 }]);
    expect(edited.images[0]!.url).not.toBe(message.images[0]!.url);
    await post(
      app.url,
      'mutation ($input: DeleteCopilotSessionInput!) { deleteCopilotSession(input: $input) { __typename } }',
      { variables: { input: { sessionId: session.id } }, headers: DEMO },
    );
    expect((await fetch(app.url + edited.images[0]!.url)).status).toBe(404);
  });
});

describe('A conversation about a task result', () => {
  const ask = async (more: object): Promise<Sent> => {
    const input = { content: 'Is this T1 normal?', clientMessageId: newId(), ...more };
    const { data } = await post(app.url, SEND, { variables: { input }, headers: DEMO });
    return (data as { sendMessage: Sent }).sendMessage;
  };

  test('is opened with the id of the result', async () => {
    const { __typename } = await ask({ taskId });
    expect(__typename).toBe('SendMessagePayload');
    expect(runs.at(-1)?.session).toMatchObject({ taskId });
  });

  test('is refused for a result that the project does not have, be it of another one', async () => {
    expect(await ask({ taskId: 'task-of-nobody' })).toMatchObject({
      __typename: 'NotFoundError',
      reason: 'there is no task result task-of-nobody in project demo',
    });
    const input = { content: 'And this?', clientMessageId: newId(), taskId };
    const foreign = await post(app.url, SEND, { variables: { input }, headers: { 'x-project-id': 'other' } });
    expect(foreign.data).toMatchObject({ sendMessage: { __typename: 'NotFoundError' } });
  });
});
