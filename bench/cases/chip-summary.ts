import type { Db, Document } from 'mongodb';
import { asRatio, inMicroseconds, inMs, type Bench, type Row } from '../bench.ts';
import { openCalibrationBench, timeOf } from '../calibration.ts';
import type { CalibrationBench } from '../calibration.ts';
import { VIEWER } from '../chat.ts';
import type { ChipSize } from '../chip-documents.ts';
import { loadWith } from '../request-load.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';

const SMALL: ChipSize = { qubits: 144, results: 1 };
const LONG: ChipSize = { qubits: 144, results: 20 };
const LARGE: ChipSize = { qubits: 1024, results: 1 };
const ROUNDS = 15;
const CLIENTS = 20;
const REQUESTS = 5_000;

/**
 * `chip { summary }` as the service and as GraphQL answer it, against two things that a program could do with the bare
 * driver: one aggregation over the stored values, and the same figures as ours. Results that people excluded must not
 * count, and a database keeps their values as current ones, so the latter has to ask for those too.
 */
export const chipSummary: Bench = async ({ stores, progress }) => {
  const bench = await openCalibrationBench(stores);
  try {
    const [small, long, large] = [
      await variantsOf(bench, SMALL),
      await variantsOf(bench, LONG),
      await variantsOf(bench, LARGE),
    ];
    progress(`chips of ${SMALL.qubits} and ${LARGE.qubits} qubits, ${ROUNDS} rounds of eighteen variants`);
    const ofSmall = await interleave(ROUNDS, small);
    const ofLong = await interleave(ROUNDS, long);
    const ofLarge = await interleave(ROUNDS, large);
    const both = await interleave(ROUNDS, { small: small.service, large: large.service, long: long.service });
    const viaHttp = await interleave(ROUNDS, { small: small.made, large: large.made });
    progress(`${CLIENTS} clients send ${REQUESTS} requests`);
    const chipId = `bench-${SMALL.qubits}-${SMALL.results}`;
    const body = JSON.stringify({ query: QUERY, variables: { chipId } });
    const load = await loadWith({ url: bench.url, body, clients: CLIENTS, requests: REQUESTS });
    const growth = LARGE.qubits / SMALL.qubits;
    return [
      ...rowsOf(SMALL, ofSmall),
      ...rowsOf(LONG, ofLong),
      ...rowsOf(LARGE, ofLarge),
      asRatio(
        `service, time a qubit, ${LARGE.qubits} qubits against ${SMALL.qubits}`,
        ratioOf(both.large, both.small, Number) / growth,
        1.2,
      ),
      asRatio(
        `GraphQL, made, time a qubit, ${LARGE.qubits} qubits against ${SMALL.qubits}`,
        ratioOf(viaHttp.large, viaHttp.small, Number) / growth,
        1.2,
      ),
      asRatio(
        `service, ${LONG.results} results a parameter and qubit against ${SMALL.results}`,
        ratioOf(both.long, both.small, Number),
        1.2,
      ),
      inMicroseconds(`${CLIENTS} clients, processor time of a request, stores included`, load.cpuUs, 1_000),
      inMs(`${CLIENTS} clients, time between two answers`, 1_000 / load.perSecond, 1),
    ];
  } finally {
    await bench.close();
  }
};

type Variant = 'aggregation' | 'fetch' | 'driver' | 'service' | 'made' | 'held';

async function variantsOf(
  bench: CalibrationBench,
  size: ChipSize,
): Promise<Record<Variant, () => Promise<number>>> {
  const chip = await bench.store(size);
  const { chipId } = chip;
  return {
    aggregation: () => timeOf(() => aggregate(bench.db, chipId, [])),
    fetch: () => timeOf(() => fetchValues(bench.db, chipId)),
    driver: () => timeOf(() => aggregateIncluded(bench.db, chipId)),
    service: () => timeOf(() => bench.services.chipSummaries.getMany([{ chip, parameters: null }])),
    made: async () => {
      await bench.touch();
      return timeOf(() => bench.query(QUERY, { chipId }));
    },
    held: async () => {
      await bench.query(QUERY, { chipId });
      return timeOf(() => bench.query(QUERY, { chipId }));
    },
  };
}

