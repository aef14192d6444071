import { describe, expect, test } from '@jest/globals';
import type { ProvenanceGraph, ProvenanceNode } from '../../src/domain/records/provenance.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { comparePeriods } from '../../src/domain/values/period-comparison.ts';
import { readStoredParameter } from '../../src/domain/values/stored-parameter.ts';
import { provenanceChart } from '../../src/domain/visual-rules/lineage-graph.ts';
import { nodeWords } from '../../src/domain/visual-rules/record-tables.ts';
import { comparisonVisuals } from '../../src/domain/visual-rules/period-comparison.ts';
import { valueCard } from '../../src/domain/visual-rules/value-card.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const now = new Date('2026-02-25T00:00:00Z');

describe('a card of one value', () => {
  const card = (name: string, value: unknown) =>
    valueCard(
      'Q07',
      describeParameter(readStoredParameter(name, value), shippedMetrics.find(name, 'QUBIT'), now),
    );

  test('C8: shows it in display units with its error and time', () => {
    const spec = card('average_readout_fidelity', {
      value: 0.98,
      error: 0.01,
      unit: 'a.u.',
      calibrated_at: new Date('2026-02-24T01:00:00Z'),
    });
    expect(spec?.data[0]).toMatchObject({ value: 98, number: { suffix: ' %' } });
    expect(JSON.stringify(spec)).toContain('± 1.0 %<br>good<br>2026-02-24 01:00 UTC');
    expect(spec?.data[0]).toMatchObject({
      meta: { value: '98.00', notes: ['± 1.0 %', 'good', '2026-02-24 01:00 UTC'] },
    });
  });

  test('is none for what is not a number', () => {
    expect(card('t1', 'broken')).toBeNull();
  });
});

describe('a graph of origins', () => {
  const entity = (id: string, depth: number, newestVersion: number): ProvenanceNode => ({
    id,
    depth,
    excluded: false,
    kind: 'ENTITY',
    newestVersion,
    entity: {
      projectId: 'p1',
      chipId: 'C1',
      entityId: id,
      parameter: id,
      qid: '7',
      version: 1,
      value: 45.234,
      text: null,
      unit: 'μs',
      error: null,
      executionId: 'e',
      taskId: 't',
      taskName: 'CheckT1',
      validFrom: now,
    },
  });
  const graph: ProvenanceGraph = {
    origin: 't1',
    nodes: [entity('t1', 0, 1), entity('f', 1, 3)],
    edges: [{ relation: 'WAS_DERIVED_FROM', sourceId: 't1', targetId: 'f' }],
    hasMore: false,
    missing: [],
  };

  test('C9: has a row a node, a step to the right an edge, and marks values that have a newer version', () => {
    const { kind, data } = provenanceChart('Origins', graph);
    expect(kind).toBe('GRAPH');
    expect(data).toMatchObject([
      { mode: 'lines', x: [0, 0, 1, null], y: [0, 1, 1, null] },
      { name: 'version', x: [0], y: [0] },
      { name: 'measured again since', x: [1], y: [1] },
    ]);
    expect(graph.nodes.map(nodeWords)).toEqual([
      't1 of 7, version 1: 45.23 μs',
      'f of 7, version 1 of 3: 45.23 μs',
    ]);
  });
});

test('C9: what two values came from has one row, below the first, and a dotted line from the second', () => {
  const node = (id: string, depth: number): ProvenanceNode => ({
    id,
    depth,
    excluded: false,
    kind: 'ACTIVITY',
    activity: {
      activityId: id,
      qid: '7',
      taskName: id,
      executionId: 'e',
      taskId: 't',
      status: 'COMPLETED',
      startedAt: now,
      endedAt: now,
    },
  });
  const edge = (sourceId: string, targetId: string) => ({ relation: 'USED', sourceId, targetId }) as const;
  const { data } = provenanceChart('Origins', {
    origin: 'a',
    nodes: [node('a', 0), node('b', 1), node('c', 1), node('d', 2)],
    edges: [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')],
    hasMore: false,
    missing: [],
  });
  expect(data).toMatchObject([
    { mode: 'lines', line: { dash: 'solid' } },
    { name: 'also from', line: { dash: 'dot' }, x: [1, 1, 2, null], y: [3, 2, 2, null] },
    { name: 'run', y: [0, 1, 2, 3], x: [0, 1, 2, 1] },
  ]);
});

test('C11: windows without any result are a note and no chart', () => {
  const empty = { from: new Date('2026-02-24T00:00:00Z'), to: now, measurements: [] };
  const comparison = comparePeriods({
    kind: 'QUBIT',
    parameter: 't1',
    metric: shippedMetrics.find('t1', 'QUBIT'),
    chipId: 'C1',
    level: 'QUBIT',
    entities: [{ qid: '0', label: 'Q00' }],
    twins: [],
    muxOf: new Map(),
    timeZone: 'UTC',
    current: empty,
    previous: empty,
  });
  for (const withSeries of [true, false]) {
    expect(comparisonVisuals(comparison, withSeries)).toMatchObject([
      { type: 'table', rows: [{ note: expect.stringContaining('No data for T1') }] },
    ]);
  }
});
