import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeNodeId } from '../../schema/node-ids.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ demo: true });
});
afterAll(() => app.stop());

const DEMO = 'demo-64';

/** Data of a query that must not fail. */
async function read<Data>(query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await post(app.url, query, { variables });
  expect(errors).toEqual([]);
  return data as Data;
}

/** The one error of a query that must fail. */
async function fail(query: string, variables: object = {}) {
  const { errors } = await post(app.url, query, { variables });
  expect(errors).toHaveLength(1);
  return { message: errors[0]!.message, code: errors[0]!.extensions['code'], path: errors[0]!.path };
}

type Qid = { qid: string };
type Named = { name: string; displayValue: number };
type Point = { at: string; value: number };
type Series = { qubit: Qid; points: Point[]; latest: number; min: number; max: number };
type ResultPage = {
  nodes: { taskId: string; startAt: string }[];
  edges: { cursor: string }[];
  pageInfo: { endCursor: string };
};

describe('a chip', () => {
  test('is listed and found by its name and by its id', async () => {
    const fields =
      '__typename id chipId size installedAt topology { topologyId gridSize layoutType muxSize couplings }';
    const { chips } = await read<{ chips: { id: string; topology: { couplings: unknown[] } }[] }>(
      `{ chips { ${fields} } }`,
    );
    expect(chips).toHaveLength(1);
    expect(chips[0]).toMatchObject({
      chipId: DEMO,
      size: 64,
      topology: { topologyId: 'square-lattice-mux-64', gridSize: 8, muxSize: 4 },
    });
    expect(chips[0]!.topology.couplings).toHaveLength(112);
    const again = await read<unknown>(
      `query ($id: ID!) { chip(chipId: "${DEMO}") { ${fields} } node(id: $id) { ... on Chip { ${fields} } } }`,
      {
        id: chips[0]!.id,
      },
    );
    expect(again).toEqual({ chip: chips[0], node: chips[0] });
  });

  test('gives its qubits in numeric order, or those that are asked for, however they are written', async () => {
    const { chip } = await read<{ chip: { qubits: Qid[]; some: unknown } }>(
      `{ chip(chipId: "${DEMO}") { qubits { qid } some: qubits(qids: ["Q07", "12", "q3"]) { qid label } } }`,
    );
    expect(chip.qubits.map(({ qid }) => Number(qid))).toEqual(Array.from({ length: 64 }, (_, i) => i));
    expect(chip.some).toEqual([
      { qid: '7', label: 'Q07' },
      { qid: '12', label: 'Q12' },
      { qid: '3', label: 'Q03' },
    ]);
  });

  test('has a summary in display units whose health counts its rated values', async () => {
    const { chip } = await read<{
      chip: {
        summary: {
          qubitCount: number;
          parameters: { count: number; missing: number; median: number }[];
          health: {
            score: number;
            excellent: number;
            good: number;
            fair: number;
            poor: number;
            components: { contribution: number }[];
            problems: { qubit: object }[];
          };
          freshness: { source: string };
        };
      };
    }>(`{ chip(chipId: "${DEMO}") { summary(parameters: ["t1"]) {
      qubitCount parameters { name title unit count missing mean median stdev min max }
      health { score label excellent good fair poor components { contribution } problems { qubit { qid chip { chipId } } parameter value unit rating threshold } }
      freshness { source newestAt oldestAt staleAfterSeconds isStale } } } }`);
    const { parameters, health, freshness, qubitCount } = chip.summary;
    expect(qubitCount).toBe(64);
    expect(parameters).toMatchObject([{ name: 't1', unit: 'μs' }]);
    expect(parameters[0]!.count + parameters[0]!.missing).toBe(64);
    expect(parameters[0]!.median).toBeGreaterThan(10);
    expect(health.score).toBeCloseTo(
      (3 * health.excellent + 2 * health.good + health.fair) / (health.excellent + health.good + health.poor),
      9,
    );
    expect(health.score).toBeCloseTo(
      health.components.reduce((sum, { contribution }) => sum + contribution, 0),
      9,
    );
    expect(health.problems).toHaveLength(health.poor);
    expect(health.problems[0]!.qubit).toMatchObject({ chip: { chipId: DEMO } });
    expect(freshness.source).toBe('SNAPSHOT');
  });

  test('has a metric with a value for each qubit and a heatmap that can be fetched again by its id', async () => {
    const chart = 'id title kind data layout callId';
    const { chip } = await read<{
      chip: {
        metric: {
          values: { value: number | null }[];
          statistics: { count: number };
          heatmap: { id: string };
        };
      };
    }>(`{ chip(chipId: "${DEMO}") { metric(name: "t1", selection: AVERAGE, withinHours: 240) {
      name title unit statistics { count missing } freshness { newestAt } heatmap { ${chart} }
      values { qubit { qid } value rating measuredAt taskId } } } }`);
    const { values, statistics, heatmap } = chip.metric;
    expect(values).toHaveLength(64);
    expect(values.filter(({ value }) => value !== null)).toHaveLength(statistics.count);
    const cells = expect.objectContaining({ type: 'heatmap' });
    expect(heatmap).toMatchObject({ kind: 'HEATMAP', callId: null, data: expect.arrayContaining([cells]) });
    const { node } = await read<{ node: unknown }>(
      `query ($id: ID!) { node(id: $id) { ... on Chart { ${chart} } } }`,
      {
        id: heatmap.id,
      },
    );
    expect(node).toEqual(heatmap);
  });

  test('has time series of at most lastN points a qubit, bounded by variables of time', async () => {
    const from = '2026-05-13T00:00:00.000Z';
    const { chip } = await read<{ chip: { timeseries: { unit: string; series: Series[] } } }>(
      `query ($from: DateTime, $n: Int, $qids: [String!]) { chip(chipId: "${DEMO}") {
        timeseries(parameter: "t1", qids: $qids, lastN: $n, from: $from) { parameter unit statistics { count }
          series { qubit { qid } unit latest min max mean trend points { at value error taskId executionId } } } } }`,
      { from, n: 4, qids: ['3', '1'] },
    );
    const { series, unit } = chip.timeseries;
    expect(unit).toBe('μs');
    expect(series.map((one) => one.qubit.qid)).toEqual(['3', '1']);
    for (const { points, latest, min, max } of series) {
      expect(points).toHaveLength(4);
      expect(points.every(({ at }) => at >= from)).toBe(true);
      expect(points.at(-1)!.value).toBeCloseTo(latest, 9);
      expect(Math.min(...points.map((point) => point.value))).toBeCloseTo(min, 9);
      expect(Math.max(...points.map((point) => point.value))).toBeCloseTo(max, 9);
    }
  });

  test('names its parameters', async () => {
    const { chip } = await read<{ chip: Record<'parameterNames' | 'all', string[]> }>(
      `{ chip(chipId: "${DEMO}") { parameterNames(qid: "Q03") all: parameterNames } }`,
    );
    expect(chip.all).toContain('t1');
    expect(chip.all).toEqual(expect.arrayContaining(chip.parameterNames));
  });

  test('pages through its task results without gaps and without repeats', async () => {
    const query = `query ($after: String) { chip(chipId: "${DEMO}") { taskResults(
      first: 3, after: $after, filter: { taskName: "CheckT1", qid: "3" }) {
        nodes { taskId startAt } edges { cursor node { taskId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
    const first = (await read<{ chip: { taskResults: ResultPage } }>(query)).chip.taskResults;
    const second = (
      await read<{ chip: { taskResults: ResultPage } }>(query, { after: first.pageInfo.endCursor })
    ).chip.taskResults;
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(second.pageInfo).toMatchObject({ hasPreviousPage: true, startCursor: second.edges[0]!.cursor });
    const times = [...first.nodes, ...second.nodes].map(({ startAt }) => startAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(new Set([...first.nodes, ...second.nodes].map((node) => node.taskId)).size).toBe(6);
  });
});

describe('a qubit', () => {
  test('has parameters, place, neighbours and results, and is found again by its id', async () => {
    const { qubit } = await read<{
      qubit: {
        id: string;
        parameters: Named[];
        parameter: Named;
        neighbors: Qid[];
        couplings: { control: Qid; target: Qid }[];
        timeseries: { points: unknown[] };
      };
    }>(`{ qubit(chipId: "${DEMO}", qid: "Q00") { id qid label position { row column }
      parameters(names: ["t1", "t2_echo"]) { name title value unit displayValue displayUnit text error calibratedAt executionId taskId rating isStale }
      parameter(name: "t1") { name displayValue } nothing: parameter(name: "nothing") { name }
      neighbors { qid } couplings { couplingId control { qid } target { qid } }
      latestTaskResult(taskName: "CheckT1") { taskId name status qid chip { chipId } outputParameters { name } }
      timeseries(parameter: "t1", lastN: 3) { qubit { qid } unit points { value } }
      taskResults(first: 2, filter: { status: [COMPLETED] }) { nodes { status qid } } } }`);
    expect(qubit).toMatchObject({
      qid: '0',
      label: 'Q00',
      position: { row: 0, column: 0 },
      nothing: null,
      latestTaskResult: { name: 'CheckT1', status: 'COMPLETED', qid: '0', chip: { chipId: DEMO } },
      taskResults: {
        nodes: [
          { status: 'COMPLETED', qid: '0' },
          { status: 'COMPLETED', qid: '0' },
        ],
      },
    });
    expect(qubit.parameters.map((one) => one.name).toSorted()).toEqual(['t1', 't2_echo']);
    expect(qubit.parameter.displayValue).toBe(
      qubit.parameters.find((one) => one.name === 't1')!.displayValue,
    );
    expect(qubit.timeseries.points).toHaveLength(3);
    const near = qubit.couplings.flatMap(({ control, target }) => [control.qid, target.qid]);
    expect(new Set(near)).toEqual(new Set(['0', ...qubit.neighbors.map((one) => one.qid)]));
    const { node } = await read<{ node: unknown }>(
      'query ($id: ID!) { node(id: $id) { id ... on Qubit { label } } }',
      {
        id: qubit.id,
      },
    );
    expect(node).toEqual({ id: qubit.id, label: 'Q00' });
  });
});

describe('couplings, task results and metrics', () => {
  test('a coupling has directed parameters and is found again by its id', async () => {
    const { chip } = await read<{ chip: { couplings: { couplingId: string }[] } }>(
      `{ chip(chipId: "${DEMO}") { couplings { couplingId } } }`,
    );
    const { couplingId } = chip.couplings[0]!;
    const fields =
      'id couplingId chip { chipId } control { qid } target { qid } parameters { name displayValue displayUnit }';
    const { coupling } = await read<{ coupling: { id: string; control: Qid; target: Qid } }>(
      `{ coupling(chipId: "${DEMO}", couplingId: "${couplingId}") { ${fields} } }`,
    );
    expect(`${coupling.control.qid}-${coupling.target.qid}`).toBe(couplingId);
    const { node } = await read<{ node: unknown }>(
      `query ($id: ID!) { node(id: $id) { ... on Coupling { ${fields} } } }`,
      {
        id: coupling.id,
      },
    );
    expect(node).toEqual(coupling);
  });

  test('a task result is found by its own id and by its node id', async () => {
    const { chip } = await read<{ chip: { taskResults: { nodes: { taskId: string }[] } } }>(
      `{ chip(chipId: "${DEMO}") { taskResults(first: 1) { nodes { taskId } } } }`,
    );
    const { taskId } = chip.taskResults.nodes[0]!;
    const fields = `id taskId name qid status executionId startAt endAt elapsedSeconds message notes excluded tags
      inputParameters { name } outputParameters { name value } runParameters qualityMetrics`;
    const { taskResult } = await read<{ taskResult: { id: string } }>(
      `{ taskResult(taskId: "${taskId}") { ${fields} } }`,
    );
    const { node } = await read<{ node: unknown }>(
      `query ($id: ID!) { node(id: $id) { ... on TaskResult { ${fields} } } }`,
      {
        id: taskResult.id,
      },
    );
    expect(node).toEqual(taskResult);
    expect(
      (await read<{ taskResult: unknown }>('{ taskResult(taskId: "nope") { id } }')).taskResult,
    ).toBeNull();
  });

  test('the catalogue says units and thresholds', async () => {
    const { metrics } = await read<{ metrics: unknown[] }>(
      '{ metrics { name title unit scale direction scope good excellent bad staleAfterHours } }',
    );
    expect(metrics).toContainEqual(
      expect.objectContaining({ name: 't1', unit: 'μs', direction: 'HIGHER_IS_BETTER', scope: 'QUBIT' }),
    );
  });
});

describe('what does not exist', () => {
  const chip = (fields: string) => `{ chip(chipId: "${DEMO}") { ${fields} } }`;
  test.each([
    ['a chip', '{ chip(chipId: "nope") { id } }', 'NOT_FOUND', /nope.*demo-64/],
    ['a qubit', `{ qubit(chipId: "${DEMO}", qid: "99") { id } }`, 'NOT_FOUND', /99/],
    ['a qubit of a list', chip('qubits(qids: ["1", "99"]) { id }'), 'NOT_FOUND', /99/],
    ['a coupling', `{ coupling(chipId: "${DEMO}", couplingId: "0-63") { id } }`, 'NOT_FOUND', /0-63/],
    ['a metric', chip('metric(name: "nope") { name }'), 'INVALID_INPUT', /nope.*t1/],
    [
      'a parameter of a summary',
      chip('summary(parameters: ["nope"]) { qubitCount }'),
      'INVALID_INPUT',
      /nope/,
    ],
    ['a parameter of a series', chip('timeseries(parameter: "nope") { unit }'), 'INVALID_INPUT', /nope/],
    ['a page of 0', chip('taskResults(first: 0) { nodes { id } }'), 'INVALID_INPUT', /between 1 and 100/],
    ['a page of 101', chip('taskResults(first: 101) { nodes { id } }'), 'INVALID_INPUT', /between 1 and 100/],
    ['a cursor', chip('taskResults(after: "nope") { nodes { id } }'), 'INVALID_INPUT', /cursor/],
    ['so many points', chip('timeseries(parameter: "t1", lastN: 201) { unit }'), 'INVALID_INPUT', /200/],
  ])('%s is an error that says what there is', async (_what, query, code, message) => {
    expect(await fail(query)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test.each([
    'Chip:nope',
    'Qubit:demo-64/99',
    'Qubit:demo-64',
    'Coupling:demo-64/9',
    'TaskResult:nope',
    'Turn:nope',
    'Chart:nope',
    'Chart:heatmap?chip=demo-64',
  ])('the node %s is null', async (id) => {
    const [type, ...rest] = id.split(':');
    const { node } = await read<{ node: unknown }>('query ($id: ID!) { node(id: $id) { id } }', {
      id: encodeNodeId(type!, rest.join(':')),
    });
    expect(node).toBeNull();
  });

  test('another project than those that exist is refused with their names', async () => {
    const { errors } = await post(app.url, '{ chips { id } }', { headers: { 'x-project-id': 'elsewhere' } });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/elsewhere.*demo/), extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});
