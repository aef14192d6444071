/** How much is read for a task result, and what is told of one whose surroundings are not as they should be. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadAnalysis } from '../../src/agent/turn/analysis-context.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import type { SessionContext } from '../../src/services/copilot/send-message.ts';
import { createContextCheck } from '../../src/services/copilot/send-message.ts';
import { shippedKnowledge } from '../support/prompt-context.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';

let qdash: QdashDatabase;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  await makeChip('small', 16, 1);
  await makeChip('large', 256, 40);
});
afterAll(() => qdash.close());

async function makeChip(chipId: string, size: number, runs: number): Promise<void> {
  const { db } = qdash;
  const qids = Array.from({ length: size }, (_, index) => String(index));
  const results = Array.from({ length: runs }, (_, run) =>
    t1Result(chipId, '5', new Date(Date.UTC(2026, 1, 1) + run * 3_600_000).toISOString(), 40 + run, {
      task_id: `${chipId}-${run}`,
    }),
  );
  await db
    .collection('chip')
    .insertOne(chipDocument(chipId, { size, topology_id: `square-lattice-mux-${size}` }));
  await db
    .collection('qubit')
    .insertMany(qids.map((qid) => entityDocument(chipId, qid, { t1: parameter(40) })));
  await db
    .collection('coupling')
    .insertMany(qids.slice(1).map((qid, index) => entityDocument(chipId, `${index}-${qid}`, { zz: 0.1 })));
  await db
    .collection('task_result_history')
    .insertMany([
      ...results,
      t1Result(chipId, '9999', '2026-02-24T00:00:00Z', 1, { task_id: `${chipId}-stray` }),
    ]);
}

/** The context of a result, and the commands that were sent for it. */
async function analyse(taskId: string) {
  const loaders = createLoaders(qdash.services, viewer);
  qdash.commands.length = 0;
  const result = await loaders.taskResult.load(taskId);
  const context = await loadAnalysis(
    { services: qdash.services, loaders, knowledge: shippedKnowledge },
    result!,
  );
  return { context, commands: [...qdash.commands].toSorted() };
}

describe('Reading what a task result is judged by', () => {
  test('takes no more commands for 256 qubits and 40 runs than for 16 and one', async () => {
    const [small, large] = [await analyse('small-0'), await analyse('large-39')];
    expect(small.context.runs).toHaveLength(1);
    expect(large.context.runs).toHaveLength(30);
    expect(large.commands.length).toBeLessThanOrEqual(small.commands.length);
    expect(small.commands.length).toBeLessThanOrEqual(14);
  });

  test('gives the result alone where the chip does not have its qubit', async () => {
    const { context } = await analyse('small-stray');
    expect(context).toMatchObject({ label: 'Q9999', runs: [], neighbors: [], chipStatistics: [] });
  });
});

describe('What a conversation may be about', () => {
  const check = (context: Partial<SessionContext>) =>
    createContextCheck(qdash.services)(viewer, { chipId: null, qid: null, taskId: null, ...context });

  test('is a task result, alone or with its chip', async () => {
    await expect(check({ taskId: 'small-0' })).resolves.toBeUndefined();
    await expect(check({ taskId: 'small-0', chipId: 'small', qid: '5' })).resolves.toBeUndefined();
  });

  test('is no task result of another chip than the one that is named', async () => {
    await expect(check({ taskId: 'small-0', chipId: 'large' })).rejects.toMatchObject({
      issues: [
        {
          path: ['input', 'taskId'],
          message: 'belongs to chip small: give that as chipId, or leave chipId out',
        },
      ],
    });
  });
});
