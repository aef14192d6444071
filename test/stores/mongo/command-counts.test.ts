import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isObjectType, isRequiredArgument, type GraphQLOutputType } from 'graphql';
import { MongoClient, type Document } from 'mongodb';
import { schema } from '../../../schema/index.ts';
import { createQdashIndexes } from '../../../src/import/qdash-indexes.ts';
import type { RunningServer } from '../../../src/server/http.ts';
import { createCalibrationServices } from '../../../src/services/calibration/calibration-services.ts';
import { createFigures } from '../../../src/services/calibration/figures.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../../support/databases.ts';
import { post } from '../../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  parameter,
  resultDocument,
} from '../../support/qdash-database.ts';
import { startTestServer } from '../../support/start-test-server.ts';

/** Chips of three sizes, asked the same things: how many commands the database sees must not depend on the size. */
const SIZES = [16, 144, 1024] as const;
const chipIdOf = (size: number): string => `chip-${size}`;

let mongo: TestMongo;
let client: MongoClient;
let server: RunningServer;
const commands: string[] = [];

beforeAll(async () => {
  mongo = await createTestMongo({ large: true });
  client = await MongoClient.connect(mongo.uri, { monitorCommands: true });
  const db = client.db(mongo.dbName);
  await createQdashIndexes(db);
  for (const size of SIZES) await insertChip(size);
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(db),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: 'p1',
    now: () => NOW,
  });
  server = await startTestServer({
    ...services,
    figures: createFigures({ taskResults: services.taskResults, files: null }),
  });
  // Each operation says hello once, for the write clock.
  client.on('commandStarted', ({ commandName }) => commandName !== 'hello' && commands.push(commandName));
});
afterAll(async () => {
  await server.close();
  await client.close();
  await mongo.drop();
});

/** Every qubit has two T1 runs, the newer one excluded on every tenth, and every second a coupling to the next. */
async function insertChip(size: number): Promise<void> {
  const chipId = chipIdOf(size);
  const db = client.db(mongo.dbName);
  const qids = Array.from({ length: size }, (_, index) => String(index));
  const pairs = qids.filter((qid) => Number(qid) % 2 === 0).map((qid) => `${qid}-${Number(qid) + 1}`);
  const run = (qid: string, name: string, day: number, rest: Document = {}) =>
    resultDocument(chipId, qid, `2026-02-${day}T00:00:00Z`, {
      task_id: `${chipId}/${qid}/${name}/${day}`,
      name,
      ...rest,
    });
  const current = (qid: string, name: string, task: string) => ({
    [name]: parameter(40 + (Number.parseInt(qid, 10) % 9), 'μs', { task_id: `${chipId}/${qid}/${task}/21` }),
  });
  const fidelity = { zx90_gate_fidelity: parameter(0.98, 'a.u.') };
  await db
    .collection('chip')
    .insertOne(chipDocument(chipId, { size, topology_id: `square-lattice-mux-${size}` }));
  await db
    .collection('qubit')
    .insertMany(qids.map((qid) => entityDocument(chipId, qid, current(qid, 't1', 'CheckT1'))));
  await db.collection('coupling').insertMany(pairs.map((qid) => entityDocument(chipId, qid, fidelity)));
  await db
    .collection('task_result_history')
    .insertMany([
      ...qids.flatMap((qid) => [
        run(qid, 'CheckT1', 20),
        run(qid, 'CheckT1', 21, { excluded: Number(qid) % 10 === 0 }),
      ]),
      ...pairs.map((qid) => run(qid, 'CheckZX90', 20, { output_parameters: fidelity })),
    ]);
}

/** Commands of one query of a chip, whose answer must be whole. */
async function commandsOf(size: number, selection: string): Promise<readonly string[]> {
  commands.length = 0;
  const query = `query ($chipId: String!) { chip(chipId: $chipId) { ${selection} } }`;
  const { data, errors } = await post(server.url, query, { variables: { chipId: chipIdOf(size) } });
  expect(errors).toEqual([]);
  expect(data?.['chip']).not.toBeNull();
  return commands.toSorted();
}

const SUMMARY =
  'summary { qubitCount parameters { name median } health { score problems { qubit { label } } } }';
const EVERY_QUBIT =
  'qubits { label position { row } parameters { name value } timeseries(parameter: "t1") { points { value } } latestTaskResult(taskName: "CheckT1") { taskId } couplings { couplingId } neighbors { qid } }';

