import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { provenanceGraph, withValidity } from '../../src/domain/records/provenance.ts';
import type {
  ProvenanceRecords,
  ProvenanceRelation,
  StoredVersion,
} from '../../src/domain/records/provenance.ts';

const version = (entityId: string, number = 1): StoredVersion => ({
  projectId: 'p1',
  chipId: 'C1',
  entityId,
  parameter: entityId,
  qid: '0',
  version: number,
  value: 1,
  text: null,
  unit: '',
  error: null,
  executionId: 'e',
  taskId: 't',
  taskName: 'CheckT1',
  validFrom: new Date(Date.UTC(2026, 0, number)),
});
const from = (sourceId: string, targetId: string): ProvenanceRelation => ({
  relation: 'WAS_DERIVED_FROM',
  sourceId,
  targetId,
});
const records = (
  names: string,
  relations: readonly ProvenanceRelation[],
  rest: Partial<ProvenanceRecords> = {},
): ProvenanceRecords => ({
  versions: names.split('').map((name) => version(name)),
  activities: [],
  newest: [],
  excludedTaskIds: new Set(),
  relations,
  ...rest,
});

describe('a graph of origins', () => {
  test('expands what is met on a long path at its shortest distance', () => {
    // a → b → c → d and a → d → e: depth first within 2 steps would meet d late, or not at all.
    const relations = [from('a', 'b'), from('b', 'c'), from('c', 'd'), from('a', 'd'), from('d', 'e')];
    const graph = provenanceGraph('a', records('abcde', relations), 2);
    expect(graph.nodes.map(({ id, depth }) => [id, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['d', 1],
      ['c', 2],
      ['e', 2],
    ]);
    expect(graph).toMatchObject({ hasMore: false, missing: [] });
  });

  test('says when it goes on beyond the depth asked for', () => {
    const graph = provenanceGraph('a', records('abc', [from('a', 'b'), from('b', 'c')]), 1);
    expect(graph.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(graph).toMatchObject({ hasMore: true, edges: [from('a', 'b')] });
  });

  test('tells the newest version of the chip beside each', () => {
    const newest = [{ parameter: 'a', qid: '0', version: 5 }];
    const graph = provenanceGraph('a', records('a', [], { newest }), 3);
    expect(graph.nodes).toMatchObject([{ kind: 'ENTITY', newestVersion: 5, entity: { version: 1 } }]);
  });

  const ids = fc.constantFrom(...'abcdefgh'.split(''));
  test('never has an edge without its two nodes, and no order of reading changes it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ids, ids), { maxLength: 30 }),
        fc.subarray('bcdefgh'.split('')),
        fc.integer({ min: 1, max: 5 }),
        (pairs, known, depth) => {
          const relations = pairs.map(([a, b]) => from(a, b));
          const all = records(`a${known.join('')}`, relations);
          const graph = provenanceGraph('a', all, depth);
          const nodes = new Map(graph.nodes.map((node) => [node.id, node.depth]));
          for (const { sourceId, targetId } of graph.edges) {
            expect(nodes.has(sourceId) && nodes.has(targetId)).toBe(true);
            expect(nodes.get(targetId)).toBeLessThanOrEqual(nodes.get(sourceId)! + 1);
          }
          for (const id of graph.missing) expect(nodes.has(id)).toBe(false);
          const reversed = { ...all, relations: relations.toReversed(), versions: all.versions.toReversed() };
          expect(provenanceGraph('a', reversed, depth)).toEqual(graph);
        },
      ),
    );
  });
});

test('a version holds until the next newer one of the same chip', () => {
  const [newest, older] = withValidity([version('b', 7), version('a', 3)], new Set());
  expect(newest!.validUntil).toBeNull();
  expect(older!.validUntil).toEqual(newest!.validFrom);
});

test('an excluded version holds for no time, and ends none', () => {
  const [newest, bad, older] = withValidity(
    [version('c', 9), { ...version('b', 7), taskId: 'bad' }, version('a', 3)],
    new Set(['bad']),
  );
  expect([newest!.excluded, bad!.excluded, older!.excluded]).toEqual([false, true, false]);
  expect(bad!.validUntil).toEqual(bad!.validFrom);
  expect(older!.validUntil).toEqual(newest!.validFrom);
});
