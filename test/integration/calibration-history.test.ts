import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

let qdash: QdashDatabase;
let chip: Chip;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  const { db, services } = qdash;
  await db
    .collection('chip')
    .insertMany([chipDocument('C1'), chipDocument('line', { topology_id: 'linear-16' })]);
  const qids = Array.from({ length: 16 }, (_, index) => String(index));
  await db.collection('qubit').insertMany(qids.map((qid) => entityDocument('C1', qid, { t1: 40 })));
  await db.collection('execution_history').insertMany(executions(1, 9));
  await db.collection('calibration_note').insertMany(qids.map(noteRow));
  const runs = qids.flatMap((qid) => [
    t1Result('C1', qid, '2026-02-24T12:00:00Z', 50),
    t1Result('C1', qid, '2026-02-23T12:00:00Z', 40),
  ]);
  await db.collection('task_result_history').insertMany(runs);
  await db.collection('parameter_versions').insertMany(qids.map(versionRow));
  chip = await services.chips.get(viewer, 'C1');
});
afterAll(() => qdash.close());

/** Pairs of executions that started at the same instant, so that pages must break ties. */
function executions(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return {
      project_id: 'p1',
      chip_id: 'C1',
      username: 'rin',
      execution_id: `20260224-${String(number).padStart(3, '0')}`,
      name: 'Daily',
      status: number % 3 === 0 ? 'failed' : 'completed',
      tags: number % 2 === 0 ? ['daily', 'even'] : ['daily'],
      start_at: number === 9 ? null : new Date(Date.UTC(2026, 1, 24, Math.ceil(number / 2))),
      end_at: null,
      message: '',
    };
  });
}

function noteRow(qid: string) {
  return {
    _id: new ObjectId(),
    project_id: 'p1',
    chip_id: 'C1',
    username: 'rin',
    execution_id: '20260224-001',
    task_id: `task-${qid}`,
    note: { qid },
    timestamp: new Date('2026-02-24T00:00:00Z'),
  };
}

function versionRow(qid: string) {
  const entity_id = `t1:${qid}:20260224-001:t${qid}`;
  return {
    entity_id,
    parameter_name: 't1',
    qid,
    value: 40,
    unit: 'μs',
    error: 0,
    version: 1,
    valid_from: NOW,
    valid_until: null,
    execution_id: '20260224-001',
    task_id: `t${qid}`,
    task_name: 'CheckT1',
    project_id: 'p1',
    chip_id: 'C1',
  };
}

/** Ids of all pages of two, with `between` done after the first. */
async function allPages(between: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page = await qdash.services.executions.page(chip, { first: 2, after });
    found.push(...page.items.map(({ item }) => item.executionId));
    after = page.items.at(-1)?.cursor ?? null;
    if (!page.hasNextPage) return found;
    if (found.length === 2) await between();
  }
}

describe('executions', () => {
  test('come newest first in pages that neither repeat nor skip any, also when newer ones arrive in between', async () => {
    const newer = { ...executions(20, 20)[0], start_at: new Date('2026-02-25T00:00:00Z') };
    const found = await allPages(() => qdash.db.collection('execution_history').insertOne(newer));
    expect(found).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 9].map((number) => `20260224-00${number}`));
    await qdash.db.collection('execution_history').deleteOne({ execution_id: newer.execution_id });
  });

  test('are narrowed by status, by all of some tags, and by start', async () => {
    const idsOf = async (filter: object) => {
      const { items } = await qdash.services.executions.page(chip, { first: 50, filter });
      return items.map(({ item }) => Number(item.executionId.slice(-3)));
    };
    expect(await idsOf({ status: ['FAILED'] })).toEqual([6, 3, 9]);
    expect(await idsOf({ tags: ['even', 'daily'] })).toEqual([8, 6, 4, 2]);
    const from = new Date(Date.UTC(2026, 1, 24, 2));
    expect(await idsOf({ from, to: new Date(Date.UTC(2026, 1, 24, 3)) })).toEqual([4, 3]);
  });

  test('are found by id within the project only', async () => {
    const { executions: service } = qdash.services;
    const [own, none] = await service.getMany(viewer, ['20260224-001', 'nope']);
    expect([own?.executionId, none]).toEqual(['20260224-001', null]);
    expect(await service.getMany({ ...viewer, projectId: 'p2' }, ['20260224-001'])).toEqual([null]);
  });

  test('are refused a cursor and a page size that are none', async () => {
    const { executions: service } = qdash.services;
    await expect(service.page(chip, { first: 2, after: 'x' })).rejects.toThrow('after: is not a cursor');
    await expect(service.page(chip, { first: 101 })).rejects.toThrow('first: is 101; ask for 1 to 100');
  });
});

