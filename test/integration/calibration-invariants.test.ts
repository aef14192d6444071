import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
import type { HistoryBench, Run } from '../support/calibration-histories.ts';
import { openToolBench } from '../support/tool-bench.ts';
import { NOW, viewer } from '../support/qdash-database.ts';

/**
 * The invariants that hold for any history: which figures must be the same however they are asked for, and what must
 * not change a single one of them. Days at a change of the clock: calibration-time-zone.test.ts.
 */

let bench: HistoryBench;
beforeAll(async () => {
  bench = await openHistoryBench();
});
afterAll(() => bench.close());

const failure = { status: 'failed', output_parameters: {}, output_parameter_names: [], task_id: 'failed' };
const qids = fc.constantFrom(...QIDS);

/** Checks a property of a stored history and one qubit of it. */
const forHistories = (check: (history: readonly Run[], qid: string) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(runs, qids, async (history, qid) => {
      await bench.store(history);
      await check(history, qid);
    }),
    { numRuns: 8 },
  );

describe('figures about the present', () => {
  test('are the same as latest value, last point of the series, window and summary', () =>
    forHistories(async (history) => {
      const { latest, lastPoints, window, summary } = await figuresOf(bench);
      const expected = expectedFigures(history).latest;
      expect([latest, lastPoints, window, summary]).toEqual([expected, expected, expected, expected]);
    }));

  test('have one median, count and mean in the summary, the metric, the series and the window', () =>
    forHistories(async (history) => {
      const { medians, counts, means } = expectedFigures(history);
      expect(await figuresOf(bench)).toMatchObject({ medians, counts, means });
    }));

  test('have the median of the cells of the heatmap, of the table beside it, and of the summary tool', () =>
    forHistories(async (history) => {
      const { services } = bench.qdash;
      const tools = openToolBench({ services, viewer, chipId: 'C1', now: NOW });
      const heatmap = await tools.result('generate_chip_heatmap', {
        chip_id: null,
        metric_name: 't1',
        selection_mode: null,
        within_hours: null,
      });
      const summary = await tools.result('get_chip_summary', { chip_id: null, param_names: ['t1'] });
      const measured = latestRuns(history).map(({ value }) => value);
      const [median] = expectedFigures(history).medians;
      expect(heatmap.data).toMatchObject({ statistics: { median } });
      expect(summary.data).toMatchObject({ statistics: { t1: { median } } });
      const [cells, rows] = heatmap.visuals.map((visual) =>
        visual.type === 'table'
          ? visual.rows.map(({ value }) => value)
          : visual.data.flatMap(({ type, z }) => (type === 'heatmap' ? (z as number[][]).flat() : [])),
      );
      const sorted = (values: readonly unknown[] | undefined) =>
        (values ?? []).filter((value) => typeof value === 'number').toSorted((a, b) => a - b);
      expect([sorted(cells), sorted(rows)]).toEqual([sorted(measured), sorted(measured)]);
    }));

  test('of MUX and chip are means over the same reduced qubits, never over means', () =>
    forHistories(async (history) => {
      const { muxes, total } = expectedFigures(history);
      expect(await figuresOf(bench)).toMatchObject({ muxes, total });
    }));
});

describe('no figure changes', () => {
  test('when results arrive in another order', () =>
    forHistories(async (history) => {
      const before = await figuresOf(bench);
      await bench.store(history.toReversed());
      expect(await figuresOf(bench)).toEqual(before);
    }));

  test('when an older duplicate is added', () =>
    forHistories(async (history) => {
      const before = await figuresOf(bench);
      const [run] = history;
      if (run) await bench.add(resultOf({ ...run, hour: -1, value: 7 }));
      expect(await figuresOf(bench)).toEqual(before);
    }));

  test('when a newer run fails; only the failure is reported beside the value', () =>
    forHistories(async (history, qid) => {
      const before = await figuresOf(bench);
      await bench.add(resultOf({ qid, hour: LAST_HOUR + 1, value: 0 }, failure));
      expect(await figuresOf(bench)).toEqual(before);
      const { values } = await bench.qdash.services.chipMetrics.get(bench.chip, { name: 't1' });
      const told = values.flatMap(({ newerFailure, ...value }) => (newerFailure ? [value.qid] : []));
      expect(told).toEqual(history.some((run) => run.qid === qid) ? [qid] : []);
    }));
});

test('excluding the newest result makes the one before it the latest', () =>
  forHistories(async (history) => {
    const [newest] = latestRuns(history);
    if (!newest) throw new Error('a history has a run');
    await bench.qdash.db
      .collection('task_result_history')
      .updateOne({ task_id: `${newest.qid}@${newest.hour}` }, { $set: { excluded: true } });
    const rest = history.filter((run) => run !== newest);
    if (rest.length > 0) expect(await figuresOf(bench)).toEqual(expectedFigures(rest));
  }));
