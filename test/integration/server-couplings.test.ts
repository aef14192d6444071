import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http.ts';
import { post } from '../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  resultDocument,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';

let qdash: QdashDatabase;
let server: RunningServer;
beforeAll(async () => {
  qdash = await openQdashDatabase('p1');
  const { db } = qdash;
  const run = (qid: string, day: number, value: number) =>
    resultDocument('C1', qid, `2026-02-${day}T02:00:00Z`, {
      name: 'ZX90InterleavedRandomizedBenchmarking',
      task_id: `${qid}@${day}`,
      output_parameters: { zx90_gate_fidelity: parameter(value, 'a.u.', { error: 0.002 }) },
    });
  await db.collection('project').insertOne({ project_id: 'p1', name: 'p1' });
  await db.collection('chip').insertOne(chipDocument('C1'));
  await db.collection('qubit').insertMany(['0', '1', '2'].map((qid) => entityDocument('C1', qid)));
  const set = { zx90_gate_fidelity: parameter(0.9, 'a.u.') };
  await db
    .collection('coupling')
    .insertMany([
      entityDocument('C1', '0-1', set),
      entityDocument('C1', '1-0'),
      entityDocument('C1', '1-2', set),
    ]);
  await db
    .collection('task_result_history')
    .insertMany([run('0-1', 22, 0.5), run('0-1', 24, 0.75), run('1-2', 24, 0.625)]);
  server = await startTestServer(qdash.services);
});
afterAll(async () => {
  await server.close();
  await qdash.close();
});

test('a coupling has its history beside its values', async () => {
  const query = `{
    coupling(chipId: "C1", couplingId: "1-0") {
      couplingId
      timeseries(parameter: "zx90_gate_fidelity", lastN: 5) {
        coupling { couplingId control { qid } } unit latest min max mean trend points { at value error taskId }
      }
    }
  }`;
  const { data, errors } = await post(server.url, query);
  expect(errors).toEqual([]);
  expect(data).toEqual({
    coupling: {
      couplingId: '0-1',
      timeseries: {
        coupling: { couplingId: '0-1', control: { qid: '0' } },
        unit: '%',
        latest: 75,
        min: 50,
        max: 75,
        mean: 62.5,
        trend: null,
        points: [
          { at: '2026-02-22T02:00:00.000Z', value: 50, error: 0.2, taskId: '0-1@22' },
          { at: '2026-02-24T02:00:00.000Z', value: 75, error: 0.2, taskId: '0-1@24' },
        ],
      },
    },
  });
});

test('a chip has the history and the comparison of all of them', async () => {
  const query = `{
    chip(chipId: "C1") {
      couplingTimeseries(parameter: "zx90_gate_fidelity", from: "2026-02-23T00:00:00Z") {
        unit series { coupling { couplingId } latest } statistics { count median }
      }
      one: couplingTimeseries(parameter: "zx90_gate_fidelity", couplingIds: ["2-1"]) { series { coupling { couplingId } } }
      comparison(parameter: "zx90_gate_fidelity", windowHours: 48) {
        rows { entity current previous change better members } total { current members }
      }
    }
  }`;
  const { data, errors } = await post(server.url, query);
  expect(errors).toEqual([]);
  expect(data).toEqual({
    chip: {
      couplingTimeseries: {
        unit: '%',
        series: [
          { coupling: { couplingId: '0-1' }, latest: 75 },
          { coupling: { couplingId: '1-2' }, latest: 62.5 },
        ],
        statistics: { count: 2, median: 68.75 },
      },
      one: { series: [{ coupling: { couplingId: '1-2' } }] },
      comparison: {
        rows: [
          { entity: 'Q00-Q01', current: 75, previous: 50, change: 25, better: true, members: 1 },
          { entity: 'Q01-Q02', current: 62.5, previous: null, change: null, better: null, members: 0 },
        ],
        total: { current: 75, members: 1 },
      },
    },
  });
});

test('a parameter of couplings is none of qubits, and the other way round', async () => {
  const query = `{
    chip(chipId: "C1") {
      timeseries(parameter: "zx90_gate_fidelity") { unit }
      couplingTimeseries(parameter: "t1") { unit }
    }
  }`;
  const { data, errors } = await post(server.url, query);
  expect(data).toEqual({ chip: { timeseries: null, couplingTimeseries: null } });
  expect(errors.map(({ message }) => message)).toEqual([
    'parameter: zx90_gate_fidelity is measured on couplings, not on qubits',
    'parameter: t1 is measured on qubits, not on couplings',
  ]);
});

test('a coupling of a qubit that the chip does not have costs nothing but the data of that qubit', async () => {
  await qdash.db
    .collection('coupling')
    .insertOne(entityDocument('C1', '2-99', { zx90_gate_fidelity: parameter(0.9, 'a.u.') }));
  const query = `{ chip(chipId: "C1") {
    couplings { couplingId control { qid } target { qid label position { row } parameters { name } } }
  } }`;
  const { data, errors } = await post(server.url, query);
  expect(errors).toEqual([]);
  const { couplings } = data!['chip'] as { couplings: readonly { couplingId: string }[] };
  expect(couplings.map(({ couplingId }) => couplingId)).toEqual(['0-1', '1-2', '2-99']);
  expect(couplings.at(-1)).toEqual({
    couplingId: '2-99',
    control: { qid: '2' },
    target: { qid: '99', label: 'Q99', position: null, parameters: [] },
  });
});
