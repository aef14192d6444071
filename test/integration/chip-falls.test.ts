import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { withinBudget } from '../../src/base/read-budget.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  resultDocument,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { startOwnMongo } from '../support/databases.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { openToolBench } from '../support/tool-bench.ts';

const NAME = 'average_readout_fidelity';

/** Readout fidelity of each qubit of fez in a snapshot of 2025. */
async function readoutOf(day: string): Promise<readonly number[]> {
  const text = await readFile(sharedPath(`data/ibm-history/props_fez.2025-${day}.json`), 'utf8');
  const { qubits } = JSON.parse(text) as { qubits: { name: string; value: number }[][] };
  return qubits.map((each) => 1 - (each.find(({ name }) => name === 'readout_error')?.value ?? 0));
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
};

describeWithSharedData('falls of a device that records no errors', () => {
  let qdash: QdashDatabase;
  let first: readonly number[];
  let second: readonly number[];
  beforeAll(async () => {
    qdash = await openQdashDatabase();
    [first, second] = await Promise.all([readoutOf('01-23'), readoutOf('02-26')]);
  });
  afterAll(() => qdash.close());

  /** The two real snapshots in turn, a day or `days` apart, up to yesterday; the last value of qubit 7 is `last`. */
  async function chipWith(chipId: string, results: number, { days = 1, last = 0.5 } = {}) {
    const at = (place: number) =>
      new Date(NOW.getTime() - 86_400_000 - (results - 1 - place) * days * 86_400_000).toISOString();
    const valueOf = (qid: number, place: number): number =>
      qid === 7 && place === results - 1 ? last : ((place % 2 === 0 ? first : second)[qid] ?? 0);
    const qids = first.map((_, qid) => qid);
    await qdash.db.collection('chip').insertOne(chipDocument(chipId, { size: first.length }));
    await qdash.db.collection('qubit').insertMany(
      qids.map((qid) =>
        entityDocument(chipId, String(qid), {
          [NAME]: parameter(valueOf(qid, results - 1), 'a.u.', { calibrated_at: new Date(at(results - 1)) }),
        }),
      ),
    );
    await qdash.db.collection('task_result_history').insertMany(
      qids.flatMap((qid) =>
        Array.from({ length: results }, (_, place) =>
          resultDocument(chipId, String(qid), at(place), {
            output_parameters: { [NAME]: parameter(valueOf(qid, place), 'a.u.') },
          }),
        ),
      ),
    );
    const chip = await qdash.services.chips.get(viewer, chipId);
    const [summary] = await qdash.services.chipSummaries.getMany([{ chip, parameters: null }]);
    if (!summary || summary instanceof Error) throw new Error('no summary');
    const bench = openToolBench({ services: qdash.services, viewer, chipId, now: NOW });
    const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
    return { ...(await qdash.services.chipFalls.ofWeek(chip, summary)), formattedSummary };
  }

  test('are judged by the earlier changes of the parameter: only what moved farther than these counts', async () => {
    const { falls, notJudged, formattedSummary } = await chipWith('daily', 16);
    const sizes = first.map((value, qid) => Math.abs(value - (second[qid] ?? 0)));
    // The ninth of sixteen, a week before the last one.
    const before = first[7]!;
    // A week later by seven daily steps.
    const times = (before - 0.5) / (1.4826 * median(sizes) * Math.sqrt(7));
    expect(notJudged).toEqual([]);
    expect(falls).toEqual([
      expect.objectContaining({ qid: '7', before: 100 * before, after: 50, basis: 'EARLIER_CHANGES' }),
    ]);
    expect(falls[0]?.sigma).toBeCloseTo(times, 6);
    expect(formattedSummary).toContain('; 1 value is much worse than a week before.');
    expect(formattedSummary).toContain(`to 50.00 % (${times.toFixed(1)} usual changes)`);
  });

  test.each([
    ['that was measured twice', 2, 8],
    ['whose results before that week are too few', 3, 7],
  ])('are not judged on one %s', async (_case, results, days) => {
    const { falls, notJudged, formattedSummary } = await chipWith(`few-${results}`, results, { days });
    expect([falls, notJudged]).toEqual([[], ['Average Readout Fidelity']]);
    expect(formattedSummary).toContain(
      'Falls not judged, without recorded errors and with too few earlier changes: Average Readout Fidelity.',
    );
    expect(formattedSummary).not.toContain('much worse');
  });
});

test('the tool says nothing of falls where no value got worse', async () => {
  const qdash = await openQdashDatabase();
  await qdash.db.collection('chip').insertOne(chipDocument('C'));
  await qdash.db.collection('qubit').insertOne(entityDocument('C', '0', { t1: parameter(100) }));
  await qdash.db
    .collection('task_result_history')
    .insertMany(['2026-02-10', '2026-02-24'].map((day) => t1Result('C', '0', `${day}T00:00:00Z`, 100)));
  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'C', now: NOW });
  const { formattedSummary } = await bench.result('get_chip_summary', { param_names: null });
  expect(formattedSummary).not.toMatch(/much worse|not judged/u);
  await qdash.close();
});

test('falls are read once for as long as nothing is written, and anew after that', async () => {
  // Of its own: the clock of a server counts writes to any database.
  const qdash = await openQdashDatabase(null, 'UTC', startOwnMongo());
  try {
    const { db, services } = qdash;
    const at = (days: number): string => new Date(NOW.getTime() - days * 86_400_000).toISOString();
    await db.collection('chip').insertOne(chipDocument('C', { size: 1 }));
    await db
      .collection('qubit')
      .insertOne(entityDocument('C', '0', { t1: parameter(40, 'us', { calibrated_at: new Date(at(1)) }) }));
    const write = (days: number, value: number) =>
      db.collection('task_result_history').insertOne(t1Result('C', '0', at(days), value, { error: 1 }));
    await write(20, 40);
    await write(1, 40);
    const summarised = async () => {
      const chip = await services.chips.get(viewer, 'C');
      const [summary] = await services.chipSummaries.getMany([{ chip, parameters: null }]);
      if (!summary || summary instanceof Error) throw new Error('no summary');
      return { chip, summary };
    };
    const read = async () => {
      const { chip, summary } = await summarised();
      return services.chipFalls.ofWeek(chip, summary);
    };
    // Whoever asks first may leave: others have the same comparison.
    const { chip, summary } = await summarised();
    const left = new AbortController();
    qdash.client.on('commandStarted', ({ commandName }) => {
      if (commandName !== 'hello') left.abort();
    });
    const first = await withinBudget(left.signal, 60_000, () => services.chipFalls.ofWeek(chip, summary));
    expect(left.signal.aborted).toBe(true);
    expect(first.falls).toEqual([]);
    expect(await read()).toBe(first);
    await write(10, 90); // what was current a week before the newest value
    expect(await read()).not.toBe(first);
  } finally {
    await qdash.close();
  }
});
