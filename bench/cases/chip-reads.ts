import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db, Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { asRatio, inMs, type Bench, type Row } from '../bench.ts';
import { openCalibrationBench, timeOf } from '../calibration.ts';
import type { CalibrationBench } from '../calibration.ts';
import { VIEWER } from '../chat.ts';
import type { ChipSize } from '../chip-documents.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';

/** The larger one has 300,000 results. */
const SMALL: ChipSize = { qubits: 144, results: 20 };
const LARGE: ChipSize = { qubits: 1024, results: 25 };
const ROUNDS = 9;
const LAST_N = 10;

/** What a chart or a page asks of a chip, against the least that the bare driver, or a file, could answer it with. */
export const chipReads: Bench = async ({ stores, progress }) => {
  const bench = await openCalibrationBench(stores);
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-bench-page-'));
  try {
    const rows: Row[] = [];
    const pages: (() => Promise<number>)[] = [];
    for (const size of [SMALL, LARGE]) {
      progress(`storing ${size.qubits} qubits with ${size.results} results of each parameter`);
      const chip = await bench.store(size);
      for (const read of readsOf(bench, chip)) {
        progress(`${size.qubits} qubits, ${read.what}: ${ROUNDS} rounds of four`);
        rows.push(...(await compare(`${size.qubits} qubits, ${read.what}`, read)));
      }
      progress(`${size.qubits} qubits, the whole chip: ${ROUNDS} rounds of three`);
      rows.push(...(await compareWithFile(bench, chip, folder)));
      pages.push(overHttp(bench, PAGE, chip.chipId).made);
    }
    return [...rows, await growthOf(pages)];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await bench.close();
  }
};

type Read = {
  readonly what: string;
  readonly driver: () => Promise<unknown>;
  readonly service: () => Promise<unknown>;
  readonly query: string;
  readonly chipId: string;
  readonly bench: CalibrationBench;
};

function readsOf(bench: CalibrationBench, chip: Chip): Read[] {
  const { db, services } = bench;
  const { chipId } = chip;
  const common = { bench, chipId };
  return [
    {
      ...common,
      what: 'a metric',
      driver: () => newestOfEach(db, chipId, { value: '$output_parameters.t1', at: '$end_at' }),
      service: () => services.chipMetrics.get(chip, { name: 't1' }),
      query:
        'metric(name: "t1") { statistics { median } values { qubit { label } value rating measuredAt } }',
    },
    {
      ...common,
      what: "one qubit's series",
      driver: () => newestOfOne(db, chipId),
      service: () => services.chipTimeseries.get(chip, { parameter: 't1', qids: ['7'], lastN: LAST_N }),
      query: `timeseries(parameter: "t1", qids: ["7"], lastN: ${LAST_N}) { series { points { value at } trend } }`,
    },
    {
      ...common,
      what: 'the latest result of each qubit',
      driver: () => newestOfEach(db, chipId, '$$ROOT'),
      service: async () => {
        const [qubits = []] = await services.qubits.ofChips([chip]);
        await services.taskResults.latest(chip, { taskName: TASK, qids: qubits.map(({ qid }) => qid) });
      },
      query: `qubits { latestTaskResult(taskName: "${TASK}") { taskId endAt outputParameters { name value } } }`,
    },
  ];
}

const TASK = 'Check_t1';
const usable = (chipId: string): Document => ({
  project_id: VIEWER.projectId,
  chip_id: chipId,
  name: TASK,
  status: 'completed',
  excluded: { $ne: true },
});

/** One command that runs along the index (project_id, chip_id, name, qid, end_at). */
const newestOfEach = (db: Db, chipId: string, fields: Document | string): Promise<Document[]> =>
  db
    .collection('task_result_history')
    .aggregate(
      [
        { $match: usable(chipId) },
        { $sort: { chip_id: 1, name: 1, qid: 1, end_at: -1 } },
        { $group: { _id: '$qid', newest: { $first: fields } } },
      ],
      { batchSize: 10_000 },
    )
    .toArray();

