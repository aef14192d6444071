import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import {
  callModern,
  callTool,
  mcp,
  mcpBody,
  MCP_HEADERS,
  mcpText,
  messagesIn,
  structuredIn,
  type McpAnswer,
} from '../support/mcp-client.ts';
import { auth, becomeOwner, join } from '../support/people.ts';

type Listed = { readonly name: string } & Readonly<
  Record<'inputSchema' | 'outputSchema' | 'annotations', Record<string, unknown> | undefined>
>;

const QUESTION = 'Which five qubits have the shortest T1?';
const WORST = { metric_name: 't1', order: 'lowest', count: 5 };

let it: TestApp;
let owner: string;
let headers: Record<string, string>;
let keyId: string;
beforeAll(async () => {
  it = await createTestApp({
    demo: true,
    projects: ['other'],
    env: { AUTH_MODE: 'accounts' },
  });
  owner = await becomeOwner(it);
  ({ headers, id: keyId } = await makeKey(it.url, owner, 'demo'));
});
afterAll(() => it.stop());

async function makeKey(url: string, cookie: string, projectId: string) {
  const body = { name: 'assistant', days: 1, role: 'viewer', projectId };
  const made = await auth(url, '/keys', { body, cookie });
  return { headers: { authorization: `Bearer ${String(made.body['key'])}` }, id: String(made.body['id']) };
}
const textOf = ({ result }: McpAnswer): string => result?.content?.[0]?.text ?? '';
const numbersIn = (text: string): readonly string[] => [...text.matchAll(/Q\d+ [\d.]+ μs/gu)].map(String);

