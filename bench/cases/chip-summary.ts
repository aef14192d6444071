import { MongoClient } from 'mongodb';
import type { Db, Document } from 'mongodb';
import type { Bench, Row } from '../bench.ts';
import { openChat, VIEWER } from '../chat.ts';
import { makeChip } from '../chip-documents.ts';
import { nowMs } from '../cpu.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';

const SIZES = [144, 1024] as const;
const ROUNDS = 15;

/** `chip { summary }` as the service and as GraphQL answer it, against the driver's own aggregation of the same figures. */
export const chipSummary: Bench = async ({ stores, say }) => {
  const mongo = await MongoClient.connect(stores.mongoUri);
  const db = mongo.db('bench');
  const chat = await openChat(stores);
  try {
    const writer = await openCalibrationWriter(db);
    for (const size of SIZES) await writer.replace(makeChip(size));
    const { url } = await chat.serve();
    const variantsFor = async (size: number) => {
      const chip = await chat.calibration.chips.get(VIEWER, `bench-${size}`);
      return {
        raw: () => aggregate(db, chip.chipId),
        fetch: () => fetchValues(db, chip.chipId),
        service: () => chat.calibration.chipSummaries.getMany([{ chip, parameters: null }]),
        graphql: () => query(url, chip.chipId),
      };
    };
    say(`chips of ${SIZES.join(' and ')} qubits, ${ROUNDS} rounds of eight variants`);
    const [small, large] = [await variantsFor(SIZES[0]), await variantsFor(SIZES[1])];
    const times = await interleave(ROUNDS, {
      rawSmall: () => timeOf(small.raw),
      fetchSmall: () => timeOf(small.fetch),
      serviceSmall: () => timeOf(small.service),
      graphqlSmall: () => timeOf(small.graphql),
      rawLarge: () => timeOf(large.raw),
      fetchLarge: () => timeOf(large.fetch),
      serviceLarge: () => timeOf(large.service),
      graphqlLarge: () => timeOf(large.graphql),
    });
    const growth = SIZES[1] / SIZES[0];
    return [
      ...rowsOf(SIZES[0], times.rawSmall, times.fetchSmall, times.serviceSmall, times.graphqlSmall),
      ...rowsOf(SIZES[1], times.rawLarge, times.fetchLarge, times.serviceLarge, times.graphqlLarge),
      {
        what: `service, time a qubit, ${SIZES[1]} qubits against ${SIZES[0]}`,
        value: ratioOf(times.serviceLarge, times.serviceSmall, Number) / growth,
        unit: '×',
        limit: 1.2,
      },
      {
        what: `GraphQL, time a qubit, ${SIZES[1]} qubits against ${SIZES[0]}`,
        value: ratioOf(times.graphqlLarge, times.graphqlSmall, Number) / growth,
        unit: '×',
        limit: 1.2,
      },
    ];
  } finally {
    await chat.close();
    await mongo.close();
  }
};

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = nowMs();
  await work();
  return nowMs() - startedMs;
}

/** What a program would ask the driver for by hand: figures of each parameter over the chip. */
async function aggregate(db: Db, chipId: string): Promise<Document[]> {
  return db
    .collection('qubit')
    .aggregate([
      { $match: { project_id: VIEWER.projectId, chip_id: chipId } },
      { $project: { data: { $objectToArray: '$data' } } },
      { $unwind: '$data' },
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

async function query(url: string, chipId: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { chipId } }),
  });
  const text = await response.text();
  if (text.includes('"errors"') || !text.includes('"stdev"')) throw new Error(text.slice(0, 500));
}

function rowsOf(
  size: number,
  raw: readonly number[],
  fetched: readonly number[],
  service: readonly number[],
  graphql: readonly number[],
): Row[] {
  const timeRow = (what: string, times: readonly number[]): Row => ({
    what: `${size} qubits, ${what}`,
    value: medianOf(times, Number),
    unit: 'ms',
    limit: null,
  });
  return [
    timeRow('aggregation in the database', raw),
    timeRow('documents fetched, nothing computed', fetched),
    timeRow('summary by the service', service),
    timeRow('chip { summary } over HTTP', graphql),
    {
      what: `${size} qubits, service against aggregation`,
      value: ratioOf(service, raw, Number),
      unit: '×',
      limit: 1.5,
    },
    {
      what: `${size} qubits, chip { summary } against aggregation`,
      value: ratioOf(graphql, raw, Number),
      unit: '×',
      limit: 1.5,
    },
    {
      what: `${size} qubits, service against fetching`,
      value: ratioOf(service, fetched, Number),
      unit: '×',
      limit: null,
    },
  ];
}
