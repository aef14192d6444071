import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { prepareCall } from '../../src/agent/loop/prepare-call.ts';
import { runCall, type CallEnding } from '../../src/agent/loop/tool-call.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import type { ToolResult } from '../../src/agent/tool.ts';
import { getLiveParameters } from '../../src/agent/tools/get-live-parameters.ts';
import { openTurnLive } from '../../src/agent/live/turn-live.ts';
import { verifyAgainstLive } from '../../src/agent/tools/verify-against-live.ts';
import type { TableSpec } from '../../src/domain/visuals.ts';
import {
  startControlServer,
  type ControlServer,
} from '../../src/import/demo/control-server/control-server.ts';
import { createLiveSource } from '../../src/sources/live/live-source.ts';
import type { LiveLimiter } from '../../src/sources/live/limiter.ts';
import { createLogger } from '../../src/base/log.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { openToolBench } from '../support/tool-bench.ts';
import { startAnsweringServer, type AnsweringServer } from './answering-server.ts';

const log = createLogger('silent');
const now = () => DEMO_NOW;

const quota = { chip: { limit: 15, left: 14 }, project: { limit: 30, left: 29 } };
const unlimited: LiveLimiter = { take: async () => ({ allowed: true }), quota: async () => quota };
const full: LiveLimiter = {
  take: async () => ({
    allowed: false,
    because: 'LIMIT',
    message: 'the limit is reached',
    retryAfterMs: 9_000,
  }),
  quota: async () => ({ ...quota, chip: { limit: 15, left: 0 } }),
};

const tools = createToolRegistry([getLiveParameters, verifyAgainstLive], () => []);

let demo: DemoDatabase;
let control: ControlServer;
let broken: AnsweringServer;

beforeAll(async () => {
  demo = await openDemoDatabase();
  control = await startControlServer({ port: 0, seed: 1, now });
  broken = await startAnsweringServer();
});
beforeEach(() => broken.answerJson({}, 500));
afterAll(async () => {
  await Promise.all([demo.close(), control.close(), broken.close()]);
});

type Asked = { url?: string | null; limiter?: LiveLimiter };

/** As the loop calls them: from arguments as a model writes them to what it reads. */
async function call(name: string, args: object, asked: Asked = {}): Promise<CallEnding> {
  const { url = `${control.url}/chips/{chip}`, limiter = unlimited } = asked;
  const source = createLiveSource({ url, limiter, now, log });
  const { signal } = new AbortController();
  const live = openTurnLive({ source, question: '', emit: () => {}, signal });
  const onBug = (error: unknown): void => {
    throw error;
  };
  const { context } = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW, live });
  const prepared = prepareCall({ callId: 'c', name, arguments: JSON.stringify(args) }, tools, onBug);
  if (!prepared.runnable) throw new Error(`${name} was not run: ${prepared.error.message}`);
  const limits = { toolTimeoutMs: 60_000, resultCharacters: 30_000, onBug };
  return runCall(prepared, context, limits, signal);
}

async function resultOf(name: string, args: object, asked?: Asked): Promise<ToolResult> {
  const { result, error } = await call(name, args, asked);
  if (result === null) throw new Error(`${name} failed: ${error?.message}`);
  return result;
}

const tableOf = ({ visuals }: ToolResult) =>
  visuals.find((visual): visual is TableSpec => visual.type === 'table')!;
const rowsOf = (result: ToolResult) => tableOf(result).rows;

