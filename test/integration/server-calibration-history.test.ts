import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http.ts';
import { post } from '../support/graphql-client.ts';
import { AGED_CHIP, AGED_DAYS, agedT1, writeAgedDatabase } from '../support/qdash-ages.ts';
import { openQdashDatabase } from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';

let qdash: QdashDatabase;
let server: RunningServer;
beforeAll(async () => {
  qdash = await openQdashDatabase('p1');
  await writeAgedDatabase(qdash.db, 'HEAD');
  server = await startTestServer(qdash.services);
});
afterAll(async () => {
  await server.close();
  await qdash.close();
});

/** The chip's part of a query that must not fail. */
async function readChip<Part>(selection: string): Promise<Part> {
  const { data, errors } = await post(server.url, `{ chip(chipId: "${AGED_CHIP}") { ${selection} } }`);
  expect(errors).toEqual([]);
  return (data as { chip: Part }).chip;
}

type Page<Node> = {
  nodes: Node[];
  edges: { cursor: string; node: Node }[];
  pageInfo: { endCursor: string; hasNextPage: boolean };
};

describe('executions', () => {
  const fields =
    'nodes { executionId status elapsedSeconds startAt tags } pageInfo { endCursor hasNextPage }';

  test('are paged and filtered', async () => {
    const { executions } = await readChip<{ executions: Page<{ executionId: string }> }>(
      `executions(first: 2) { ${fields} }`,
    );
    expect(executions.nodes.map(({ executionId }) => executionId)).toEqual(['20260223-001', '20260221-001']);
    const { hasNextPage, endCursor } = executions.pageInfo;
    expect(hasNextPage).toBe(true);
    const rest = await readChip<{ executions: Page<unknown> }>(
      `executions(first: 2, after: "${endCursor}") { ${fields} }`,
    );
    expect(rest.executions).toMatchObject({
      nodes: [{ executionId: '20260222-001', elapsedSeconds: 312, startAt: '2026-02-22T01:55:00.000Z' }],
      pageInfo: { hasNextPage: false },
    });
    const failed = await readChip(`executions(filter: { status: [FAILED], tags: ["daily"] }) { ${fields} }`);
    expect(failed).toMatchObject({ executions: { nodes: [{ executionId: '20260221-001' }] } });
  });

  test('are nodes that lead back to their chip', async () => {
    const { executions } = await readChip<{ executions: Page<{ id: string }> }>(
      'executions(first: 1) { nodes { id } }',
    );
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Execution { name message endAt chip { chipId } } } }';
    const { data } = await post(server.url, query, { variables: { id: executions.nodes[0]!.id } });
    expect(data).toMatchObject({ node: { name: 'Daily', chip: { chipId: AGED_CHIP } } });
  });
});

test('notes of machines are paged, and those of people come whole or of one qubit', async () => {
  const found = await readChip<{ notes: Page<unknown>; humanNotes: { text: string }[]; ofTwo: unknown[] }>(`
    notes(first: 1) { nodes { executionId taskId note timestamp } pageInfo { hasNextPage endCursor } }
    humanNotes { subject qid metric taskId cooldownId text author updatedAt }
    ofTwo: humanNotes(qid: "Q02") { subject qid metric text }
  `);
  expect(found.notes).toMatchObject({
    nodes: [
      { executionId: '20260223-001', taskId: 'master', note: { rabi_params: { Q00: { amplitude: 0.42 } } } },
    ],
    pageInfo: { hasNextPage: true },
  });
  expect(found.humanNotes).toHaveLength(7);
  expect(found.humanNotes[0]).toMatchObject({
    subject: 'TASK_RESULT',
    qid: '2',
    taskId: 'excluded',
    text: 'Pump was on',
    author: 'ann',
  });
  expect(found.ofTwo).toEqual([
    { subject: 'TASK_RESULT', qid: '2', metric: null, text: 'Pump was on' },
    { subject: 'QUBIT', qid: '2', metric: 't1', text: 'Still drifts' },
    { subject: 'QUBIT', qid: '2', metric: 't1', text: 'T1 drifts' },
    { subject: 'QUBIT', qid: '2', metric: null, text: 'Noisy line' },
  ]);
});

