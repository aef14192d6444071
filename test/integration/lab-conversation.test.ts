/** Conversations with a model (a scripted one) that calls tools of the lab's MCP servers, over the whole program. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import {
  startFridge,
  startHostile,
  sendResult,
  type LabServer,
  untilServersAreThere,
  writeLabSettings,
} from '../support/lab-servers.ts';
import { accessTo } from '../support/model-access.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { bodyOf, type Said } from '../support/wire-bodies.ts';

let folder: string;
const opened: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-lab-'));
});
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  await rm(folder, { recursive: true, force: true });
});

type Lab = { readonly app: TestApp; readonly model: ModelServer };

/** The program with these servers and a model that says this, response by response. */
async function open(
  servers: readonly object[],
  said: readonly (readonly Said[])[],
  { approvalSeconds, ...options }: TestAppOptions & { approvalSeconds?: number } = {},
): Promise<Lab> {
  const file = await writeLabSettings(folder, servers, approvalSeconds);
  const model = await startModelServer((index) => ({
    body: bodyOf('responses', said[index] ?? [{ text: 'Done.' }]),
  }));
  opened.push(() => model.close());
  const app = await createTestApp({
    demo: true,
    ...options,
    env: { ...accessTo('responses', model), QPILOT_CONFIG: file, COPILOT_MODEL: 'any-model', ...options.env },
  });
  opened.push(() => app.stop());
  await untilServersAreThere(app.url);
  return { app, model };
}

const fridgeOf = async (): Promise<LabServer> => {
  const fridge = await startFridge();
  opened.push(() => fridge.close());
  return fridge;
};
const settingsOf = ({ url }: LabServer, more: object = {}) => ({
  name: 'fridge',
  url,
  projects: 'all',
  tools: ['*'],
  reads: ['read_log'],
  ...more,
});

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } turn { id } lastSeq } ... on UserError { message } } }`;
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int!) { copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
  __typename ... on SequencedEvent { seq turnId }
  ... on ToolCallFinishedEvent { tool toolStatus dataSource preview resultId error { code message } }
  ... on ToolApprovalEvent { callId toolCallId arguments approval { state server serverTool decidedBy } }
  ... on TurnFinishedEvent { turnStatus message { text numbers { text unit status callId recordId } } } } }`;
const DECIDE = `mutation ($input: DecideToolCallInput!) { decideToolCall(input: $input) { __typename
  ... on DecideToolCallPayload { toolCall { approval { state decidedBy } } } ... on UserError { code message } } }`;

type Event = Readonly<Record<string, never>> & { readonly __typename: string };
type Sent = { readonly session: { id: string }; readonly turn: { id: string }; readonly lastSeq: number };

async function send({ app }: Lab, content: string, headers: Record<string, string> = {}): Promise<Sent> {
  const input = { content, clientMessageId: `${content}-${Math.random()}`, chipId: 'demo-64' };
  const { data, errors } = await post(app.url, SEND, { variables: { input }, headers });
  expect(errors).toEqual([]);
  return data?.['sendMessage'] as Sent;
}

/** Events of the conversation until one satisfies the condition. */
async function eventsUntil(
  { app }: Lab,
  sent: Sent,
  isLast: (event: Event) => boolean,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  const variables = { sessionId: sent.session.id, afterSeq: 0 };
  for await (const { data } of sse(app.url, EVENTS, variables)) {
    const event = data?.['copilotEvents'] as Event;
    events.push(event);
    if (isLast(event)) return events;
  }
  throw new Error('the stream ended early');
}
const toEnd = (lab: Lab, sent: Sent) =>
  eventsUntil(lab, sent, ({ __typename: name }) => name === 'TurnFinishedEvent');
