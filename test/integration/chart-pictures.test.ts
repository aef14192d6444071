/** Charts as pictures, for whatever shows images: over HTTP, and in results of MCP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeNodeId } from '../../schema/node-ids.ts';
import { readPictureHeader } from '../../src/domain/conversation/picture.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { callTool, mcp, messagesIn, type McpAnswer } from '../support/mcp-client.ts';
import { auth, becomeOwner } from '../support/people.ts';

let it: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  it = await createTestApp({
    demo: true,
    projects: ['other'],
    env: { AUTH_MODE: 'accounts' },
  });
  const owner = await becomeOwner(it);
  const body = { name: 'logbook', days: 1, role: 'viewer', projectId: 'demo' };
  const made = await auth(it.url, '/keys', { body, cookie: owner });
  headers = { authorization: `Bearer ${String(made.body['key'])}` };
});
afterAll(() => it.stop());

const HEATMAP = { metric_name: 't1' };
const QUESTION = 'Which qubits have the shortest T1?';

type Content = {
  readonly type: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly description?: string;
};
const contentOf = ({ result }: McpAnswer): readonly Content[] =>
  (result?.content ?? []) as readonly Content[];
const typesOf = (answer: McpAnswer): readonly string[] => contentOf(answer).map(({ type }) => type);
const headerOf = (base64 = '') => readPictureHeader(Buffer.from(base64, 'base64'));

/** A server with a path, asked without the client's own address for messages. */
const at = (query: string) => ({
  call: (name: string, args: object) =>
    send(`${it.url}/mcp${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    }),
});

describe('a result of MCP', () => {
  test('has its chart as a picture that a message can carry, and says in words what it shows', async () => {
    const answer = await callTool(it.url, 'generate_chip_heatmap', HEATMAP, headers);
    expect(typesOf(answer)).toEqual(['text', 'image', 'resource_link', 'resource_link']);
    const [, picture, link] = contentOf(answer);
    expect(picture?.mimeType).toBe('image/png');
    const { width = 0, height = 0 } = headerOf(picture?.data) ?? {};
    expect([width > 500, width <= 1_000, height > 500]).toEqual([true, true, true]);
    expect(Buffer.from(picture?.data ?? '', 'base64').length).toBeLessThanOrEqual(200_000);
    expect(link?.description).toMatch(
      /^Heatmap: T1\. demo-64, measured 20\d\d-\d\d-\d\d \d\d:\d\d to .* UTC\. Chart: data and layout for Plotly$/u,
    );
  });

  test('has none where its client asks for none, and another word is refused', async () => {
    const { body } = await at('?pictures=false').call('generate_chip_heatmap', HEATMAP);
    const without = messagesIn(body).findLast(({ result }) => result !== undefined)?.result?.content;
    expect(without?.map(({ type }) => type)).toEqual(['text', 'resource_link', 'resource_link']);
    const wrong = await at('?pictures=maybe').call('generate_chip_heatmap', HEATMAP);
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.stringContaining('pictures in the address must be true or false'),
    ]);
  });

  test('of a question has the pictures of its charts', async () => {
    const asked = await callTool(it.url, 'ask_qpilot', { question: QUESTION }, headers);
    expect(typesOf(asked).slice(0, 3)).toEqual(['text', 'image', 'resource_link']);
    expect(headerOf(contentOf(asked)[1]?.data)).toMatchObject({ mediaType: 'image/png' });
  });
});

describe('a chart', () => {
  test('is a resource as data and as a picture, for whom it was made alone', async () => {
    const answer = await callTool(it.url, 'generate_chip_heatmap', HEATMAP, headers);
    const uri = `${contentOf(answer).find(({ type }) => type === 'resource_link')?.uri}/picture`;
    const read = async (of: string) => {
      const { result, error } = await mcp(it.url, 'resources/read', { uri: of }, headers);
      return {
        contents: (result?.['contents'] ?? []) as readonly { blob?: string; mimeType?: string }[],
        error,
      };
    };
    const { contents } = await read(uri);
    expect([contents[0]?.mimeType, headerOf(contents[0]?.blob)?.mediaType]).toEqual([
      'image/png',
      'image/png',
    ]);
    expect((await read('qpilot://charts/none/picture')).error?.message).toContain('there is no chart none');
    const templates = JSON.stringify((await mcp(it.url, 'resources/templates/list', {}, headers)).result);
    expect(templates).toContain('qpilot://charts/{id}/picture');
  });

  test('of the API has an address that gives it as PNG and as SVG, to whom the API gives the chart', async () => {
    const query = '{ chip(chipId: "demo-64") { metric(name: "t1") { heatmap { pictureUrl } } } }';
    const { data } = await post(it.url, query, { headers });
    const path = String(/"pictureUrl":"([^"]+)"/u.exec(JSON.stringify(data))?.[1]);
    expect(path).toMatch(/^\/charts\/demo\/[\w-]+\.png$/u);
    const png = await fetch(it.url + path, { headers });
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(readPictureHeader(Buffer.from(await png.arrayBuffer()))).toMatchObject({
      mediaType: 'image/png',
    });
    const svg = await send(it.url + path.replace(/png$/u, 'svg'), { headers });
    expect(svg.headers['content-type']).toBe('image/svg+xml');
    expect(svg.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(svg.body).toMatch(/^<svg [\s\S]*>T1<[\s\S]*>demo-64, measured .* UTC</u);
    const refused = [
      await send(it.url + path, {}),
      await send(it.url + path.replace('/demo/', '/other/'), { headers }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('that is none is answered like one of somebody else', async () => {
    const paths = [
      encodeNodeId('Chart', 'none'),
      encodeNodeId('Chart', 'heatmap?chip=none&metric=t1&selection=LATEST'),
      encodeNodeId('Chart', 'board?{'),
      encodeNodeId('Job', 'x'),
      '%ff',
      'x',
    ];
    for (const id of paths) {
      const { status, body } = await send(`${it.url}/charts/demo/${id}.png`, { headers });
      expect([id, status, body]).toEqual([id, 404, 'there is no such chart in this project\n']);
    }
    expect((await send(`${it.url}/charts/demo/x.gif`, { headers })).status).toBe(404);
    expect((await send(`${it.url}/charts/demo/x.png`, { method: 'POST', headers })).status).toBe(405);
  });
});
