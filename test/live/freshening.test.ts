import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTurnLive } from '../../src/agent/live/turn-live.ts';
import type { ToolResult } from '../../src/agent/tool.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import {
  startControlServer,
  type ControlServer,
} from '../../src/import/demo/control-server/control-server.ts';
import type { LiveLimiter } from '../../src/sources/live/limiter.ts';
import { createLiveSource } from '../../src/sources/live/live-source.ts';
import { createLogger } from '../../src/base/log.ts';
import { ofType } from '../support/agent-run.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { openToolBench, type ToolBench } from '../support/tool-bench.ts';
import { until } from '@qpilot/test-support';
import { startAnsweringServer, type AnsweringServer } from './answering-server.ts';

const log = createLogger('silent');
/** When all that is stored is older than it may be. */
const DAYS_LATER = new Date(DEMO_NOW.getTime() + 10 * 24 * 3_600_000);

const unlimited: LiveLimiter = { take: async () => ({ allowed: true }), quota: async () => null };
const full: LiveLimiter = {
  take: async () => ({
    allowed: false,
    because: 'LIMIT',
    message: 'the limit is reached',
    retryAfterMs: 9_000,
  }),
  quota: async () => null,
};

let demo: DemoDatabase;
let control: ControlServer;
let source: AnsweringServer;

beforeAll(async () => {
  demo = await openDemoDatabase();
  control = await startControlServer({ port: 0, seed: 1, now: () => DAYS_LATER });
  source = await startAnsweringServer();
});
/** A control server that counts how often it is asked. */
beforeEach(() =>
  source.answer(({ url = '' }, response) => {
    void fetch(`${control.url}${url}`).then(async (answer) => response.end(await answer.text()));
  }),
);
afterAll(async () => {
  await Promise.all([demo.close(), control.close(), source.close()]);
});

type Asked = {
  question?: string;
  now?: Date;
  limiter?: LiveLimiter;
  url?: string | null;
  timeoutMs?: number;
};
type Turn = ToolBench & { readonly told: TurnActivity[]; requests(): number };

/** One turn's tools, with the live source beside them. */
function openTurn(asked: Asked = {}): Turn {
  const { question = 'How is it?', now = DAYS_LATER, limiter = unlimited, timeoutMs = 5_000 } = asked;
  const url = asked.url === undefined ? `${source.url}/chips/{chip}` : asked.url;
  const told: TurnActivity[] = [];
  const before = source.requests.length;
  const live = openTurnLive({
    source: createLiveSource({ url, limiter, now: () => now, log, timeoutMs }),
    question,
    emit: (activity) => told.push(activity),
    signal: new AbortController().signal,
  });
  const bench = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now, live });
  return { ...bench, told, requests: () => source.requests.length - before };
}

type LiveData = { readonly cause: string; readonly fallback: object | null; readonly values: object[] };
const liveOf = ({ data }: ToolResult): LiveData => (data as { readonly live: LiveData }).live;
const liveLines = ({ formattedSummary }: ToolResult): string[] =>
  formattedSummary.split('\n').filter((line) => line.startsWith('Live '));

const rankT1 = { metric_name: 't1', order: 'lowest' };
const readout = { metric_name: 'average_readout_fidelity' };