const asked = async (lab: Lab, sent: Sent): Promise<string> => {
  const events = await eventsUntil(lab, sent, ({ __typename: name }) => name === 'ToolApprovalEvent');
  return String(events.at(-1)?.['toolCallId']);
};
const decide = async (
  { app }: Lab,
  toolCallId: string,
  approve: boolean,
  headers: Record<string, string> = {},
) => {
  const answer = await post(app.url, DECIDE, { variables: { input: { toolCallId, approve } }, headers });
  return (answer.data?.['decideToolCall'] ?? answer.errors[0]) as Record<string, unknown>;
};
const finished = (events: readonly Event[]) =>
  events.filter(({ __typename: name }) => name === 'ToolCallFinishedEvent') as readonly Record<
    string,
    unknown
  >[];
/** What the model read of its calls. */
const outputs = ({ model }: Lab): readonly string[] =>
  ((model.requests.at(-1) ?? {})['input'] as { type: string; output: string }[]).flatMap(
    ({ type, output }) => (type === 'function_call_output' ? [output] : []),
  );

const READ = { call: ['c1', 'fridge__read_log', '{"last":2}'] } as const;
const HEAT = { call: ['c1', 'fridge__set_heater', '{"milliwatts":2.5}'] } as const;

describe('a tool that reads', () => {
  test('answers in the conversation, its numbers sourced by its call and by no record', async () => {
    const fridge = await fridgeOf();
    const lab = await open(
      [settingsOf(fridge)],
      [
        [READ],
        [{ text: 'The mixing chamber was at 37.4 mK at 05:00 and at 21.3 mK at 06:00, not at 99.9 mK.' }],
      ],
    );
    const events = await toEnd(lab, await send(lab, 'How cold was the fridge?'));
    expect(fridge.calls).toEqual([{ tool: 'read_log', args: { last: 2 } }]);
    expect(finished(events)).toMatchObject([
      { tool: 'fridge__read_log', toolStatus: 'OK', dataSource: 'MCP' },
    ]);
    const { message } = events.at(-1) as unknown as { message: { numbers: Record<string, unknown>[] } };
    const { numbers } = message;
    const temperatures = numbers.filter(({ unit }) => unit === 'mK');
    expect(temperatures.map(({ text, status, recordId }) => [text, status, recordId])).toEqual([
      ['37.4', 'SOURCED', null],
      ['21.3', 'SOURCED', null],
      ['99.9', 'UNSOURCED', null],
    ]);
    expect(temperatures[0]?.['callId']).toMatch(/^c1@/u);
    expect(outputs(lab)[0]).toContain('no stored record of the chip');
    const [request] = lab.model.requests;
    const tools = request?.['tools'] as { name: string; strict: boolean; parameters: object }[];
    expect(tools.slice(-2).map(({ name, strict }) => [name, strict])).toEqual([
      ['fridge__read_log', false],
      ['fridge__set_heater', false],
    ]);
    expect(tools.every(({ name, strict }) => strict || name.startsWith('fridge__'))).toBe(true);
  });

  test('brings long results as their beginning, and keeps the whole for analysis', async () => {
    const long = Array.from({ length: 2_000 }, (_, at) => ({ at, note: `entry ${at} of the log` }));
    const hostile = await startHostile([{ name: 'read', inputSchema: { type: 'object' } }], {
      'tools/call': (response, { id }) =>
        sendResult(response, id, { structuredContent: { long }, content: [] }),
    });
    opened.push(() => hostile.close());
    const lab = await open(
      [settingsOf(hostile, { reads: ['*'] })],
      [[{ call: ['c1', 'fridge__read', '{}'] }]],
    );
    await toEnd(lab, await send(lab, 'Read it'));
    const [output = ''] = outputs(lab);
    expect(output.length).toBeLessThanOrEqual(1_500);
    expect(output).toContain('"data_key":"fridge__read"');
    expect(output).toContain('entry 0 of the log');
  });

  test('that fails, and wrong arguments, leave a turn that goes on', async () => {
    const hostile = await startHostile([{ name: 'read', inputSchema: { type: 'object', required: ['a'] } }], {
      'tools/call': (response) => void response.destroy(),
    });
    opened.push(() => hostile.close());
    const calls: Said[] = [
      { call: ['c1', 'fridge__read', '{}'] },
      { call: ['c2', 'fridge__read', '{"a":1}'] },
    ];
    const lab = await open([settingsOf(hostile, { reads: ['*'] })], [calls, [{ text: 'It is away.' }]]);
    const events = await toEnd(lab, await send(lab, 'Read it'));
    const codes = finished(events).map(({ error }) => (error as { code: string }).code);
    expect(codes.toSorted()).toEqual(['INVALID_ARGUMENTS', 'MCP_SERVER_AWAY']);
    expect(events.at(-1)).toMatchObject({ turnStatus: 'COMPLETED', message: { text: 'It is away.' } });
  });

  test('hides what looks like a secret in what it returns', async () => {
    const hostile = await startHostile([{ name: 'read', inputSchema: { type: 'object' } }], {
      'tools/call': (response, { id }) =>
        sendResult(response, id, {
          content: [{ type: 'text', text: 'the key is sk-proj-abcdefghijklmnopqrstuvwx1234567890' }],
        }),
    });
    opened.push(() => hostile.close());
    const lab = await open(
      [settingsOf(hostile, { reads: ['*'] })],
      [[{ call: ['c1', 'fridge__read', '{}'] }]],
    );
    const events = await toEnd(lab, await send(lab, 'Read it'));
    const { data } = await post(
      lab.app.url,
      'query ($id: ID!) { node(id: $id) { ... on ToolCall { result } } }',
      {
        variables: { id: finished(events)[0]?.['resultId'] },
      },
    );
    expect(JSON.stringify([data, outputs(lab)])).not.toContain('abcdefghijklmnop');
  });
});

