import { MongoClient } from 'mongodb';
import type { Db, Document } from 'mongodb';
import type { Bench, Row } from '../bench.ts';
import { openChat, VIEWER } from '../chat.ts';
import { makeChip } from '../chip-documents.ts';
import { nowMs } from '../cpu.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';

/** Chips by qubits and by results that each parameter of a qubit has had. */
const SMALL = { qubits: 144, results: 1 } as const;
const LONG = { qubits: 144, results: 20 } as const;
const LARGE = { qubits: 1024, results: 1 } as const;
const ROUNDS = 15;

type Size = { readonly qubits: number; readonly results: number };

/** `chip { summary }` as the service and as GraphQL answer it, against the driver's own aggregation of the same figures. */
export const chipSummary: Bench = async ({ stores, say }) => {
  const mongo = await MongoClient.connect(stores.mongoUri);
  const db = mongo.db('bench');
  const chat = await openChat(stores);
  try {
    const writer = await openCalibrationWriter(db);
    const { url } = await chat.serve();
    const prepare = async ({ qubits, results }: Size) => {
      const documents = makeChip(qubits, results);
      await writer.replace(documents);
      const chip = await chat.calibration.chips.get(VIEWER, documents.chip.chip_id);
      return {
        raw: () => timeOf(() => aggregate(db, chip.chipId)),
        fetch: () => timeOf(() => fetchValues(db, chip.chipId)),
        service: () => timeOf(() => chat.calibration.chipSummaries.getMany([{ chip, parameters: null }])),
        graphql: () => timeOf(() => query(url, chip.chipId)),
      };
    };
    const [small, long, large] = [await prepare(SMALL), await prepare(LONG), await prepare(LARGE)];
    say(`chips of ${SMALL.qubits} and ${LARGE.qubits} qubits, ${ROUNDS} rounds of twelve variants`);
    const times = await interleave(ROUNDS, {
      rawSmall: small.raw,
      fetchSmall: small.fetch,
      serviceSmall: small.service,
      graphqlSmall: small.graphql,
      rawLong: long.raw,
      fetchLong: long.fetch,
      serviceLong: long.service,
      graphqlLong: long.graphql,
      rawLarge: large.raw,
      fetchLarge: large.fetch,
      serviceLarge: large.service,
      graphqlLarge: large.graphql,
    });
    const growth = LARGE.qubits / SMALL.qubits;
    return [
      ...rowsOf(SMALL, times.rawSmall, times.fetchSmall, times.serviceSmall, times.graphqlSmall),
      ...rowsOf(LONG, times.rawLong, times.fetchLong, times.serviceLong, times.graphqlLong),
      ...rowsOf(LARGE, times.rawLarge, times.fetchLarge, times.serviceLarge, times.graphqlLarge),
      {
        what: `service, time a qubit, ${LARGE.qubits} qubits against ${SMALL.qubits}`,
        value: ratioOf(times.serviceLarge, times.serviceSmall, Number) / growth,
        unit: '×',
        limit: 1.2,
      },
      {
        what: `GraphQL, time a qubit, ${LARGE.qubits} qubits against ${SMALL.qubits}`,
        value: ratioOf(times.graphqlLarge, times.graphqlSmall, Number) / growth,
        unit: '×',
        limit: 1.2,
      },
      {
        what: `service, ${LONG.results} results a parameter and qubit against ${SMALL.results}`,
        value: ratioOf(times.serviceLong, times.serviceSmall, Number),
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
  { qubits, results }: Size,
  raw: readonly number[],
  fetched: readonly number[],
  service: readonly number[],
  graphql: readonly number[],
): Row[] {
  const size = `${qubits} qubits${results === 1 ? '' : `, ${results} results each`}`;
  const timeRow = (what: string, times: readonly number[]): Row => ({
    what: `${size}, ${what}`,
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
      what: `${size}, service against aggregation`,
      value: ratioOf(service, raw, Number),
      unit: '×',
      limit: 1.5,
    },
    {
      what: `${size}, chip { summary } against aggregation`,
      value: ratioOf(graphql, raw, Number),
      unit: '×',
      limit: 1.5,
    },
    {
      what: `${size}, service against fetching`,
      value: ratioOf(service, fetched, Number),
      unit: '×',
      limit: null,
    },
  ];
}