describe('what it offers', () => {
  test('every tool of chat but that of uploaded tables, with schemas for its arguments and result', async () => {
    const { result } = await mcp(it.url, 'tools/list', {}, headers);
    const tools = result?.['tools'] as readonly Listed[];
    const names = ALL_TOOLS.map(({ name }) => name).filter((name) => name !== 'query_dataset');
    expect(tools.map(({ name }) => name)).toEqual([...names, 'ask_qpilot']);
    for (const { inputSchema, outputSchema, annotations, name } of tools) {
      expect([name, inputSchema?.['type'], outputSchema?.['type']]).toEqual([name, 'object', 'object']);
      expect([name, annotations?.['readOnlyHint']]).toEqual([name, name !== 'ask_qpilot']);
    }
    const ranking = tools.find(({ name }) => name === 'rank_qubits');
    expect(ranking?.inputSchema?.['required']).toEqual(['metric_name', 'order']);
  });

  test('a result is what our own models read, in both revisions, with its charts to read', async () => {
    const old = await callTool(it.url, 'rank_qubits', WORST, headers);
    const { result } = await callModern(
      it.url,
      'tools/call',
      { name: 'rank_qubits', arguments: WORST },
      headers,
    );
    expect(result?.structuredContent).toEqual(old.result?.structuredContent);
    expect(JSON.parse(textOf(old))).toEqual(old.result?.structuredContent);
    expect(textOf(old).length).toBeLessThanOrEqual(1_500);
    const link = old.result?.content?.find(({ type }) => type === 'resource_link')?.uri ?? '';
    const { contents } = (await mcp(it.url, 'resources/read', { uri: link }, headers)).result as unknown as {
      readonly contents: readonly { readonly text: string }[];
    };
    expect(JSON.parse(contents[0]?.text ?? '')).toMatchObject({ type: 'chart', kind: 'BAR' });
  });

  test('kept results can be analysed by a later call', async () => {
    await callTool(it.url, 'get_chip_summary', {}, headers);
    const chart = {
      df_name: 'chip_summary',
      logical_name: 'qubits',
      chart_type: 'scatter',
      x_field: 't1',
      x_label: 'T1 in μs',
      y_label: 'T2 Echo in μs',
      series: [{ name: 'T2 Echo', y_field: 't2_echo' }],
      title: 'T2 Echo against T1',
      note: '',
    };
    const { result } = await callTool(it.url, 'make_chart', chart, headers);
    expect(result?.content?.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
  });

  test('chips and notes are resources, whose names are completed; starter questions are prompts', async () => {
    const read = async (uri: string) =>
      JSON.stringify((await mcp(it.url, 'resources/read', { uri }, headers)).result);
    expect(await read('qpilot://chips')).toContain('demo-64');
    expect(await read('qpilot://chips/demo-64')).toContain('health');
    expect(await read('qpilot://chips/demo-64/notes')).toContain('formattedSummary');
    const listed = JSON.stringify((await mcp(it.url, 'resources/list', {}, headers)).result);
    expect(listed).toContain('qpilot://chips/demo-64');
    const ref = { type: 'ref/resource', uri: 'qpilot://chips/{chip}/notes' };
    const completed = async (value: string) =>
      (await mcp(it.url, 'completion/complete', { ref, argument: { name: 'chip', value } }, headers)).result;
    expect(await completed('de')).toMatchObject({ completion: { values: ['demo-64'] } });
    expect(await completed('x')).toMatchObject({ completion: { values: [] } });
    const asked = await mcp(
      it.url,
      'prompts/get',
      { name: 'shortest-t1', arguments: { chip: 'demo-64' } },
      headers,
    );
    expect(JSON.stringify(asked.result)).toContain(`${QUESTION} (demo-64)`);
  });
});

describe('boards', () => {
  const change = async (mutation: string, input: string) => {
    const query = `mutation { ${mutation}(input: ${input}) { ... on ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload { board { id } } } }`;
    const asked = { cookie: owner, origin: it.url, 'x-project-id': 'demo' };
    const { data } = await post(it.url, query, { headers: asked });
    const { board } = data![mutation] as { readonly board: { readonly id: string } };
    return board.id;
  };
  const read = async (uri: string, sent = headers) => {
    const { result, error } = await mcp(it.url, 'resources/read', { uri }, sent);
    const { contents } = (result ?? {}) as { readonly contents?: readonly { readonly text: string }[] };
    return { error, body: JSON.parse(contents?.[0]?.text ?? 'null') as Record<string, unknown> | null };
  };
  let uri: string;
  beforeAll(async () => {
    const id = await change('createBoard', '{ title: "Morning", visibility: PROJECT }');
    const pinned = (tool: string, args: string, show: string) =>
      change('pinToBoard', `{ boardId: "${id}", tool: "${tool}", arguments: ${args}, show: ${show} }`);
    await pinned('rank_qubits', '{ metric_name: "t1", order: "lowest", count: 5 }', 'CHART');
    await pinned('generate_chip_heatmap', '{ metric_name: "t1" }', 'TABLE');
    uri = `qpilot://boards/${encodeURIComponent(id)}`;
  });

  test('are listed, and read as what their items show now, in sentences, rows and links', async () => {
    const listed = JSON.stringify((await mcp(it.url, 'resources/list', {}, headers)).result);
    expect(listed).toContain(uri);
    expect((await read('qpilot://boards')).body).toMatchObject([{ title: 'Morning', items: 2, uri }]);
    const { body } = await read(uri);
    expect(body).toMatchObject({ title: 'Morning' });
    const [worst, map] = body!['items'] as readonly Record<string, unknown>[];
    const tool = structuredIn(await callTool(it.url, 'rank_qubits', WORST, headers));
    expect(numbersIn(String(worst?.['words']))).toEqual(numbersIn(String(tool['formattedSummary'])));
    expect((await read(String(worst?.['chart']))).body).toMatchObject({ type: 'chart' });
    expect(map?.['rows']).toHaveLength(20);
    expect(map?.['_note']).toContain('the first 20 of');
    expect((await read(String(map?.['table']))).body).toMatchObject({ type: 'table' });
  });

  test('that are private, of another project or unknown look the same, and none can be guessed', async () => {
    const id = await change('createBoard', '{ title: "Mine", visibility: PRIVATE }');
    const cookie = await join(it.url, owner, { email: 'bo@lab.example', projectId: 'demo', role: 'viewer' });
    const theirs = await makeKey(it.url, cookie, 'demo');
    const elsewhere = await makeKey(it.url, owner, 'other');
    const messageOf = async (of: string, sent: Record<string, string>) =>
      (await read(of, sent)).error?.message.replace(/board \S+ /u, 'board X ');
    const unknown = await messageOf('qpilot://boards/Qm9hcmQ6eA', headers);
    expect(unknown).toContain('there is no board X that you may read');
    expect(await messageOf(`qpilot://boards/${encodeURIComponent(id)}`, theirs.headers)).toBe(unknown);
    expect(await messageOf(uri, elsewhere.headers)).toBe(unknown);
    expect((await read(uri, theirs.headers)).body).toMatchObject({ title: 'Morning' });
    expect((await read('qpilot://boards/x')).error?.message).toContain('INVALID_INPUT');
  });
});

describe('ask_qpilot', () => {
  test('answers with the numbers and sources of GraphQL, and of the tool itself', async () => {
    const asked = await callTool(it.url, 'ask_qpilot', { question: QUESTION }, headers);
    const answer = structuredIn(asked);
    expect(answer).toMatchObject({ status: 'COMPLETED', error: null });
    const progress = asked.messages.flatMap(({ params }) => params?.message ?? []);
    expect(progress[0]).toContain(String(answer['turn']));
    expect(progress.join('\n')).toContain('Ranking qubits');

    const stored = await post(
      it.url,
      '{ viewer { newestTurns(first: 1) { id message { text numbers { text status callId measuredAt } } } } }',
      { headers },
    );
    const { newestTurns } = (stored.data?.['viewer'] ?? {}) as {
      readonly newestTurns?: readonly { readonly id: string; readonly message: Record<string, unknown> }[];
    };
    const [turn] = newestTurns ?? [];
    expect([answer['turn'], answer['answer']]).toEqual([turn?.id, turn?.message['text']]);
    const numbers = answer['numbers'] as readonly Record<string, unknown>[];
    const shown = turn?.message['numbers'] as readonly Record<string, unknown>[];
    expect(numbers.map(({ text, status }) => ({ text, status }))).toEqual(
      shown.map(({ text, status }) => ({ text, status })),
    );
    const ranked = await callTool(it.url, 'rank_qubits', WORST, headers);
    expect(numbersIn(String(answer['answer']))).toEqual(numbersIn(textOf(ranked)));
    expect(numbersIn(textOf(ranked))).toHaveLength(5);
  });

  test('a call whose connection drops is made again with its turn, and goes on after a cursor', async () => {
    const left = new AbortController();
    const response = await fetch(`${it.url}/mcp`, {
      method: 'POST',
      headers: { ...MCP_HEADERS, ...headers },
      body: mcpBody('tools/call', { name: 'ask_qpilot', arguments: { question: QUESTION } }),
      signal: left.signal,
    });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (messagesIn(text).length > 0) break;
    }
    left.abort();
    const turn = /Turn (\S+) of/u.exec(messagesIn(text)[0]?.params?.message ?? '')?.[1];
    const again = await callTool(it.url, 'ask_qpilot', { turn }, headers);
    const { cursor, answer } = structuredIn(again);
    expect(numbersIn(String(answer))).toHaveLength(5);
    const after = await callTool(it.url, 'ask_qpilot', { turn, cursor, wait_seconds: 0 }, headers);
    expect(after.result?.structuredContent).toEqual(again.result?.structuredContent);
    expect(after.messages.length).toBeLessThan(again.messages.length);
  });

  test('is recorded as a call of its key', async () => {
    const query = '{ auditLog(first: 1) { nodes { action kind outcome keyId } } }';
    await callTool(it.url, 'ask_qpilot', { question: QUESTION, wait_seconds: 0 }, headers);
    const cookie = { cookie: owner, 'x-project-id': 'demo', origin: it.url };
    const { data } = await post(it.url, query, { headers: cookie });
    expect(JSON.stringify(data)).toContain('"action":"mcp ask_qpilot"');
    expect(JSON.stringify(data)).toContain(keyId);
  });
});