describe('a tool that writes', () => {
  test('is called once a person approves it, with the arguments that they saw; the first decision counts', async () => {
    const fridge = await fridgeOf();
    const lab = await open([settingsOf(fridge)], [[HEAT], [{ text: 'The heater is at 2.5 mW.' }]]);
    const sent = await send(lab, 'Heat it');
    const toolCallId = await asked(lab, sent);
    expect(fridge.calls).toEqual([]);
    const [first, second] = await Promise.all([
      decide(lab, toolCallId, true),
      decide(lab, toolCallId, false),
    ]);
    const made = [first, second].filter(({ __typename: name }) => name === 'DecideToolCallPayload');
    const refused = [first, second].filter(({ code }) => code === 'CONFLICT');
    expect([made.length, refused.length]).toEqual([1, 1]);
    const isApproved = JSON.stringify(made).includes('APPROVED');
    const events = await toEnd(lab, sent);
    const approvals = events.filter(
      ({ __typename: name }) => name === 'ToolApprovalEvent',
    ) as readonly unknown[];
    expect(approvals).toMatchObject([
      {
        arguments: { milliwatts: 2.5 },
        approval: { state: 'WAITING', server: 'fridge', serverTool: 'set_heater' },
      },
      { approval: { state: isApproved ? 'APPROVED' : 'DECLINED', decidedBy: 'local' } },
    ]);
    expect(fridge.calls).toEqual(isApproved ? [{ tool: 'set_heater', args: { milliwatts: 2.5 } }] : []);
    expect(await decide(lab, toolCallId, true)).toMatchObject({ code: 'CONFLICT' });
  });

  test('is not called when it is declined, and the model gets the refusal', async () => {
    const fridge = await fridgeOf();
    const lab = await open([settingsOf(fridge)], [[HEAT], [{ text: 'Then not.' }]]);
    const sent = await send(lab, 'Heat it');
    expect(await decide(lab, await asked(lab, sent), false)).toMatchObject({
      toolCall: { approval: { state: 'DECLINED' } },
    });
    const events = await toEnd(lab, sent);
    expect(fridge.calls).toEqual([]);
    expect(finished(events)).toMatchObject([{ toolStatus: 'SKIPPED', error: { code: 'DECLINED' } }]);
    expect(outputs(lab)[0]).toContain('a person declined this call');
    expect(events.at(-1)).toMatchObject({ turnStatus: 'COMPLETED', message: { text: 'Then not.' } });
  });

  test('is too late after its time, for whoever decides then', async () => {
    const fridge = await fridgeOf();
    const lab = await open([settingsOf(fridge)], [[HEAT], [{ text: 'Nobody was there.' }]], {
      approvalSeconds: 1,
    });
    const sent = await send(lab, 'Heat it');
    const toolCallId = await asked(lab, sent);
    const events = await toEnd(lab, sent);
    expect(finished(events)).toMatchObject([{ toolStatus: 'SKIPPED', error: { code: 'EXPIRED' } }]);
    const late = await decide(lab, toolCallId, true);
    expect([late['code'], String(late['message'])]).toEqual(['CONFLICT', expect.stringContaining('in time')]);
    expect(fridge.calls).toEqual([]);
  });

  test('is not called when the turn is cancelled, nor when its process goes while it waits', async () => {
    const fridge = await fridgeOf();
    const lab = await open([settingsOf(fridge)], [[HEAT], [HEAT], [HEAT]]);
    const sent = await send(lab, 'Heat it');
    const toolCallId = await asked(lab, sent);
    const cancel = `mutation ($input: CancelTurnInput!) { cancelTurn(input: $input) { __typename } }`;
    await post(lab.app.url, cancel, { variables: { input: { turnId: sent.turn.id } } });
    expect((await toEnd(lab, sent)).at(-1)).toMatchObject({ turnStatus: 'CANCELLED' });
    expect(await decide(lab, toolCallId, true)).toMatchObject({ code: 'CONFLICT' });
    const again = await send(lab, 'Heat it again');
    const second = await asked(lab, again);
    await lab.app.restart();
    expect((await toEnd(lab, again)).at(-1)).toMatchObject({ turnStatus: 'INTERRUPTED' });
    expect(await decide(lab, second, true)).toMatchObject({ code: 'CONFLICT' });
    expect(fridge.calls).toEqual([]);
  });

  test('is refused without asking where a person could not be shown all of it', async () => {
    const fridge = await fridgeOf();
    const heat = (id: string, note: string): Said => ({
      call: [id, 'fridge__set_heater', JSON.stringify({ milliwatts: 1, note })],
    });
    const secret = heat('c1', 'password: hunter2-is-not-shown');
    const lab = await open(
      [settingsOf(fridge)],
      [[secret, heat('c2', 'x'.repeat(5_000))], [{ text: 'No.' }]],
    );
    const events = await toEnd(lab, await send(lab, 'Heat it'));
    expect(finished(events).map(({ error }) => (error as { code: string }).code)).toEqual([
      'NOT_SHOWABLE',
      'NOT_SHOWABLE',
    ]);
    expect(fridge.calls).toEqual([]);
  });

  test('is decided about in the audit, with the call', async () => {
    const fridge = await fridgeOf();
    const lab = await open([settingsOf(fridge)], [[HEAT], [{ text: 'Done.' }]]);
    const sent = await send(lab, 'Heat it');
    const toolCallId = await asked(lab, sent);
    await decide(lab, toolCallId, true);
    await toEnd(lab, sent);
    const { data, errors } = await post(
      lab.app.url,
      '{ auditLog(first: 5) { nodes { kind action outcome } } }',
    );
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toContain('decideToolCall');
  });
});

test('a project that may not use a server has neither its tools nor its name', async () => {
  const fridge = await fridgeOf();
  const file = settingsOf(fridge, { projects: ['elsewhere'] });
  const lab = await open([file], [[{ text: 'Hello.' }]]);
  const { data } = await post(lab.app.url, '{ labServers { name } }');
  expect(data).toEqual({ labServers: [] });
  await toEnd(lab, await send(lab, 'Hi'));
  expect(JSON.stringify(lab.model.requests[0]?.['tools'])).not.toContain('fridge');
});

test('the tools of a conversation stay as they were while a server is away', async () => {
  const fridge = await fridgeOf();
  const lab = await open([settingsOf(fridge)], [[{ text: 'One.' }], [{ text: 'Two.' }]]);
  await toEnd(lab, await send(lab, 'One'));
  await fridge.close();
  await toEnd(lab, await send(lab, 'Two'));
  const [one, two] = lab.model.requests.map(({ tools }) => JSON.stringify(tools));
  expect(two).toBe(one);
});
