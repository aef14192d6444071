/** AG-UI by its own client, beside requests that no client would send. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpAgent, type BaseEvent, type Message, type RunAgentInput } from '@ag-ui/client';
import { until } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { startModelServer, type ModelServer, type Reply } from '../support/model-server.ts';
import { auth, becomeOwner } from '../support/people.ts';
import { bodyOf } from '../support/wire-bodies.ts';

const QUESTION = 'Which five qubits have the shortest T1?';

const user = (id: string, content: string): Message => ({ id, role: 'user', content });
const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content] : [],
  );

/** An agent as a page has it, with all events that it got. */
function agentOf(url: string, headers: Record<string, string>, threadId: string) {
  const agent = new HttpAgent({ url: `${url}/ag-ui`, headers, threadId });
  const events: BaseEvent[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  const custom = (name: string) =>
    events.flatMap((event) =>
      event.type === 'CUSTOM' && event['name'] === name ? [event['value'] as object] : [],
    );
  return { agent, events, custom };
}

const inputOf = (
  threadId: string,
  runId: string,
  messages: readonly Message[],
  qpilot: object = {},
): string =>
  JSON.stringify({
    threadId,
    runId,
    messages,
    state: {},
    tools: [],
    context: [],
    forwardedProps: { qpilot },
  });

const JSON_TYPE = { 'content-type': 'application/json' };

async function sessions(url: string, headers: Record<string, string>) {
  const found = await post(
    url,
    '{ sessions: copilotSessions(first: 20) { edges { node { id turnCount: turns(first: 20) { edges { node { id status } } } } } } }',
    { headers },
  );
  return (
    found.data as {
      sessions: { edges: { node: { id: string; turnCount: { edges: { node: { status: string } }[] } } }[] };
    }
  ).sessions.edges.map(({ node }) => node);
}

describe('with the offline analyst', () => {
  let it: TestApp;
  let headers: Record<string, string>;
  let cookie: string;
  let model: ModelServer;
  const stalled = bodyOf('responses', [{ text: 'and on and on and on and on and on and on' }]);
  beforeAll(async () => {
    model = await startModelServer(() => ({
      body: stalled,
      cut: { at: Math.floor(stalled.length * 0.6), how: 'stall' },
    }));
    it = await createTestApp({
      demo: true,
      projects: ['other'],
      env: {
        AUTH_MODE: 'accounts',
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API: 'responses',
        COPILOT_MODEL: 'offline-analyst',
      },
      recheckMs: 100,
    });
    cookie = await becomeOwner(it);
    const body = { name: 'front end', days: 1, role: 'viewer', projectId: 'demo' };
    const made = await auth(it.url, '/keys', { body, cookie });
    headers = { authorization: `Bearer ${String(made.body['key'])}` };
  });
  afterAll(async () => {
    await it?.stop();
    await model?.close();
  });

  test('an answer: words, calls, charts, sources, and the next question in the same conversation', async () => {
    const { agent, events, custom } = agentOf(it.url, headers, 'thread-1');
    agent.addMessage(user('m1', QUESTION));
    const { result, newMessages } = await agent.runAgent();
    expect(events[0]).toMatchObject({ type: 'RUN_STARTED', threadId: 'thread-1', protocolVersion: '1.0' });
    expect(textsOf(newMessages).join('')).toBe((result as { answer: string }).answer);
    expect(newMessages.some(({ role }) => role === 'tool')).toBe(true);
    expect(custom('qpilot.chart')[0]).toMatchObject({ kind: 'BAR', layout: expect.any(Object) });
    const [{ numbers } = { numbers: [] }] = custom('qpilot.numbers') as {
      numbers: { status: string; record: string | null }[];
    }[];
    expect(numbers.some(({ status, record }) => status === 'SOURCED' && record !== null)).toBe(true);
    expect(agent.state).toMatchObject({
      qpilot: {
        link: expect.stringContaining('/projects/demo/copilot/'),
        status: { phase: expect.any(String) },
      },
    });

    agent.addMessage(user('m2', 'And the longest?'));
    await agent.runAgent();
    const [only, ...others] = await sessions(it.url, headers);
    expect(others).toEqual([]);
    expect(only?.turnCount.edges.length).toBe(2);

    const again = agentOf(it.url, headers, only?.id ?? '');
    again.agent.addMessage(user('m3', 'How old is the data?'));
    await again.agent.runAgent();
    expect((await sessions(it.url, headers))[0]?.turnCount.edges.length).toBe(3);
  });

  test('left at any event, the stream goes on behind it, and nothing is asked twice', async () => {
    const body = inputOf('thread-2', 'run', [user('m', QUESTION)], { resume: true });
    const ask = (more: Record<string, string> = {}) =>
      send(`${it.url}/ag-ui`, { method: 'POST', headers: { ...headers, ...JSON_TYPE, ...more }, body });
    const whole = (await ask()).body;
    const ids = [...whole.matchAll(/^id: (.*)$/gmu)].map(([, id]) => id ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const at of [0, 1, Math.floor(ids.length / 2), ids.length - 2]) {
      const rest = (await ask({ 'last-event-id': ids[at] ?? '' })).body;
      expect(rest).toBe(whole.slice(whole.indexOf(`id: ${ids[at + 1]}\n`)));
    }
    expect((await ask()).body).toBe(whole);
    const thread = (await sessions(it.url, headers)).map(({ turnCount }) => turnCount.edges.length);
    expect(thread[0]).toBe(1);
  });

  test('asked again after its end, a question is answered anew; with other words, it is an edit', async () => {
    const ask = async (runId: string, content: string) => {
      const sent = await send(`${it.url}/ag-ui`, {
        method: 'POST',
        headers: { ...headers, ...JSON_TYPE },
        body: inputOf('thread-3', runId, [user('m', content)]),
      });
      return /"turn":"([^"]+)"/u.exec(sent.body)?.[1];
    };
    const first = await ask('run-1', QUESTION);
    const second = await ask('run-2', QUESTION);
    expect(second).not.toBe(first);
    const edited = await ask('run-3', 'Which qubit has the longest T1?');
    expect(new Set([first, second, edited]).size).toBe(3);
    expect((await sessions(it.url, headers)).length).toBe(3);
  });

  test('a page that was opened anew gets the conversation', async () => {
    const body = inputOf('thread-1', 'run', []);
    const { body: text } = await send(`${it.url}/ag-ui/connect`, {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body,
    });
    const events = [...text.matchAll(/^data: (.*)$/gmu)].map(
      ([, data]) => JSON.parse(data ?? '') as BaseEvent,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    const messages = events[2]?.['messages'] as Message[];
    expect(messages[0]).toMatchObject({ role: 'user', content: QUESTION });
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  test.each<[string, string, string, string, number, string]>([
    ['no JSON', 'POST', '/ag-ui', '{', 400, 'INVALID_INPUT'],
    ['no thread', 'POST', '/ag-ui', '{"messages":[]}', 400, 'INVALID_INPUT'],
    ['no message of a user', 'POST', '/ag-ui', inputOf('t', 'r', []), 400, 'INVALID_INPUT'],
    ['an empty message', 'POST', '/ag-ui', inputOf('t', 'r', [user('m', ' ')]), 400, 'INVALID_INPUT'],
    ['a thread without a name', 'POST', '/ag-ui', inputOf('', 'r', [user('m', 'x')]), 400, 'INVALID_INPUT'],
    [
      'an unknown chip',
      'POST',
      '/ag-ui',
      inputOf('t', 'r', [user('m', 'x')], { chipId: 'nope' }),
      404,
      'NOT_FOUND',
    ],
    [
      'an unknown model',
      'POST',
      '/ag-ui',
      inputOf('t', 'r', [user('m', 'x')], { model: 'nope' }),
      400,
      'INVALID_INPUT',
    ],
    ['an unknown thread', 'POST', '/ag-ui/connect', inputOf('t', 'r', []), 404, 'NOT_FOUND'],
    ['another method', 'GET', '/ag-ui', '', 405, 'METHOD_NOT_ALLOWED'],
    ['another path', 'POST', '/ag-ui/x', '{}', 404, 'NOT_FOUND'],
    ['a thread in a broken address', 'DELETE', '/ag-ui/threads/%E0%A4%A/run', '', 400, 'INVALID_INPUT'],
  ])('%s is refused with the reason', async (_what, method, path, body, status, code) => {
    const options = { method, headers: { ...headers, ...JSON_TYPE }, ...(body !== '' && { body }) };
    const refused = await send(`${it.url}${path}`, options);
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
      status,
      { errors: [{ message: expect.stringMatching(/\w/u), extensions: { code } }] },
    ]);
  });

  test('who is not known, or of another project, or a page of another site, gets nothing', async () => {
    const body = inputOf('t', 'r', [user('m', QUESTION)]);
    const ask = (more: Record<string, string>) =>
      send(`${it.url}/ag-ui`, { method: 'POST', headers: { ...JSON_TYPE, ...more }, body });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ ...headers, 'x-project-id': 'other' })).status).toBe(404);
    expect((await ask({ ...headers, origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask({ ...headers, 'content-type': 'text/plain' })).status).toBe(403);
  });

  test('a stream ends once the key of its client is revoked; its turn goes on', async () => {
    const body = { name: 'soon revoked', days: 1, role: 'viewer', projectId: 'demo' };
    const made = await auth(it.url, '/keys', { body, cookie });
    const own = { authorization: `Bearer ${String(made.body['key'])}` };
    const { agent, events } = agentOf(it.url, own, 'revoked');
    agent.addMessage(user('m', 'x'));
    const running = agent
      .runAgent({ forwardedProps: { qpilot: { model: 'gpt-4.1' } } })
      .catch(() => undefined);
    await until(() => events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT'), {
      what: 'the first words',
    });
    await auth(it.url, '/keys/remove', { body: { id: String(made.body['id']) }, cookie });
    await running;
    expect(events.some(({ type }) => type === 'RUN_FINISHED')).toBe(false);
    expect((await sessions(it.url, headers))[0]?.turnCount.edges[0]?.node.status).toBe('RUNNING');
  });
});