/**
 * What a program would ask the driver for by hand: figures of each parameter over the chip, less those of `excluded`
 * results.
 */
async function aggregate(db: Db, chipId: string, excluded: readonly string[]): Promise<Document[]> {
  return db
    .collection('qubit')
    .aggregate([
      { $match: { project_id: VIEWER.projectId, chip_id: chipId } },
      { $project: { data: { $objectToArray: '$data' } } },
      { $unwind: '$data' },
      ...(excluded.length > 0 ? [{ $match: { 'data.v.task_id': { $nin: excluded } } }] : []),
      {
        $group: {
          _id: '$data.k',
          count: { $sum: 1 },
          mean: { $avg: '$data.v.value' },
          median: { $median: { input: '$data.v.value', method: 'approximate' } },
          min: { $min: '$data.v.value' },
          max: { $max: '$data.v.value' },
          stdev: { $stdDevSamp: '$data.v.value' },
          newest: { $max: '$data.v.calibrated_at' },
        },
      },
    ])
    .toArray();
}

/**
 * The same answer as ours: which task results are behind the values, which of these are excluded, and the rest in
 * figures.
 */
async function aggregateIncluded(db: Db, chipId: string): Promise<Document[]> {
  const behind = await db
    .collection('qubit')
    .aggregate<{ ids: string[] }>([
      { $match: { project_id: VIEWER.projectId, chip_id: chipId } },
      { $project: { ids: { $map: { input: { $objectToArray: '$data' }, in: '$$this.v.task_id' } } } },
    ])
    .toArray();
  const task_id = { $in: behind.flatMap(({ ids }) => ids) };
  const excluded = await db
    .collection('task_result_history')
    .find({ project_id: VIEWER.projectId, task_id, excluded: true }, { projection: { task_id: 1 } })
    .toArray();
  return aggregate(
    db,
    chipId,
    excluded.map((row) => String(row['task_id'])),
  );
}

/** The least that a summary made in this process can cost. */
async function fetchValues(db: Db, chipId: string): Promise<Document[]> {
  return db
    .collection('qubit')
    .find(
      { project_id: VIEWER.projectId, chip_id: chipId },
      { projection: { qid: 1, data: 1 }, batchSize: 10_000 },
    )
    .toArray();
}

const QUERY = `query ($chipId: String!) {
  chip(chipId: $chipId) {
    summary {
      qubitCount
      parameters { name title unit count missing mean median min max stdev }
      health { score label excellent good poor problems { qubit { label } parameter value unit rating } }
      freshness { newestAt oldestAt }
    }
  }
}`;

function rowsOf({ qubits, results }: ChipSize, times: Record<Variant, readonly number[]>): Row[] {
  const size = `${qubits} qubits${results === 1 ? '' : `, ${results} results each`}`;
  const { aggregation, fetch: fetched, driver, service, made, held } = times;
  const timeRow = (what: string, each: readonly number[]): Row =>
    inMs(`${size}, ${what}`, medianOf(each, Number));
  const ratioRow = (what: string, of: readonly number[], to: readonly number[], limit: number | null): Row =>
    asRatio(`${size}, ${what}`, ratioOf(of, to, Number), limit);
  return [
    timeRow('documents fetched, nothing computed', fetched),
    timeRow('aggregation in the database, excluded values too', aggregation),
    timeRow('the same without excluded values', driver),
    timeRow('summary by the service', service),
    timeRow('chip { summary } over HTTP, made', made),
    timeRow('chip { summary } over HTTP, held', held),
    ratioRow('service against the aggregation', service, aggregation, null),
    ratioRow('service against the same by the driver', service, driver, 1.5),
    ratioRow('made against the aggregation', made, aggregation, null),
    ratioRow('made against the same by the driver', made, driver, 1.5),
    ratioRow('held against the aggregation', held, aggregation, 1),
  ];
}
