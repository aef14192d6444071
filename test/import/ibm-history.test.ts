import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import type { RunningServer } from '../../src/server/http.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';
import { post } from '../support/graphql-client.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { openToolBench } from '../support/tool-bench.ts';

/**
 * There is one snapshot of each device. A later one is made of it as its vendor makes them: some qubits were measured
 * anew, with other values and later dates; all others are repeated as they were.
 */
const LATER_DAYS = 40;
const later = (date: string): string =>
  new Date(Date.parse(date) + LATER_DAYS * 86_400_000).toISOString().replace('.000Z', '+00:00');
const isMeasuredAnew = (qubit: number): boolean => qubit % 2 === 0;

type Records = { name: string; date: string; value: number }[];
type Properties = { last_update_date: string; qubits: Records[] };

function laterSnapshot(properties: Properties): Properties {
  return {
    ...properties,
    last_update_date: later(properties.last_update_date),
    qubits: properties.qubits.map((records, qubit) =>
      records.map((record) =>
        record.name === 'T1' && isMeasuredAnew(qubit)
          ? { ...record, value: record.value * 0.8, date: later(record.date) }
          : record,
      ),
    ),
  };
}

const t1Of = (properties: Properties, qubit: number) =>
  properties.qubits[qubit]!.find(({ name }) => name === 'T1')!;

describeWithSharedData('two snapshots of a real device, the later one imported first', () => {
  const viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner' as const, isOperator: true };
  let mongo: TestMongo;
  let client: MongoClient;
  let folder: string;
  let first: Properties;
  let second: Properties;
  let now: Date;
  let services: CalibrationServices;
  let server: RunningServer;

  beforeAll(async () => {
    const [props, conf] = ['props', 'conf'].map((part) =>
      sharedPath(`data/ibm-backends/${part}_brisbane.json`),
    );
    first = JSON.parse(await readFile(props!, 'utf8')) as Properties;
    second = laterSnapshot(first);
    now = new Date(Date.parse(second.last_update_date) + 3_600_000);
    folder = await mkdtemp(join(tmpdir(), 'qpilot-history-'));
    const laterProps = join(folder, 'props_later.json');
    await writeFile(laterProps, JSON.stringify(second));

    mongo = await createTestMongo({ large: true });
    client = await MongoClient.connect(mongo.uri);
    const db = client.db(mongo.dbName);
    const writer = await openCalibrationWriter(db);
    for (const paths of [
      [laterProps, conf!],
      [props!, conf!],
    ]) {
      await importIbmFiles(writer, { paths, chipId: null, project: 'p1', print: () => {} });
    }
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: 'p1',
      now: () => now,
    });
    server = await startTestServer(services);
  });
  afterAll(async () => {
    await server.close();
    await client.close();
    await mongo.drop();
    await rm(folder, { recursive: true });
  });

  test('make a history through GraphQL in which each measurement occurs once, at its own time', async () => {
    const { data, errors } = await post(
      server.url,
      `{ chip(chipId: "brisbane") {
           timeseries(parameter: "t1", lastN: 10) { series { qubit { qid } points { value at } } }
           executions(first: 5) { nodes { name } }
         } }`,
    );
    expect(errors).toEqual([]);
    const chip = data!['chip'] as {
      timeseries: { series: { qubit: { qid: string }; points: { value: number; at: string }[] }[] };
      executions: { nodes: unknown[] };
    };
    const pointOf = ({ value, date }: Records[number]) => ({ value, at: new Date(date).toISOString() });
    const expected = first.qubits.map((_, qubit) => {
      const [old, current] = [t1Of(first, qubit), t1Of(second, qubit)];
      return {
        qubit: { qid: String(qubit) },
        points: isMeasuredAnew(qubit) ? [pointOf(old), pointOf(current)] : [pointOf(old)],
      };
    });
    expect(chip.timeseries.series).toEqual(expected);
    expect(chip.executions.nodes).toHaveLength(2);
  });

  test('have the values that were measured last as current ones, whichever came last', async () => {
    const { data } = await post(
      server.url,
      '{ chip(chipId: "brisbane") { metric(name: "t1") { values { qubit { qid } value } } } }',
    );
    const { metric } = data!['chip'] as { metric: { values: { qubit: { qid: string }; value: number }[] } };
    expect(metric.values).toEqual(
      second.qubits.map((_, qubit) => ({
        qubit: { qid: String(qubit) },
        value: t1Of(second, qubit).value,
      })),
    );
  });

  test('are compared by compare_periods as by hand', async () => {
    const bench = openToolBench({ services, viewer, chipId: 'brisbane', now });
    // The window holds the later dates, the one before it the earlier ones.
    const { data, formattedSummary } = await bench.result('compare_periods', {
      chip_id: null,
      parameter_name: 't1',
      window_hours: LATER_DAYS * 24,
      from: null,
      to: null,
      level: 'chip',
      qids: null,
      include_series: false,
    });
    const compared = first.qubits.flatMap((_, qubit) => (isMeasuredAnew(qubit) ? [t1Of(first, qubit)] : []));
    const mean = compared.reduce((sum, { value }) => sum + value, 0) / compared.length;
    const { rows } = data as { rows: { current: number; previous: number; better: boolean }[] };
    expect(rows).toHaveLength(1);
    expect(rows[0]!.previous / mean).toBeCloseTo(1, 3);
    expect(rows[0]!.current / (0.8 * mean)).toBeCloseTo(1, 3);
    expect(rows[0]!.better).toBe(false);
    expect(formattedSummary).toMatch(/worse/);
  });
});