describe('get_live_parameters', () => {
  test('answers with live values at their own times, named as live', async () => {
    const result = await resultOf('get_live_parameters', {
      qids: ['Q07'],
      param_names: ['t1', 'anharmonicity'],
    });
    expect(result.source).toBe('LIVE');
    expect(result.freshness?.source).toBe('LIVE');
    expect(result.freshness?.oldestAt?.getTime()).toBeGreaterThan(DEMO_NOW.getTime() - 600_001);
    expect(result.data).toMatchObject({
      chip_id: 'demo-64',
      fallback: null,
      calls_left: quota,
      values: [
        { qid: '7', parameter: 'anharmonicity', unit: 'GHz', scale: 1000, display_unit: 'MHz' },
        { qid: '7', parameter: 't1', unit: 'μs', scale: 1, display_unit: 'μs' },
      ],
    });
    const [anharmonicity, t1] = rowsOf(result);
    expect(anharmonicity).toMatchObject({
      label: 'Q07',
      parameter: 'Qubit Anharmonicity',
      unit: 'MHz',
      note: null,
    });
    expect(anharmonicity?.['value']).toBeLessThan(-200);
    expect(t1?.['value']).toBeGreaterThan(20);
    expect(result.formattedSummary).toMatch(
      /^The control system says: running "\w+", \d jobs? waiting, fridge at 11\.\d\d mK\.$/m,
    );
    expect(result.formattedSummary).toMatch(/^Q07 T1: \d+\.\d ± \d\.\d μs \(2026-05-20 00:5\d UTC\)\.$/m);
    expect(result.formattedSummary).toMatch(/Live values, measured 2026-05-20 00:5\d UTC\.$/);
  });

  test('knows couplings, against their direction too, and all qubits where none is named', async () => {
    const [coupling] = (
      await demo.services.couplings.ofChips([await demo.services.chips.get(demoViewer, 'demo-64')])
    )[0]!;
    const { controlQid, targetQid, couplingId } = coupling!;
    const against = await resultOf('get_live_parameters', {
      qids: [`Q${targetQid}-Q${controlQid}`, couplingId],
    });
    expect(against.data).toMatchObject({ values: [{ qid: couplingId }, { qid: couplingId }] });
    const all = await resultOf('get_live_parameters', { param_names: ['t1'] });
    expect(rowsOf(all)).toHaveLength(64);
    expect(all.formattedSummary).toMatch(/Live T1 of 64: median .*, lowest Q45 .*, highest Q\d\d /);
  });

  test('says which of the named values the source does not have', async () => {
    const result = await resultOf('get_live_parameters', { qids: ['7'], param_names: ['t1', 'hpi_length'] });
    expect(result.formattedSummary).toContain('No live value of hpi_length: Q07.');
  });

  test.each([
    ['the limit is reached', { limiter: full }, 'RATE_LIMITED', 'the limit is reached'],
    ['there is no source', { url: null }, 'UNREACHABLE', 'none is configured'],
  ])('gives stored values, named as stored, when %s', async (_when, asked, reason, words) => {
    const result = await resultOf('get_live_parameters', { qids: ['7'], param_names: ['t1'] }, asked);
    expect(result).toMatchObject({
      source: 'SNAPSHOT',
      freshness: { source: 'SNAPSHOT' },
      data: { fallback: { reason, message: expect.stringContaining(words) }, read_at: null },
    });
    expect(tableOf(result).title).toBe('Stored values of demo-64');
    expect(result.formattedSummary).toMatch(
      /^The live source of demo-64 was not used: .*\nWhat follows is stored, not live;/,
    );
    expect(result.formattedSummary).toMatch(/Stored results, measured 2026-05-19 23:2\d UTC\.$/);
    expect(result.preview).toBe('1 stored value; the live source was not used');
  });

  test('tells plainly that it is not let in, and still labels what it shows', async () => {
    broken.answerJson({}, 401);
    const result = await resultOf('get_live_parameters', { qids: ['7'] }, { url: broken.url });
    expect(result.source).toBe('SNAPSHOT');
    expect(result.data).toMatchObject({ fallback: { reason: 'REFUSED' } });
    expect(result.formattedSummary).toContain("it refuses QPilot's credentials (HTTP 401)");
  });

  test('an unknown qubit is answered with those that there are', async () => {
    const { error } = await call('get_live_parameters', { qids: ['99'] });
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('Q00, Q01') });
  });

  test('what a hostile source sends for others, or in excess, stays out', async () => {
    const at = '2026-05-20T00:50:00Z';
    const values = [
      { qid: '7', parameter: 't1', value: 50, unit: 'us', at },
      { qid: '../../etc', parameter: 't1', value: 1, unit: 'us', at },
      ...Array.from({ length: 20_000 }, (_, n) => ({ qid: '7', parameter: `x${n}`, value: n, unit: '', at })),
    ];
    broken.answerJson({ chip: 'demo-64', at, values });
    const ending = await call('get_live_parameters', { qids: ['7'] }, { url: broken.url });
    expect(rowsOf(ending.result!)).toHaveLength(5_000);
    expect(ending.output.length).toBeLessThanOrEqual(30_000);
    expect(rowsOf(ending.result!)[0]).toMatchObject({ parameter: 'T1', count: 1, median: 50 });
  });
});

