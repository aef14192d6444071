/** Uploads as clients send them: forms over HTTP, their limits, and what pages of other sites cannot do. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tell, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';

const CREATE = `mutation ($input: CreateUploadInput!) { createUpload(input: $input) { __typename
  ... on CreateUploadPayload { upload { id name sizeBytes rowCount columns { name type unit missing } createdAt } }
  ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { ... on Upload { name rowCount } } }';
const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } } ... on UserError { message } } }`;
const DEMO = { 'x-project-id': 'demo' };
const PREFLIGHT = { ...DEMO, 'graphql-require-preflight': '1' };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ answerTurn: tell(text('ok')), projects: ['other'] });
});
afterAll(() => app.stop());

type Created = {
  readonly __typename: string;
  readonly upload: { readonly id: string };
  readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[];
};

/** A multipart request after the GraphQL multipart request specification. */
async function sendForm(
  file: string | Uint8Array<ArrayBuffer>,
  { name = 'T1 sweep.csv', headers = {} }: { name?: string; headers?: Record<string, string> } = {},
) {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: CREATE, variables: { input: { file: null } } }));
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([file], { type: 'text/csv' }), name);
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...PREFLIGHT, accept: 'application/json', ...headers },
    body: form,
  });
  const { data, errors = [] } = (await response.json()) as {
    data?: { createUpload: Created } | null;
    errors?: readonly { message: string; extensions: { code: string } }[];
  };
  return { status: response.status, created: data?.createUpload, errors };
}

describe('a form with a file', () => {
  test('becomes an upload, which is a node of its project and can come with a message', async () => {
    const { status, created, errors } = await sendForm('qid,T1 (us)\n0,45.2\n1,NaN\n');
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    expect(created).toMatchObject({
      __typename: 'CreateUploadPayload',
      upload: {
        name: 'T1 sweep.csv',
        sizeBytes: 25,
        rowCount: 2,
        columns: [
          { name: 'qid', type: 'NUMBER', unit: null, missing: 0 },
          { name: 'T1', type: 'NUMBER', unit: 'μs', missing: 1 },
        ],
      },
    });
    const { id } = created!.upload;
    const own = await post(app.url, NODE, { variables: { id }, headers: DEMO });
    expect(own.data).toEqual({ node: { name: 'T1 sweep.csv', rowCount: 2 } });
    const foreign = await post(app.url, NODE, { variables: { id }, headers: { 'x-project-id': 'other' } });
    expect(foreign.data).toEqual({ node: null });
    const message = { content: 'look', clientMessageId: crypto.randomUUID(), uploadIds: [id] };
    const sent = await post(app.url, SEND, { variables: { input: message }, headers: DEMO });
    expect(sent.data).toMatchObject({ sendMessage: { __typename: 'SendMessagePayload' } });
  });

  test('that holds no table is told which line is wrong', async () => {
    const { created } = await sendForm('a,b\n1,2\n3\n');
    expect(created).toMatchObject({
      __typename: 'InvalidInputError',
      code: 'INVALID_INPUT',
      issues: [{ path: ['input', 'file'], message: expect.stringMatching(/^line 3 has 1 cells/) }],
    });
  });

  test('L2: may be as large as the limit, not larger by a byte, and is not read far beyond it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-settings-'));
    const limited = await createTestApp({ env: { QPILOT_CONFIG: await smallLimit(folder) } });
    const before = app;
    app = limited;
    try {
      const sized = (bytes: number) => `a\n${'x'.repeat(bytes - 3)}\n`;
      expect((await sendForm(sized(10_000))).created?.__typename).toBe('CreateUploadPayload');
      const larger = await sendForm(sized(10_001));
      expect(larger.created?.issues[0]?.message).toBe('has 10,001 bytes; at most 10,000 are allowed');
      expect((await sendForm(sized(1_500_000))).status).toBe(413);
    } finally {
      app = before;
      await limited.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('is not taken without the header that pages of other sites cannot send', async () => {
    const { headers } = new Request('http://localhost', { method: 'POST', body: new FormData() });
    const answer = await send(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': headers.get('content-type')! },
      body: '--x--',
    });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('graphql-require-preflight');
  });

  test.each([
    ['without operations', '--x\r\nContent-Disposition: form-data; name="map"\r\n\r\n{}\r\n--x--\r\n'],
    ['cut off', '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":'],
  ])('that is broken is a bad request: %s', async (_what, body) => {
    const answer = await send(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        ...PREFLIGHT,
        'content-type': 'multipart/form-data; boundary=x',
        accept: 'application/json',
      },
      body,
    });
    expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });
});

test('JSON brings no file, and no more than a megabyte', async () => {
  const fake = { name: 'a.csv', size: 3, arrayBuffer: 'a\n1' };
  const { errors } = await post(app.url, CREATE, { variables: { input: { file: fake } }, headers: DEMO });
  expect(errors[0]?.message).toMatch(/a File is sent by a multipart request/);
  const large = await post(app.url, '{ __typename }', { variables: { text: 'x'.repeat(1_000_001) } });
  expect(large.status).toBe(413);
});

/** The shipped settings with uploads of 10,000 bytes. */
async function smallLimit(folder: string): Promise<string> {
  const shipped = await readFile(new URL('../../config/qpilot.yaml', import.meta.url), 'utf8');
  const file = join(folder, 'qpilot.yaml');
  await writeFile(file, shipped.replace('uploadMegabytes: 50', 'uploadMegabytes: 0.01'));
  return file;
}