describe('with a model that does as it likes', () => {
  let it: TestApp;
  let model: ModelServer;
  let next: Reply;
  beforeAll(async () => {
    model = await startModelServer(() => next);
    const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', COPILOT_MODEL: 'any-model' };
    it = await createTestApp({ env });
  });
  afterAll(async () => {
    await it?.stop();
    await model?.close();
  });

  test('what a model takes back is no message of the page', async () => {
    const body = bodyOf('responses', [{ text: 'one two three four five six seven eight nine ten' }]);
    let isFirst = true;
    next = { body, cut: { at: Math.floor(body.length * 0.6), how: 'break' } };
    const { agent, custom } = agentOf(it.url, {}, 'reset');
    agent.subscribe({
      onCustomEvent: ({ event }) => {
        if (event.name === 'qpilot.taken_back') isFirst = false;
      },
      onTextMessageContentEvent: () => {
        next = { body };
      },
    });
    agent.addMessage(user('m', 'count'));
    const { newMessages, result } = await agent.runAgent();
    expect(isFirst).toBe(false);
    expect(custom('qpilot.taken_back').length).toBeGreaterThan(0);
    expect(textsOf(newMessages).join('')).toBe('one two three four five six seven eight nine ten');
    expect(result).toMatchObject({ status: 'COMPLETED' });
  });

  test('a failed answer is an error of the run, in words', async () => {
    next = { status: 401, error: { message: 'bad key', code: 'invalid_api_key' } };
    const { agent, events } = agentOf(it.url, {}, 'failed');
    agent.addMessage(user('m', 'x'));
    await agent.runAgent().catch(() => undefined);
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      message: expect.stringMatching(/\w/u),
      code: expect.any(String),
    });
  });

  test('a client that leaves does not stop its answer; DELETE does', async () => {
    const body = bodyOf('responses', [{ text: 'and on and on and on and on and on and on' }]);
    next = { body, cut: { at: Math.floor(body.length * 0.6), how: 'stall' } };
    const { agent, events } = agentOf(it.url, {}, 'stopped');
    agent.addMessage(user('m', 'x'));
    const running = agent.runAgent().catch(() => undefined);
    await until(() => events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT'), {
      what: 'the first words',
    });
    agent.abortRun();
    await running;
    const statuses = async () =>
      (await sessions(it.url, {}))[0]?.turnCount.edges.map(({ node }) => node.status);
    expect(await statuses()).toEqual(['RUNNING']);
    const stopped = await send(`${it.url}/ag-ui/threads/stopped/run`, { method: 'DELETE', headers: {} });
    expect(stopped.status).toBe(204);
    expect(await statuses()).toEqual(['CANCELLED']);
    const input: RunAgentInput = JSON.parse(
      inputOf('stopped', 'r', [user('m', 'x')], { resume: true }),
    ) as RunAgentInput;
    const { body: ended } = await send(`${it.url}/ag-ui`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(input),
    });
    expect(ended).toContain('"outcome":{"type":"cancelled"}');
  });
});
