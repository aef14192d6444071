import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  expectedFigures,
  figuresOf,
  LAST_HOUR,
  latestRuns,
  openHistoryBench,
  QIDS,
  resultOf,
  runs,
} from '../support/calibration-histories.ts';
import type { Figures, HistoryBench, Run } from '../support/calibration-histories.ts';
import { chipDocument, entityDocument, NOW, parameter, viewer } from '../support/qdash-database.ts';
import { openToolBench } from '../support/tool-bench.ts';

/**
 * Each way to count something twice, and the rule against it. D1, one row a day of the lab, is in
 * calibration-time-zone.test.ts; D3, couplings and their directions, in calibration-couplings.test.ts.
 */

let bench: HistoryBench;
beforeAll(async () => {
  bench = await openHistoryBench();
});
afterAll(() => bench.close());

const added = fc.record({
  qid: fc.constantFrom(...QIDS),
  hour: fc.integer({ min: LAST_HOUR + 1, max: LAST_HOUR + 50 }),
  value: fc.integer({ min: 1, max: 1000 }),
});

/** A stored history, and a run that is newer than all of it. */
const forHistories = (check: (history: readonly Run[], newest: Run) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(runs, added, async (history, newest) => {
      await bench.store(history);
      await check(history, newest);
    }),
    { numRuns: 6 },
  );

/** Figures that stand on task results alone. */
const ofResults = ({ latest, lastPoints, window, muxes, total }: Figures) => ({
  latest,
  lastPoints,
  window,
  muxes,
  total,
});

const pointsOf = async (qid: string) => {
  const { chipTimeseries } = bench.qdash.services;
  const { series } = await chipTimeseries.get(bench.chip, { parameter: 't1', qids: [qid], lastN: 200 });
  return series[0]?.points ?? [];
};

test('D2: what a task wrote for a whole MUX is no value of a qubit, and MUX and chip are means over qubits', () =>
  forHistories(async (history, newest) => {
    await bench.add(
      resultOf(newest, { task_type: 'mux' }),
      resultOf({ ...newest, qid: '' }, { task_type: 'global', task_id: 'global' }),
    );
    expect(await figuresOf(bench)).toEqual(expectedFigures(history));
  }));

test('D4: history and statistics are of task results, what is set now of the current values, and neither of both', () =>
  forHistories(async (history, { value }) => {
    const before = await figuresOf(bench);
    const set = { $set: { 'data.t1': parameter(value) } };
    await bench.qdash.db.collection('qubit').updateMany({}, set);
    const after = await figuresOf(bench);
    expect(ofResults(after)).toEqual(ofResults(before));
    expect(after.summary).toEqual(QIDS.map(() => value));
    const { statistics } = await bench.qdash.services.chipMetrics.get(bench.chip, { name: 't1' });
    expect(statistics.stored).toMatchObject({ count: latestRuns(history).length, median: before.medians[0] });
  }));

test('D5: two tasks that write one parameter give a qubit one value, the latest, and it is said that there are two', () =>
  forHistories(async (history, newest) => {
    await bench.add(resultOf(newest, { name: 'CheckT1Average' }));
    const { latest, window, lastPoints } = expectedFigures([...history, newest]);
    expect(await figuresOf(bench)).toMatchObject({ latest, window, lastPoints });
    expect((await pointsOf(newest.qid)).at(-1)?.taskName).toBe('CheckT1Average');
    const tools = openToolBench({ services: bench.qdash.services, viewer, chipId: 'C1', now: NOW });
    const series = { chip_id: null, parameter_name: 't1', qid: newest.qid, last_n: 200 };
    const { formattedSummary } = await tools.result('get_parameter_timeseries', series);
    const isMixed = history.some(({ qid }) => qid === newest.qid);
    expect(formattedSummary.includes('Its results are of several tasks: CheckT1 and CheckT1Average.')).toBe(
      isMixed,
    );
    const heatmap = { chip_id: null, metric_name: 't1', selection_mode: null, within_hours: null };
    const told = (await tools.result('generate_chip_heatmap', heatmap)).formattedSummary;
    const isAlone = latestRuns(history).every(({ qid }) => qid === newest.qid);
    expect(/From task CheckT1(?:Average)?: /u.test(told)).toBe(!isAlone);
  }));