test.each([
  { what: 'a summary', selection: SUMMARY, most: 11 },
  {
    what: 'a metric with its heatmap',
    selection: 'metric(name: "t1") { values { qubit { label } value } heatmap { data } }',
    most: 9,
  },
  {
    what: 'the histories of all qubits',
    selection: 'timeseries(parameter: "t1") { series { qubit { label } points { value } } }',
    most: 8,
  },
  {
    what: 'a comparison',
    selection: 'comparison(parameter: "t1", windowHours: 96) { rows { entity current previous } }',
    most: 8,
  },
  { what: 'every coupling', selection: 'couplings { couplingId parameters { name value } }', most: 5 },
  {
    what: 'a page of results',
    selection: 'taskResults(first: 20) { nodes { taskId outputParameters { name } } }',
    most: 4,
  },
  { what: 'every qubit with all that it has', selection: EVERY_QUBIT, most: 14 },
  {
    what: 'a whole chip page',
    selection: `${SUMMARY} topology { gridSize } ${EVERY_QUBIT} couplings { couplingId parameters { name } }`,
    most: 20,
  },
])('$what takes the same commands on 16, 144 and 1,024 qubits', async ({ selection, most }) => {
  const found: (readonly string[])[] = [];
  for (const size of SIZES) found.push(await commandsOf(size, selection));
  const [small = [], middle, large] = found;
  expect(middle).toEqual(small);
  expect(large).toEqual(small);
  expect(small.filter((name) => name !== 'find' && name !== 'aggregate')).toEqual([]);
  expect(small.length).toBeLessThanOrEqual(most);
});

/** Arguments that fields need. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'Qubit.parameter': '"t1"',
  'Qubit.taskName': '"CheckT1"',
  'Qubit.name': '"t1"',
  'Coupling.parameter': '"zx90_gate_fidelity"',
};

type Field = { readonly name: string; readonly selection: string };

/** Every field of the type with the leaves of what it returns, or of the rows of the page that it returns. */
function fieldsOf(typeName: string): readonly Field[] {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
  return Object.values(type.getFields()).map((field) => {
    const args = field.args
      .filter(isRequiredArgument)
      .map(({ name }) => `${name}: ${ARGUMENTS[`${typeName}.${name}`]}`);
    const called = args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name;
    return { name: field.name, selection: `${called} ${leavesOf(field.type)}` };
  });
}

function leavesOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const { nodes, ...fields } = named.getFields();
  if (nodes) return `{ nodes ${leavesOf(nodes.type)} }`;
  const leaves = Object.values(fields).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return `{ __typename ${leaves.map(({ name }) => name).join(' ')} }`;
}

describe('as many commands are sent under 1, 16 and 64 parents', () => {
  // Which tasks write a parameter is remembered from the first time.
  beforeAll(async () => {
    await commandsOf(144, 'qubits(first: 2) { timeseries(parameter: "t1") { unit } }');
    await commandsOf(144, 'couplings(first: 2) { timeseries(parameter: "zx90_gate_fidelity") { unit } }');
  });
  const sameUnder = async (selection: (count: number) => string): Promise<void> => {
    const found: (readonly string[])[] = [];
    for (const count of [1, 16, 64]) found.push(await commandsOf(144, selection(count)));
    const [one, ...more] = found;
    expect(more).toEqual([one, one]);
  };

  test.each(fieldsOf('Qubit'))('for $name of qubits', ({ selection }) =>
    sameUnder((count) => `qubits(first: ${count}) { ${selection} }`),
  );
  test.each(fieldsOf('Coupling'))('for $name of couplings', ({ selection }) =>
    sameUnder((count) => `couplings(first: ${count}) { ${selection} }`),
  );
  test.each(fieldsOf('TaskResult'))('for $name of results', ({ selection }) =>
    sameUnder((count) => `taskResults(first: ${count}) { nodes { ${selection} } }`),
  );

  test.each(
    Object.entries({
      'filtered by task and status': 'filter: { taskName: "CheckT1", status: [COMPLETED] }',
      'that are not excluded': 'filter: { includeExcluded: false }, first: 1',
      'of a week': 'filter: { from: "2026-02-14T00:00:00Z", to: "2026-02-22T00:00:00Z" }, first: 2',
    }),
  )('for pages of results %s', (_, args) =>
    sameUnder((count) => `qubits(first: ${count}) { taskResults(${args}) { nodes { taskId } } }`),
  );

  test.each(
    Object.entries({
      qubit: (n: number) => `qubit(chipId: "chip-144", qid: "${n}") { label parameters { value } }`,
      coupling: (n: number) =>
        `coupling(chipId: "chip-144", couplingId: "${2 * n}-${2 * n + 1}") { couplingId }`,
      'qubit that is not there': (n: number) => `qubit(chipId: "chip-144", qid: "${n + 500}") { label }`,
      'chip that is not there': (n: number) => `chip(chipId: "none-${n}") { size }`,
      'list of chips': () => 'chips { chipId }',
      'list of some qubits': (n: number) => `chip(chipId: "chip-144") { qubits(qids: ["${n}"]) { label } }`,
    }),
  )('by aliases: each a %s', async (_, fieldOf) => {
    const found: (readonly string[])[] = [];
    for (const count of [1, 16, 60]) {
      commands.length = 0;
      const fields = Array.from({ length: count }, (__, n) => `a${n}: ${fieldOf(n)}`);
      await post(server.url, `{ ${fields.join(' ')} }`);
      found.push(commands.toSorted());
    }
    const [one, ...more] = found;
    expect(more).toEqual([one, one]);
    expect(one).not.toHaveLength(0);
  });
});