describe('who is let in', () => {
  test('nobody without a key, and the refusal says how to get one', async () => {
    for (const given of [{}, { authorization: 'Bearer qp_0123456789012345678901234567890123456789' }]) {
      const answer = await mcp(it.url, 'tools/list', {}, given);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/^Bearer realm="QPilot"/u),
      ]);
      expect(answer.body).toContain('API key');
    }
  });

  test('a key of another project reaches nothing of this one', async () => {
    const other = (await makeKey(it.url, owner, 'other')).headers;
    const seen = await callTool(it.url, 'rank_qubits', { ...WORST, chip_id: 'demo-64' }, other);
    expect(textOf(seen)).toContain('there is no chip demo-64 in project other');
    const refused = await mcp(it.url, 'tools/list', {}, { ...other, 'x-project-id': 'demo' });
    expect([refused.status, refused.result]).toEqual([403, undefined]);
    const { structuredContent } = (await callTool(it.url, 'ask_qpilot', { question: QUESTION }, headers))
      .result!;
    const turn = structuredContent?.['turn'];
    expect(textOf(await callTool(it.url, 'ask_qpilot', { turn }, other))).toContain('NOT_FOUND');
  });

  test('no page of another site', async () => {
    const elsewhere = { origin: 'https://evil.example' };
    expect((await mcp(it.url, 'tools/list', {}, { ...headers, ...elsewhere })).status).toBe(403);
    expect((await mcp(it.url, 'tools/list', {}, { ...headers, host: 'evil.example' })).status).toBe(403);
    const plain = { cookie: owner, 'content-type': 'text/plain' };
    expect((await mcp(it.url, 'tools/list', {}, plain)).status).toBe(403);
  });
});