test('machine notes of one instant are paged by their ids', async () => {
  const found: unknown[] = [];
  let after: string | null = null;
  for (let page = 0; page < 4; page += 1) {
    const { items } = await qdash.services.notes.machine(chip, { first: 4, after });
    found.push(...items.map(({ item }) => item.note['qid']));
    after = items.at(-1)?.cursor ?? null;
  }
  expect(new Set(found).size).toBe(16);
});

describe('comparisons', () => {
  test('read the last window and the one before it', async () => {
    const comparison = await qdash.services.periodComparisons.get(chip, {
      parameter: 't1',
      windowHours: 24,
      level: 'MUX',
    });
    expect(comparison.rows.map(({ entity }) => entity)).toEqual(['MUX 0', 'MUX 1', 'MUX 2', 'MUX 3']);
    expect(comparison.total).toMatchObject({ current: 50, previous: 40, better: true, members: 16 });
    expect(comparison.current).toMatchObject({ to: NOW });
  });

  test('read any two windows, years apart or of different length', async () => {
    const [from, to] = [new Date('2026-02-24T00:00:00Z'), new Date('2029-02-24T00:00:00Z')];
    const earlier = { from: new Date('2026-02-23T11:00:00Z'), to: new Date('2026-02-23T13:00:00Z') };
    const { current, previous, total } = await qdash.services.periodComparisons.get(chip, {
      parameter: 't1',
      from,
      to,
      previous: earlier,
    });
    expect([current, previous]).toMatchObject([{ from, to }, earlier]);
    expect(total).toMatchObject({ current: 50, previous: 40, members: 16 });
  });

  test.each([
    [{ parameter: 't1', windowHours: 0 }, 'windowHours: a window is more than 0'],
    [{ parameter: 't1', from: NOW, to: NOW }, 'from: a window is more than 0'],
    [
      { parameter: 't1', windowHours: 3, previous: { to: NOW } },
      'previous: the earlier window ends at 2026-02-25T00:00:00.000Z, after the later one starts (2026-02-24T21:00:00.000Z)',
    ],
    [
      { parameter: 't1', windowHours: 3, previous: { from: new Date(0), to: new Date(0) } },
      'previous: the earlier window starts at or after its end',
    ],
    [{ parameter: 't1', from: NOW, windowHours: 3 }, 'from: give a window in hours or a start, not both'],
    [{ parameter: 't.1', windowHours: 3 }, 'parameter: "t.1" is not a valid parameter name'],
    [{ parameter: 'warp', windowHours: 3 }, 'there is no parameter warp on chip C1; its parameters: t1'],
    [{ parameter: 't1', windowHours: 3, qids: ['99'] }, 'there is no qubit 99'],
  ])('%j is refused: %s', async (request, message) => {
    await expect(qdash.services.periodComparisons.get(chip, request)).rejects.toThrow(message);
  });

  test('by MUX are refused where the topology has none', async () => {
    const line = await qdash.services.chips.get(viewer, 'line');
    await expect(
      qdash.services.periodComparisons.get(line, { parameter: 't1', windowHours: 3, level: 'MUX' }),
    ).rejects.toThrow('level: the topology of line has no MUX');
  });
});

describe('lineage', () => {
  test('of all qubits of a chip is two reads: the versions, and which results of theirs are excluded', async () => {
    const loaders = createLoaders(qdash.services, viewer);
    const qubits = await loaders.qubitsOfChip.load((await loaders.chip.load('C1'))!);
    qdash.commands.length = 0;
    const versions = await Promise.all(
      qubits.map((qubit) => loaders.lineage.load({ qubit, parameter: 't1', lastN: 3 })),
    );
    expect(versions.map(([newest]) => newest?.qid)).toEqual(qubits.map(({ qid }) => qid));
    expect(qdash.commands).toEqual(['aggregate', 'find']);
  });

  test.each(['', 't1:1', 't1:1:a:b:c'])('of %j is refused: it is no id of a version', async (id) => {
    await expect(qdash.services.lineage.graph(chip, id)).rejects.toThrow(
      'is not parameter:qid:execution:task',
    );
  });

  test('of a version that the chip does not have is not found', async () => {
    const id = 't1:0:20260224-001:t0';
    expect((await qdash.services.lineage.graph(chip, id, 99)).nodes).toHaveLength(1);
    const line = await qdash.services.chips.get(viewer, 'line');
    await expect(qdash.services.lineage.graph(line, id)).rejects.toThrow('there is no version');
  });
});