describe('live values beside stored ones', () => {
  test('are added where stored ones are old, once told and once asked for in a turn', async () => {
    const turn = openTurn();
    const [ranked, drawn] = await Promise.all([
      turn.result('rank_qubits', rankT1),
      turn.result('generate_chip_heatmap', { metric_name: 't1' }),
    ]);
    for (const result of [ranked, drawn]) {
      expect(liveOf(result)).toMatchObject({ cause: 'STALE', fallback: null });
      expect(liveOf(result).values).toHaveLength(64);
      expect(liveLines(result)).toEqual([
        'Live values were read 2026-05-30 01:00 UTC because stored ones are older than they may be:',
        expect.stringMatching(
          /^Live T1 of 64: median \d+\.\d+ μs, lowest Q45 \d+\.\d+ μs, highest Q\d\d \d+\.\d+ μs \(measured 2026-05-30 00:5\d to /,
        ),
      ]);
      expect(result).toMatchObject({ source: 'SNAPSHOT', freshness: { source: 'SNAPSHOT' } });
      expect(result.liveFreshness).toMatchObject({ source: 'LIVE', staleAfterSeconds: 48 * 3600 });
      expect(result.visuals.at(-1)).toMatchObject({ type: 'table', title: 'Live values of demo-64' });
      expect(result.preview).toMatch(/; 64 live$/);
    }
    expect(turn.requests()).toBe(1);
    expect(turn.told).toEqual([
      {
        type: 'source-fallback',
        from: 'SNAPSHOT',
        to: 'LIVE',
        reason: 'STALE',
        text: 'Stored values of demo-64 are older than they may be; live ones were read 2026-05-30 01:00 UTC.',
      },
    ]);
  });

  test('reach a model in a few rows, whatever the chip', async () => {
    const { output } = await openTurn().call('rank_qubits', rankT1);
    const { data } = JSON.parse(output) as { data: { live: { rows: number; values: object[] } } };
    expect(data.live.rows).toBe(64);
    expect(data.live.values).toHaveLength(16);
    expect(data.live.values[0]).toMatchObject({ qid: '0', parameter: 't1', unit: 'μs', display_unit: 'μs' });
  });

  test('are not asked for while stored ones are young', async () => {
    const turn = openTurn({ now: DEMO_NOW });
    const result = await turn.result('get_qubit_params', { qid: '7' });
    expect(result.data).not.toHaveProperty('live');
    expect([turn.requests(), turn.told]).toEqual([0, []]);
  });

  test('of young ones are added when the user says now, with the error and the time of each', async () => {
    const turn = openTurn({ now: DEMO_NOW, question: 'What is T1 of Q7 right now?' });
    const result = await turn.result('get_qubit_params', { qid: '7' });
    expect(liveLines(result)).toContainEqual(
      expect.stringMatching(/^Live T1: Q07 \d+\.\d ± \d\.\d μs \(2026-05-30 00:5\d UTC\)\.$/),
    );
    expect(ofType(turn.told, 'source-fallback')).toEqual([
      expect.objectContaining({ from: 'SNAPSHOT', to: 'LIVE', reason: 'USER_REQUESTED' }),
    ]);
  });

  test('stand in for what is not stored, and only for that', async () => {
    const at = '2026-05-20T00:50:00Z';
    const ofEach = Array.from({ length: 64 }, (_, qid) => ({ qid, value: 0.97, unit: '', at }));
    const parameter = 'average_readout_fidelity';
    source.answerJson({ chip: 'demo-64', at, values: ofEach.map((value) => ({ ...value, parameter })) });
    const turn = openTurn({ now: DEMO_NOW });
    const result = await turn.result('generate_chip_heatmap', readout);
    const { missing } = (await turn.result('rank_qubits', { ...readout, order: 'best' })).data as {
      missing: number;
    };
    expect(missing).toBeGreaterThan(0);
    expect(liveOf(result).values).toHaveLength(missing);
    expect(liveOf(result).cause).toBe('NOT_STORED');
    expect(liveLines(result)[1]).toMatch(
      /^Live Average Readout Fidelity: Q\d\d 97\.00 % \(2026-05-20 00:50 UTC\)/,
    );
    expect(ofType(turn.told, 'source-fallback').map(({ reason }) => reason)).toEqual(['NOT_STORED']);
  });

  test('are left out where they are no newer, and then nothing is said of them', async () => {
    const at = '2026-05-01T00:00:00Z';
    const values = [{ qid: '7', parameter: 't1', value: 50, unit: 'us', at }];
    source.answerJson({ chip: 'demo-64', at, values });
    const turn = openTurn();
    const result = await turn.result('get_qubit_params', { qid: '7' });
    expect(liveOf(result).values).toEqual([]);
    expect(result.formattedSummary).toContain('the live source has nothing newer.');
    expect(result).not.toHaveProperty('liveFreshness');
    expect([turn.requests(), turn.told]).toEqual([1, []]);
  });

  test.each([
    ['get_chip_parameter_timeseries', { parameter_name: 't1', last_n: 5 }],
    ['generate_chip_heatmap', { metric_name: 't1', selection_mode: 'best' }],
    ['rank_qubits', { ...rankT1, within_hours: 1_000 }],
    ['get_chip_topology', {}],
  ])('are not for history, choices and layouts: %s', async (name, args) => {
    const turn = openTurn({ question: 'and right now?' });
    expect((await turn.result(name, args)).data).not.toHaveProperty('live');
    expect(turn.requests()).toBe(0);
  });

  test.each([
    ['compare_qubits', { qids: ['3', '5'], param_names: ['t1', 't2_echo'] }, 4],
    ['get_chip_summary', { param_names: ['t1', 't2_echo'] }, 128],
    ['find_outliers', { metric_name: 't1' }, 64],
    ['rank_qubits', { metric_name: 'zx90_gate_fidelity', order: 'worst' }, 112],
    ['get_coupling_params', { qubit_id: '0', param_names: ['zx90_gate_fidelity'] }, 2],
  ])('come with %s', async (name, args, rows) => {
    const result = await openTurn().result(name, args);
    expect(liveOf(result).values).toHaveLength(rows);
    expect(liveLines(result).length).toBeGreaterThan(1);
  });
});

describe('where the live source cannot be asked', () => {
  const refusal = () => source.answerJson({}, 401);
  const silence = () => source.answer(() => {});
  test.each([
    ['the limit is reached', { limiter: full }, () => {}, 'RATE_LIMITED', 'the limit is reached'],
    ['it does not answer', { timeoutMs: 200 }, silence, 'TIMEOUT', 'it did not answer within 0.2 s'],
    ['it refuses', {}, refusal, 'UNREACHABLE', "it refuses QPilot's credentials (HTTP 401)"],
  ])('because %s, stored values stand and say so', async (_why, asked, prepare, reason, words) => {
    prepare();
    const turn = openTurn(asked);
    const [result] = await Promise.all([
      turn.result('rank_qubits', rankT1),
      turn.result('generate_chip_heatmap', { metric_name: 't1' }),
    ]);
    expect(result.formattedSummary).toMatch(/^The live source of demo-64 was not used: /);
    expect(result.formattedSummary).toContain('What follows is stored, not live;');
    expect(result.formattedSummary).toMatch(
      /The 5 lowest T1 of 64 qubits.*\nStored results, measured 2026-05-/s,
    );
    expect(liveOf(result).values).toEqual([]);
    expect(result).toMatchObject({ source: 'SNAPSHOT', freshness: { source: 'SNAPSHOT' } });
    expect(result).not.toHaveProperty('liveFreshness');
    expect(turn.requests()).toBeLessThanOrEqual(1);
    expect(ofType(turn.told, 'source-fallback')).toEqual([
      expect.objectContaining({ from: 'LIVE', to: 'SNAPSHOT', reason, text: expect.stringContaining(words) }),
    ]);
  });

  test('because there is none, nothing is said', async () => {
    const turn = openTurn({ url: null, question: 'right now?' });
    const { data, formattedSummary } = await turn.result('rank_qubits', rankT1);
    expect(data).not.toHaveProperty('live');
    expect(formattedSummary).not.toContain('live');
    expect(turn.told).toEqual([]);
  });

  test('the end of the turn ends the asking', async () => {
    source.answer(() => {});
    const live = openTurnLive({
      source: createLiveSource({ url: source.url, limiter: unlimited, now: () => DAYS_LATER, log }),
      question: '',
      emit: () => {},
      signal: new AbortController().signal,
    });
    const before = source.requests.length;
    const chip = await demo.services.chips.get(demoViewer, 'demo-64');
    const reading = live.read(chip);
    await until(() => source.requests.length > before);
    live.close();
    await expect(reading).rejects.toThrow('aborted');
  });
});
