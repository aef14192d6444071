/** Messages about alerts: their shapes, their quiet hours, and where they never go. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Alert } from '../../src/domain/alerts/alert.ts';
import { alertMessage, type AlertNews } from '../../src/domain/alerts/alert-message.ts';
import { quietUntil } from '../../src/domain/alerts/destination.ts';
import { endedMessage, type EndedNews } from '../../src/domain/alerts/ended-message.ts';
import type { EndedJob, EndedTurn } from '../../src/domain/alerts/ended-work.ts';
import { webhookBody } from '../../src/domain/alerts/message.ts';
import { isPrivateAddress } from '../../src/delivery/private-addresses.ts';
import { createWebhooks } from '../../src/delivery/webhook.ts';

const AT = new Date('2026-05-20T01:00:00Z');
const alert = (qid: string): Alert => ({
  id: `a${qid}`,
  ruleId: 'r',
  projectId: 'demo',
  chipId: 'demo-64',
  kind: 'QUBIT',
  qid,
  label: `Q${qid}`,
  parameter: 't1',
  ruleText: 't1 of any qubit on demo-64 below 20 μs',
  evidence: {
    value: 5,
    before: null,
    unit: 'μs',
    measuredAt: AT,
    taskId: 't',
    words: `T1 of Q${qid} <is> 5_0 *μs*`,
  },
  openedAt: AT,
  closedAt: null,
  ending: null,
  recovery: null,
  acknowledgedBy: null,
  acknowledgedAt: null,
  note: null,
});
const news = (count: number): AlertNews => ({
  id: 'm',
  at: AT,
  about: 'OPENED',
  projectId: 'demo',
  alerts: Array.from({ length: count }, (_, index) => alert(String(index + 10))),
  origin: 'https://qpilot.example',
});
const message = (count: number) => alertMessage(news(count));

test('a message has its alerts, at most 20 as words, and a link', () => {
  expect(message(2).subject).toBe('QPilot: 2 alerts on demo-64');
  expect(message(0).subject).toBe('QPilot: a test message');
  const text = message(23).mail;
  expect(text).toContain('- T1 of Q29');
  expect(text).not.toContain('- T1 of Q30');
  expect(text).toContain('and 3 more');
  expect(text).toContain('https://qpilot.example/projects/demo/chips/demo-64/qubits/10');
  expect(text).toContain('https://qpilot.example/projects/demo/alerts');
  expect((webhookBody('WEBHOOK', message(23)) as { alerts: object[] }).alerts).toHaveLength(23);
});

test.each([
  ['2026-05-20T01:00:30Z', 'under a minute'],
  ['2026-05-20T01:59:59Z', '59 minutes'],
  ['2026-05-20T02:00:00Z', '1 hour'],
  ['2026-05-20T04:25:00Z', '3 hours 25 minutes'],
  ['2026-05-22T04:25:00Z', '2 days 3 hours'],
])('a message of a recovery at %s says the value that ended it and that it lasted %s', (closed, lasted) => {
  const closedAt = new Date(closed);
  const recovery = { ...alert('10').evidence, value: 80, words: 'T1 of Q10 is 80.00 μs; measured now' };
  const recovered = (count: number) =>
    alertMessage({
      ...news(count),
      about: 'RECOVERED',
      alerts: news(count).alerts.map((each) => ({ ...each, closedAt, ending: 'RECOVERED', recovery })),
    });
  expect(recovered(1).subject).toBe('QPilot, demo-64, recovered: T1 of Q10 is 80.00 μs');
  expect(recovered(3).subject).toBe('QPilot: 3 alerts recovered on demo-64');
  const times = `open for ${lasted}: 2026-05-20 01:00 UTC to ${closed.slice(0, 16).replace('T', ' ')} UTC`;
  for (const kind of ['SLACK', 'TEAMS', 'MATTERMOST'] as const) {
    const text = JSON.stringify(webhookBody(kind, recovered(1)));
    expect(text).toContain(`T1 of Q10 is 80.00 μs; measured now; ${times}`);
    expect(text).not.toContain('5_0');
  }
  expect(recovered(1).mail).toContain(`Recovered:\n\n- T1 of Q10 is 80.00 μs; measured now\n  ${times}\n`);
  expect(webhookBody('WEBHOOK', recovered(1))).toMatchObject({
    type: 'alerts.recovered',
    alerts: [{ value: 80, openedAt: AT, closedAt }],
  });
});

test('what is written in a message is no markup of its receiver', () => {
  const json = (kind: 'SLACK' | 'TEAMS' | 'MATTERMOST') => JSON.stringify(webhookBody(kind, message(1)));
  expect(json('SLACK')).toContain('&lt;is&gt; 5_0');
  expect(json('TEAMS')).toContain('\\\\<is\\\\> 5\\\\_0 \\\\*μs\\\\*');
  expect(json('MATTERMOST')).toContain('5\\\\_0');
  expect(JSON.parse(json('TEAMS'))).toMatchObject({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } },
    ],
  });
});

const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0, totalTokens: 120, costUsd: null };
const turn: EndedTurn = {
  turnId: 't1',
  conversationId: 'c1',
  kind: 'COPILOT',
  status: 'FAILED',
  errorCode: 'MODEL_UNAVAILABLE',
  model: 'm-1',
  createdAt: '2026-05-20T01:00:00.5+00:00',
  startedAt: '2026-05-20T01:00:01+00:00',
  finishedAt: '2026-05-20T01:12:31+00:00',
  usage,
};
const job: EndedJob = {
  jobId: 'j1',
  conversationId: 'c2',
  run: 2,
  status: 'COMPLETED',
  errorCode: null,
  expertId: 'analyst',
  chipId: 'demo-64',
  model: 'm-1',
  createdAt: turn.createdAt,
  startedAt: turn.startedAt,
  finishedAt: turn.finishedAt,
  usage,
};
const ended = (of: Partial<EndedNews>) =>
  endedMessage({
    id: 'm',
    at: AT,
    projectId: 'demo',
    ended: turn,
    title: null,
    origin: 'https://qpilot.example',
    idOf: (type, key) => `${type}:${key}`,
    ...of,
  });

test('signed JSON of a turn has ids of the API, times, usage and a link; a title only of a shared conversation', () => {
  expect(ended({}).data).toEqual({
    id: 'm',
    type: 'turn.ended',
    version: 1,
    timestamp: '2026-05-20T01:00:00.000Z',
    projectId: 'demo',
    url: 'https://qpilot.example/projects/demo/copilot/CopilotSession:c1?turn=Turn:t1',
    turn: {
      turnId: 'Turn:t1',
      conversationId: 'CopilotSession:c1',
      kind: 'COPILOT',
      status: 'FAILED',
      errorCode: 'MODEL_UNAVAILABLE',
      model: 'm-1',
      createdAt: '2026-05-20T01:00:00.500Z',
      startedAt: '2026-05-20T01:00:01.000Z',
      finishedAt: '2026-05-20T01:12:31.000Z',
      waitedMs: 500,
      durationMs: 750_000,
      usage,
    },
  });
  expect(ended({ title: 'T1 of Q7' }).data).toMatchObject({ turn: { title: 'T1 of Q7' } });
  expect(ended({ ended: { ...turn, kind: 'BUILDER' } }).data).toMatchObject({
    url: 'https://qpilot.example/projects/demo/jobs/new?builder=BuilderSession:c1',
    turn: { conversationId: 'BuilderSession:c1' },
  });
  const withdrawn = { ...turn, status: 'CANCELLED', startedAt: null, usage: null, model: null } as const;
  expect(ended({ ended: withdrawn, origin: null }).data).toMatchObject({
    url: null,
    turn: { waitedMs: 750_500, durationMs: 0, usage: null },
  });
});

test('a job that ended is one line in a chat and a mail, and no markup', () => {
  const said = ended({ ended: job, title: '<b> of *today*' });
  expect(said.subject).toBe('QPilot: job on demo-64 completed');
  expect(said.lines).toEqual(['<b> of *today*; took 12 minutes']);
  expect(said.mail).toBe(
    '<b> of *today*; took 12 minutes\n\nOpen the job: https://qpilot.example/projects/demo/jobs/Job:j1\nProject demo\n',
  );
  expect(JSON.stringify(webhookBody('SLACK', said))).toContain('&lt;b&gt; of *today*');
  expect(JSON.stringify(webhookBody('TEAMS', said))).toContain('\\\\<b\\\\> of \\\\*today');
  expect(webhookBody('MATTERMOST', said)).toEqual({
    text: [
      '**QPilot: job on demo-64 completed**',
      '- \\<b\\> of \\*today\\*; took 12 minutes',
      '[Open the job](https://qpilot.example/projects/demo/jobs/Job:j1)',
    ].join('\n'),
  });
  const unstarted = { ...job, chipId: null, startedAt: null, status: 'CANCELLED' } as const;
  expect(ended({ ended: unstarted }).lines).toEqual(['job was cancelled']);
});

test.each([
  ['2026-05-20T01:00:00Z', '22:00', '07:00', 'UTC', '2026-05-20T07:00:00Z'],
  ['2026-05-20T07:00:00Z', '22:00', '07:00', 'UTC', null],
  ['2026-05-20T12:30:00Z', '12:00', '13:00', 'UTC', '2026-05-20T13:00:00Z'],
  ['2026-05-20T15:00:00Z', '22:00', '07:00', 'Asia/Tokyo', '2026-05-20T22:00:00Z'],
  // the night in which clocks are put forward
  ['2026-03-28T23:00:00Z', '22:00', '07:00', 'Europe/Berlin', '2026-03-29T05:00:00Z'],
  ['2026-05-20T01:00:00Z', '07:00', '07:00', 'UTC', null],
])('quiet at %s from %s to %s in %s until %s', (at, from, to, timeZone, end) => {
  const quiet = { from, to, timeZone, weekends: false };
  expect(quietUntil(quiet, new Date(at))).toEqual(end === null ? null : new Date(end));
});

test('a weekend is quiet until the end of its last night', () => {
  const quiet = { from: '22:00', to: '07:00', timeZone: 'UTC', weekends: true };
  expect(quietUntil(quiet, new Date('2026-05-22T23:00:00Z'))).toEqual(new Date('2026-05-25T07:00:00Z'));
});

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  '64:ff9b::7f00:1',
])('%s is private', (address) => expect(isPrivateAddress(address)).toBe(true));
test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is not private', (address) =>
  expect(isPrivateAddress(address)).toBe(false),
);

test('a name that leads to this machine is refused as it is resolved, and no redirect is followed', async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(307, { location: '/other' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const sent = { secret: null, id: 'm', at: AT, body: {} };
  const post = (url: string, ...allowed: string[]) =>
    createWebhooks({ allowedHosts: new Set(allowed) })({ ...sent, url }, signal);
  await expect(post(`http://localhost:${port}/a`)).rejects.toMatchObject({ retryable: false });
  await expect(post(`http://2130706433:${port}/a`)).rejects.toThrow('private network'); // 127.0.0.1 as a number
  await expect(post(`http://127.0.0.1:${port}/a`, `127.0.0.1:${port}`)).rejects.toThrow('answered 307');
  expect(paths).toEqual(['/a']);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await expect(post(`http://127.0.0.1:${port}/a`, '127.0.0.1')).rejects.toMatchObject({ retryable: true });
});
