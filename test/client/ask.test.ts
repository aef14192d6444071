import { afterEach, describe, expect, test } from '@jest/globals';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import { completed, tell, text } from '../support/activities.ts';
import { ask } from '../support/ask.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { until } from '@qpilot/test-support';

let app: TestApp | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

const start = async (answerTurn: AnswerTurn): Promise<TestApp> => {
  app = await createTestApp({ answerTurn });
  return app;
};

const looking: readonly TurnActivity[] = [
  text('Let me see.'),
  {
    type: 'tool-started',
    call: { callId: 'c', tool: 'look', label: 'Looking', description: 'at T1', arguments: {}, round: 1 },
  },
  {
    type: 'source-fallback',
    from: 'LIVE',
    to: 'SNAPSHOT',
    reason: 'TIMEOUT',
    text: 'the live source did not answer',
  },
  {
    type: 'tool-finished',
    call: {
      callId: 'c',
      tool: 'look',
      status: 'OK',
      durationMs: 12,
      dataSource: 'SNAPSHOT',
      preview: 'T1 of 2 qubits',
      freshness: {
        source: 'SNAPSHOT',
        newestAt: new Date('2026-05-20T00:00:00Z'),
        oldestAt: new Date('2026-05-20T00:00:00Z'),
        staleAfterSeconds: null,
      },
      resultJson: null,
      error: null,
      visuals: [
        {
          type: 'chart',
          title: 'T1',
          kind: 'HEATMAP',
          data: [
            {
              type: 'heatmap',
              z: [
                [10, 50],
                [null, 90],
              ],
            },
          ],
          layout: {},
        },
        {
          type: 'table',
          title: 'Ranking',
          columns: [
            { key: 'qid', label: 'Qubit', unit: null, format: 'text' },
            { key: 't1', label: 'T1', unit: 'μs', format: 'number' },
          ],
          rows: [
            { qid: 'Q0', t1: 10 },
            { qid: 'Q1', t1: 50.5 },
            { qid: 'Q2', t1: null },
          ],
        },
      ],
    },
  },
  text('All is well.'),
];

describe('npm run ask', () => {
  test('prints text, tool lines, charts and tables as they come, and ends well', async () => {
    const { url } = await start(tell(...looking));
    const { code, stdout } = await ask('How is', 'T1?', '--url', url).ended;
    expect(code).toBe(0);
    for (const part of [
      'Let me see.',
      '→ Looking: at T1',
      '⇄ LIVE → SNAPSHOT (TIMEOUT): the live source did not answer\n',
      '✓ look (12 ms, SNAPSHOT): T1 of 2 qubits',
      '▣ T1 (heatmap)\n  ░ 10 ▒ 50\n     · █ 90\n',
      '  Qubit  T1 (μs)\n  ──────────────\n  Q0          10\n  Q1        50.5\n  Q2           —\n  3 of 3 rows\n',
      'All is well.',
      'Data: SNAPSHOT, measured 2026-05-20',
      'COMPLETED by scripted in 1 round',
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test('says what the model thinks of it, and which tables are only its own', async () => {
    const { url } = await start(async ({ emit }) => {
      emit(text('| a | b |\n|---|---|\n| 1 | 2 |'));
      return { ...completed, assessment: 'WARNING' };
    });
    const { stdout } = await ask('How is T1?', '--url', url).ended;
    expect(stdout).toMatch(
      /\| 1 \| 2 \|\n\nTables in the text are the model's own.*\nAssessment: WARNING\nCOMPLETED/,
    );
  });

  test('prints each event as a line of JSON, numbered without gaps', async () => {
    const { url } = await start(tell(...looking));
    const { code, stdout } = await ask('--json', 'How is T1?', '--url', `${url}/graphql`).ended;
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; __typename: string });
    expect(code).toBe(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnFinishedEvent', status: 'COMPLETED' });
  });

  test('continues a session that was named at the end of an answer', async () => {
    const questions: string[] = [];
    const { url } = await start(async ({ session, question }) => {
      questions.push(`${session.id} ${question.text}`);
      return completed;
    });
    const first = await ask('One', '--url', url).ended;
    const session = /--session (\S+)/.exec(first.stdout)![1]!;
    expect((await ask('Two', '--session', session, '--url', url).ended).code).toBe(0);
    const ids = new Set(questions.map((line) => line.split(' ')[0]));
    expect({ ids: ids.size, texts: questions.map((line) => line.split(' ')[1]) }).toEqual({
      ids: 1,
      texts: ['One', 'Two'],
    });
  });

  test('goes on over a restart of the server, prints nothing twice, and fails for an interrupted answer', async () => {
    const running = await start(async ({ emit, signal }) => {
      emit(text('Half an ans'));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const asking = ask('Tell me', '--url', running.url);
    await until(() => asking.printed().includes('Half an ans'));
    await running.restart();
    const { code, stdout, stderr } = await asking.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('The connection was lost');
    expect(stdout.match(/Half an ans/g)).toHaveLength(1);
    expect(stdout).toContain('INTERRUPTED');
  });

  test('cancels the turn on Ctrl-C, shows how it ended and says so to the shell', async () => {
    const { url } = await start(async ({ emit, signal }) => {
      emit(text('On and on'));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const asking = ask('Tell me', '--url', url);
    await until(() => asking.printed().includes('On and on'));
    asking.interrupt();
    const { code, stdout } = await asking.ended;
    expect(stdout).toContain('CANCELLED');
    expect(code).toBe(130);
  });

  test('fails for a turn that failed', async () => {
    const { url } = await start(async () => ({
      ...completed,
      status: 'FAILED',
      error: { code: 'QUOTA', message: 'the quota is used up', retryable: false },
    }));
    const { code, stdout } = await ask('Hi', '--url', url).ended;
    expect({ code, told: stdout.includes('QUOTA: the quota is used up') }).toEqual({ code: 1, told: true });
  });

  test('says what is wrong with a question that is refused', async () => {
    const { url } = await start(tell());
    const { code, stderr } = await ask('Hi', '--model', 'gpt-9', '--url', url).ended;
    expect({ code, told: /INVALID_INPUT: .*gpt-9/.test(stderr) }).toEqual({ code: 1, told: true });
  });

  test.each([
    [['Hi', '--url', 'http://127.0.0.1:9'], 'no QPilot answers at http://127.0.0.1:9'],
    [['Hi', '--url', 'nonsense'], '"nonsense" is not an http address'],
    [[], 'Usage: npm run ask'],
    [['Hi', '--nonsense'], "Unknown option '--nonsense'"],
  ])('with %j says in one place what would be right', async (args, message) => {
    const { code, stderr } = await ask(...args).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});