describe('what no client should send', () => {
  test.each([
    [
      'a batch',
      JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      400,
    ],
    [
      'too much',
      mcpBody('tools/call', { name: 'rank_qubits', arguments: { metric_name: 'x'.repeat(1_000_001) } }),
      413,
    ],
    ['too deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400],
    ['no JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
  ])('%s is refused as a whole', async (_what, body, status) => {
    const answer = await mcpText(it.url, body, headers);
    expect([answer.status, answer.result]).toEqual([status, undefined]);
    expect(answer.error?.message).not.toBe('');
  });

  test.each([
    ['rank_qubits', { metric_name: 7, order: 'worst' }, 'INVALID_ARGUMENTS: metric_name'],
    ['rank_qubits', { ...WORST, extra: 1 }, 'INVALID_ARGUMENTS'],
    ['rank_qubits', { ...WORST, count: 1e9 }, 'INVALID_ARGUMENTS: count'],
    ['rank_qubits', { ...WORST, chip_id: 'x'.repeat(100_001) }, 'longer than 100000'],
    ['rank_qubits', { ...WORST, metric_name: 'nope' }, 'INVALID_INPUT: name: there is no metric nope'],
    ['ask_qpilot', {}, 'give a question'],
    ['ask_qpilot', { question: QUESTION, cursor: 1 }, 'cursor and stop need turn'],
    ['ask_qpilot', { turn: 'x' }, 'INVALID_INPUT: turn'],
    ['ask_qpilot', { question: 'x'.repeat(9_000) }, 'INVALID_INPUT: question'],
  ])('%s with wrong arguments says what is wrong', async (name, args, expected) => {
    const answer = await callTool(it.url, name, args, headers);
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toContain(expected);
  });

  test('unknown tools, prompts, resources and methods are named', async () => {
    const messageOf = async (method: string, params: object) =>
      (await mcp(it.url, method, params, headers)).error?.message;
    expect(await messageOf('tools/call', { name: 'drop_tables' })).toContain('there is no tool drop_tables');
    expect(await messageOf('prompts/get', { name: 'nope' })).toContain('chip-health');
    for (const uri of [
      'file:///etc/passwd',
      'qpilot://chips/../x',
      'qpilot://chips/%',
      'qpilot://jobs/x/report',
    ]) {
      expect(await messageOf('resources/read', { uri })).toMatch(/none of|is not an id/u);
    }
    expect(await messageOf('resources/read', { uri: 'qpilot://chips/none' })).toContain(
      'chips here: demo-64',
    );
    expect(await messageOf('shutdown', {})).toContain('not found');
    expect((await send(`${it.url}/mcp`, { headers })).status).toBe(405);
  });
});