const newestOfOne = (db: Db, chipId: string): Promise<Document[]> =>
  db
    .collection('task_result_history')
    .find(
      { ...usable(chipId), qid: '7' },
      { projection: { 'output_parameters.t1': 1, end_at: 1 }, sort: { end_at: -1 }, limit: LAST_N },
    )
    .toArray();

const inChip = (selection: string): string =>
  `query ($chipId: String!) { chip(chipId: $chipId) { ${selection} } }`;

async function compare(what: string, { driver, service, query, chipId, bench }: Read): Promise<Row[]> {
  const operation = inChip(query);
  const times = await interleave(ROUNDS, {
    driver: () => timeOf(driver),
    service: () => timeOf(service),
    ...overHttp(bench, operation, chipId),
  });
  return [
    timeRow(`${what}, by the driver`, times.driver),
    timeRow(`${what}, by the service`, times.service),
    timeRow(`${what}, over HTTP, made`, times.made),
    timeRow(`${what}, over HTTP, held`, times.held),
    asRatio(`${what}, service against driver`, ratio(times.service, times.driver)),
    asRatio(`${what}, made against driver`, ratio(times.made, times.driver)),
    asRatio(`${what}, held against driver`, ratio(times.held, times.driver), 3),
  ];
}

/** An answer made anew since something was written, and the same one again. */
const overHttp = (bench: CalibrationBench, query: string, chipId: string) => ({
  made: async (): Promise<number> => {
    await bench.touch();
    return timeOf(() => bench.query(query, { chipId }));
  },
  held: async (): Promise<number> => {
    await bench.query(query, { chipId });
    return timeOf(() => bench.query(query, { chipId }));
  },
});

/** A chip page: all qubits with place, every current value and the latest result, and the summary over them. */
const PAGE = inChip(`
  chipId size
  topology { gridSize }
  summary { parameters { name unit median min max } health { score label } }
  qubits {
    label
    position { row column }
    parameters { name title value unit displayValue displayUnit rating calibratedAt isStale }
    latestTaskResult(taskName: "${TASK}") { taskId status endAt }
  }
  couplings { couplingId parameters { name displayValue } }
`);

/** The same bytes from a file, by the same kind of server, are the least that any page could cost. */
async function compareWithFile(bench: CalibrationBench, chip: Chip, folder: string): Promise<Row[]> {
  const { chipId, size } = chip;
  const file = join(folder, `${chipId}.json`);
  await writeFile(file, await bench.query(PAGE, { chipId }));
  const server = createServer((_request, response) => {
    void readFile(file).then((bytes) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(bytes),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const times = await interleave(ROUNDS, {
      file: () => timeOf(async () => (await fetch(url)).text()),
      ...overHttp(bench, PAGE, chipId),
    });
    const what = `${size} qubits, the whole chip`;
    return [
      timeRow(`${what}, from a file`, times.file),
      timeRow(`${what}, over HTTP, made`, times.made),
      timeRow(`${what}, over HTTP, held`, times.held),
      asRatio(`${what}, made against the file`, ratio(times.made, times.file)),
      asRatio(`${what}, held against the file`, ratio(times.held, times.file), 2),
    ];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function growthOf([small, large]: readonly (() => Promise<number>)[]): Promise<Row> {
  if (small === undefined || large === undefined) throw new Error('two chips are compared');
  const times = await interleave(ROUNDS, { small, large });
  return asRatio(
    `the whole chip, made, time a qubit, ${LARGE.qubits} qubits against ${SMALL.qubits}`,
    (ratio(times.large, times.small) * SMALL.qubits) / LARGE.qubits,
    1.2,
  );
}

const timeRow = (what: string, times: readonly number[]): Row => inMs(what, medianOf(times, Number));

const ratio = (times: readonly number[], baseline: readonly number[]): number =>
  ratioOf(times, baseline, Number);