describe('verify_against_live', () => {
  test('stands stored and live values side by side with a verdict each', async () => {
    const result = await resultOf('verify_against_live', { param_names: ['t1'] });
    expect(result).toMatchObject({ source: 'LIVE', freshness: { source: 'LIVE' } });
    const rows = rowsOf(result);
    expect(rows).toHaveLength(64);
    const verdicts = Map.groupBy(rows, ({ verdict }) => verdict);
    // Most qubits of the demo sway within their errors, some wander off.
    expect(verdicts.get('MATCH')!.length).toBeGreaterThan(40);
    expect(verdicts.get('DRIFT')!.length).toBeGreaterThan(2);
    for (const { stored, live, difference, sigma, storedError, liveError } of rows as Record<
      string,
      number
    >[]) {
      expect(difference).toBeCloseTo(live! - stored!, 9);
      expect(sigma).toBeCloseTo((live! - stored!) / Math.hypot(storedError!, liveError!), 2);
    }
    expect(result.preview).toMatch(/^\d+ MATCH, \d+ DRIFT$/);
    expect(result.formattedSummary).toMatch(
      /^64 values: \d+ MATCH, \d+ DRIFT\.\nQ\d\d T1: stored .*: DRIFT, more than 3/,
    );
  });

  test('names where a stored value came from, and both times', async () => {
    const result = await resultOf('verify_against_live', { qids: ['7'], param_names: ['t1'] });
    const { rows } = result.data as { rows: Record<string, unknown>[] };
    expect(rows).toEqual([
      expect.objectContaining({
        qid: '7',
        unit: 'μs',
        execution_id: '20260519-002',
        stored: expect.objectContaining({ at: expect.stringMatching(/^2026-05-19T23/) }),
        live: expect.objectContaining({ at: expect.stringMatching(/^2026-05-20T00/) }),
      }),
    ]);
    expect(result.formattedSummary).toMatch(
      /^Q07 T1: stored [\d.]+ ± [\d.]+ μs \(2026-05-19 23:2\d UTC\), live [\d.]+ ± [\d.]+ μs .*standard deviations\): \w+, /m,
    );
  });

  test('compares the same values in the backend-properties shape, which has no errors of its own', async () => {
    const args = { qids: ['7', '12'], param_names: ['t1', 'average_readout_fidelity'] };
    const small = rowsOf(await resultOf('verify_against_live', args));
    const ibm = rowsOf(
      await resultOf('verify_against_live', args, { url: `${control.url}/backends/{chip}/properties` }),
    );
    expect(ibm).toHaveLength(4);
    ibm.forEach((row, index) => {
      expect(row).toMatchObject({ label: small[index]!['label'], liveError: null });
      expect(row['live']).toBeCloseTo(small[index]!['live'] as number, 9);
    });
  });

  test('without a live value says so for every row and calls nothing live', async () => {
    const result = await resultOf(
      'verify_against_live',
      { qids: ['7', '12'], param_names: ['t1'] },
      { url: broken.url },
    );
    expect(result).toMatchObject({ source: 'SNAPSHOT', freshness: { source: 'SNAPSHOT' } });
    expect(rowsOf(result).map(({ verdict }) => verdict)).toEqual(['LIVE_UNAVAILABLE', 'LIVE_UNAVAILABLE']);
    expect(result.data).toMatchObject({ fallback: { reason: 'UNREACHABLE' }, live_read_at: null });
    expect(result.formattedSummary).toContain('measuring again would settle it');
    expect(result.formattedSummary).toMatch(/Stored results, measured/);
  });

  test('a parameter that neither side knows is not passed over', async () => {
    const result = await resultOf('verify_against_live', { qids: ['7'], param_names: ['nonsense'] });
    expect(rowsOf(result)).toEqual([
      expect.objectContaining({ parameter: 'nonsense', verdict: 'LIVE_UNAVAILABLE' }),
    ]);
  });
});

test('the schemas are strict and small', () => {
  for (const { parameters } of tools.schemas) {
    expect(parameters).toMatchObject({
      additionalProperties: false,
      required: ['chip_id', 'qids', 'param_names'],
    });
  }
  expect(JSON.stringify(tools.schemas).length).toBeLessThan(1_800);
});