test('D6: a re-execution supersedes the run that it repeats, and both stay in history', () =>
  forHistories(async (history, newest) => {
    const [source] = latestRuns(history);
    if (!source) throw new Error('a history has a run');
    const again = { ...newest, qid: source.qid };
    const sourceId = `${source.qid}@${source.hour}`;
    await bench.add(resultOf(again, { source_task_id: sourceId, task_id: 'again' }));
    const { latest, lastPoints, window } = expectedFigures([...history, again]);
    expect(await figuresOf(bench)).toMatchObject({ latest, lastPoints, window });
    const kept = (await pointsOf(source.qid)).map(({ taskId }) => taskId);
    expect(kept.slice(-2)).toEqual([sourceId, 'again']);
  }));

test('D7: rows of several users are one chip and one of each qubit', () =>
  forHistories(async (history, { value }) => {
    const before = await figuresOf(bench);
    const old = parameter(value, 'μs', { calibrated_at: new Date('2020-01-01T00:00:00Z') });
    const { db, services } = bench.qdash;
    const other = { username: 'ann' };
    await db.collection('qubit').insertMany(QIDS.map((qid) => entityDocument('C1', qid, { t1: old }, other)));
    await db.collection('chip').updateOne(other, { $set: chipDocument('C1', other) }, { upsert: true });
    const measured = latestRuns(history).map(({ qid }) => qid);
    const after = await figuresOf(bench);
    expect(ofResults(after)).toEqual(ofResults(before));
    // What only the other user ever set is the only value there is.
    expect(after.summary).toEqual(
      QIDS.map((qid, index) => (measured.includes(qid) ? before.summary[index] : value)),
    );
    expect(await services.chips.list(viewer)).toHaveLength(1);
    const { statistics } = await services.chipMetrics.get(bench.chip, { name: 't1' });
    expect([statistics.stored.count, statistics.missing]).toEqual([
      measured.length,
      QIDS.length - measured.length,
    ]);
  }));

test('D8: what was excluded is in no figure, and in history with its reason', () =>
  forHistories(async (history, newest) => {
    const why = { excluded: true, excluded_reason: 'Pump was on', task_id: 'excluded' };
    await bench.add(resultOf(newest, why));
    expect(await figuresOf(bench)).toEqual(expectedFigures(history));
    const { items } = await bench.qdash.services.taskResults.page(bench.chip, { first: 1 });
    expect(items[0]?.item).toMatchObject({
      taskId: 'excluded',
      excluded: true,
      excludedReason: 'Pump was on',
      outputParameters: [{ value: newest.value }],
    });
  }));

test('D9: runs that were not completed are never a value, even where they left one', () =>
  forHistories(async (history, newest) => {
    const statuses = ['failed', 'running', 'skipped', 'cancelled', 'pending', 'scheduled', 'unheard-of'];
    await bench.add(
      ...statuses.map((status, index) =>
        resultOf({ ...newest, hour: newest.hour + index }, { status, task_id: status }),
      ),
    );
    expect(await figuresOf(bench)).toEqual(expectedFigures(history));
    const { values } = await bench.qdash.services.chipMetrics.get(bench.chip, { name: 't1' });
    const told = values.find(({ qid }) => qid === newest.qid);
    expect(told?.newerFailure?.taskId ?? null).toBe(told?.value === null ? null : 'failed');
  }));

test('D10: a window that spans two cool-downs is of the newer one, and values of another one are named', () =>
  forHistories(async (history, newest) => {
    const { db, services } = bench.qdash;
    await db.collection('task_result_history').updateMany({}, { $set: { cooldown_id: 'first' } });
    await bench.add(resultOf(newest, { cooldown_id: 'second' }));
    const { current } = await services.periodComparisons.get(bench.chip, {
      parameter: 't1',
      windowHours: 401,
    });
    expect(current.cooldownIds).toEqual(['second', 'first']);
    expect(current.statistics.stored).toMatchObject({ count: 1, max: newest.value });
    expect(current.series.map(({ value, members }) => [value, members])).toEqual([[newest.value, 1]]);
    const cooldowns = (await pointsOf(newest.qid)).map(({ cooldownId }) => cooldownId);
    expect(cooldowns).toEqual([
      ...history.filter(({ qid }) => qid === newest.qid).map(() => 'first'),
      'second',
    ]);
    const others = latestRuns(history).filter(({ qid }) => qid !== newest.qid);
    const tools = openToolBench({ services, viewer, chipId: 'C1', now: NOW });
    const heatmap = { chip_id: null, metric_name: 't1', selection_mode: null, within_hours: null };
    const { formattedSummary } = await tools.result('generate_chip_heatmap', heatmap);
    expect(/From cool-down (?:first|second): Q\d\d/u.test(formattedSummary)).toBe(others.length > 0);
  }));