test('lineage leads to the origins of each version', async () => {
  const { qubits } = await readChip<{ qubits: { lineage: { entityId: string; provenance: object }[] }[] }>(`
    qubits(qids: ["1"]) {
      lineage(parameter: "t1", lastN: 1) {
        entityId version value unit error text taskName executionId taskId validFrom validUntil
        provenance(maxDepth: 2) {
          origin hasMore missing
          nodes { nodeId kind depth parameter qid value text unit version newestVersion taskName executionId taskId at status }
          edges { relation source target }
        }
      }
    }
  `);
  const [version] = qubits[0]!.lineage;
  const entityId = 't1:1:20260223-001:t1-1-2026-02-23';
  expect(version).toMatchObject({ entityId, version: 3, value: agedT1(1, 2), unit: 'μs', validUntil: null });
  expect(version!.provenance).toMatchObject({
    origin: entityId,
    hasMore: false,
    missing: ['qubit_frequency:1:lost:lost'],
    nodes: [
      { nodeId: entityId, kind: 'ENTITY', version: 3, newestVersion: 3, status: null },
      { kind: 'ENTITY', depth: 1, version: 1, newestVersion: 3, at: `${AGED_DAYS[0]}T02:00:00.000Z` },
      { kind: 'ACTIVITY', depth: 1, taskName: 'CheckT1', parameter: null, status: 'COMPLETED' },
    ],
    edges: [
      { relation: 'USED', source: '20260223-001:t1-1-2026-02-23' },
      { relation: 'WAS_DERIVED_FROM', source: entityId },
      { relation: 'WAS_GENERATED_BY', source: entityId },
    ],
  });
});

test('a window is compared with the one before it, in display units', async () => {
  // Asked at 2026-02-25: the window of 48 h begins on the 23rd, the one before it on the 21st.
  const { comparison } = await readChip<{ comparison: object }>(`
    comparison(parameter: "t1", windowHours: 48, qids: ["1", "2"]) {
      parameter title unit
      rows { entity current previous change changeSigma better members }
      total { entity current previous change members }
      current { count missing mean } previous { mean }
      currentWindow { from to cooldownIds series { elapsedHours value members } }
      previousWindow { from to series { value } }
      freshness { newestAt isStale }
    }
  `);
  expect(comparison).toMatchObject({
    parameter: 't1',
    title: 'T1',
    unit: 'μs',
    rows: [
      {
        entity: 'Q01',
        current: agedT1(1, 2),
        previous: agedT1(1, 1),
        change: 1,
        changeSigma: null,
        better: true,
      },
      { entity: 'Q02', current: agedT1(2, 2), previous: agedT1(2, 1), change: 1, better: true, members: 1 },
    ],
    total: { entity: AGED_CHIP, change: 1, members: 2 },
    current: { count: 2, missing: 0, mean: (agedT1(1, 2) + agedT1(2, 2)) / 2 },
    currentWindow: {
      from: '2026-02-23T00:00:00.000Z',
      cooldownIds: ['2026-001'],
      series: [{ elapsedHours: 2, value: (agedT1(1, 2) + agedT1(2, 2)) / 2, members: 2 }],
    },
    previousWindow: { series: [{}, {}] },
  });
});

test('a comparison that cannot be made is null with an error that says what would be right', async () => {
  const query = `{ chip(chipId: "${AGED_CHIP}") { comparison(parameter: "warp", windowHours: 4) { unit } } }`;
  const { data, errors } = await post(server.url, query);
  expect(data).toEqual({ chip: { comparison: null } });
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('there is no parameter warp on chip aged'),
    extensions: { code: 'INVALID_INPUT' },
  });
});
