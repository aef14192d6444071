import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommandSucceededEvent } from 'mongodb';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

let qdash: QdashDatabase;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  await makeChip('small', 16);
  await makeChip('large', 144);
  await makeChip('unknown-shape', 30, null);
});
afterAll(() => qdash.close());

async function makeChip(
  chipId: string,
  size: number,
  topologyId: string | null = `square-lattice-mux-${size}`,
) {
  const qids = Array.from({ length: size }, (_, index) => String(index));
  const { db } = qdash;
  await db.collection('chip').insertOne(chipDocument(chipId, { size, topology_id: topologyId }));
  await db
    .collection('qubit')
    .insertMany(
      qids.map((qid) => entityDocument(chipId, qid, { t1: parameter(40, 'μs', { task_id: `task-${qid}` }) })),
    );
  await db
    .collection('coupling')
    .insertMany(qids.slice(1).map((qid, index) => entityDocument(chipId, `${index}-${qid}`, { zz: 0.1 })));
  await db
    .collection('task_result_history')
    .insertMany(qids.map((qid) => t1Result(chipId, qid, '2026-02-24T00:00:00Z', Number(qid))));
}

/** Names of the commands that `work` sends. */
async function commandsOf(work: (loaders: ReturnType<typeof createLoaders>) => Promise<unknown>) {
  qdash.commands.length = 0;
  await work(createLoaders(qdash.services, viewer));
  return [...qdash.commands];
}

/** A chip page: all that GraphQL shows of a chip, each qubit asking for its own things. */
const everythingOf = (chipId: string) => async (loaders: ReturnType<typeof createLoaders>) => {
  const chip = await loaders.chip.load(chipId);
  if (!chip) throw new Error(`no chip ${chipId}`);
  const [qubits, couplings] = await Promise.all([
    loaders.qubitsOfChip.load(chip),
    loaders.couplingsOfChip.load(chip),
    loaders.topology.load(chip),
    loaders.chipSummary.load({ chip, parameters: null }),
    loaders.chipMetric.load({ chip, name: 't1' }),
  ]);
  await Promise.all([
    ...qubits.map((qubit) => loaders.qubitParameters.load(qubit)),
    ...qubits.map((qubit) =>
      loaders.series.load({ kind: 'QUBIT', chipId: qubit.chipId, qid: qubit.qid, parameter: 't1', lastN: 5 }),
    ),
    ...qubits.map((qubit) => loaders.latestTaskResult.load({ qubit, taskName: 'CheckT1' })),
    ...couplings.map((coupling) => loaders.couplingParameters.load(coupling)),
  ]);
};

describe('reading a chip', () => {
  test('with all its qubits, parameters, couplings and latest results is as many commands for 16 qubits as for 144', async () => {
    const small = await commandsOf(everythingOf('small'));
    const large = await commandsOf(everythingOf('large'));
    expect(large.toSorted()).toEqual(small.toSorted());
    expect(small).toHaveLength(17);
  });

  test('looks up once which tasks write a parameter, for one qubit and for all, and sees those of a new task at once', async () => {
    await makeChip('written', 16);
    const chip = await qdash.services.chips.get(viewer, 'written');
    const seriesOf = (qids: readonly string[] | null) =>
      qdash.services.chipTimeseries.get(chip, { parameter: 't1', qids });
    const first = await commandsOf(() => seriesOf(['3']));
    const second = await commandsOf(() => seriesOf(null));
    expect(second).toHaveLength(first.length - 2);
    const rest = { name: 'CheckT1Average' };
    await qdash.db
      .collection('task_result_history')
      .insertOne(t1Result('written', '3', '2026-02-24T01:00:00Z', 77, rest));
    const [series] = (await seriesOf(['3'])).series;
    expect(series?.points.at(-1)).toMatchObject({ value: 77, taskName: 'CheckT1Average' });
  });

  test('sends nothing but reads that fit into one reply', async () => {
    const commands = await commandsOf(everythingOf('large'));
    expect(new Set(commands)).toEqual(new Set(['aggregate', 'find']));
  });

  test('of summaries costs the same for many chips: the chips, their couplings, the values of both, and what was excluded of them', async () => {
    const summaries = (chipIds: readonly string[]) => async (loaders: ReturnType<typeof createLoaders>) => {
      const chips = await loaders.chip.loadMany([...chipIds]);
      await Promise.all(
        chips.map((chip) => {
          if (chip === null || chip instanceof Error) throw new Error('a chip is missing');
          return loaders.chipSummary.load({ chip, parameters: null });
        }),
      );
    };
    const one = ['find', 'find', 'aggregate', 'find', 'find'];
    expect(await commandsOf(summaries(['small']))).toEqual(one);
    const all = await commandsOf(summaries(['small', 'large', 'unknown-shape']));
    expect(all).toEqual(one);
  });

  test('without a known topology derives the layout of every such chip with three commands', async () => {
    const commands = await commandsOf(async (loaders) => {
      const chip = await loaders.chip.load('unknown-shape');
      const topology = await loaders.topology.load(chip!);
      expect(topology).toMatchObject({ placedBy: 'COUPLINGS', layoutType: 'derived' });
      expect(topology!.positions.size).toBe(30);
    });
    expect(commands).toEqual(['find', 'find', 'aggregate']);
  });
});

describe('loaders', () => {
  test('give each qubit its own series, parameters and newest result', async () => {
    const loaders = createLoaders(qdash.services, viewer);
    const chip = await loaders.chip.load('small');
    const qubits = await loaders.qubitsOfChip.load(chip!);
    const qubit = qubits.find(({ qid }) => qid === '7')!;
    const [series, result] = await Promise.all([
      loaders.series.load({ kind: 'QUBIT', chipId: qubit.chipId, qid: qubit.qid, parameter: 't1', lastN: 5 }),
      loaders.latestTaskResult.load({ qubit, taskName: 'CheckT1' }),
    ]);
    expect(series).toMatchObject({ qid: '7', label: 'Q07', latest: 7 });
    expect(result).toMatchObject({ qid: '7', name: 'CheckT1' });
    expect(await loaders.latestTaskResult.load({ qubit, taskName: 'CheckT2' })).toBeNull();
  });

  test('fail one bad key alone', async () => {
    const loaders = createLoaders(qdash.services, viewer);
    const chip = await loaders.chip.load('small');
    const results = await Promise.allSettled([
      loaders.chipMetric.load({ chip: chip!, name: 't1' }),
      loaders.chipMetric.load({ chip: chip!, name: 'nope' }),
      loaders.chipSummary.load({ chip: chip!, parameters: ['nope'] }),
      loaders.chipSummary.load({ chip: chip!, parameters: ['t1'] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  });

  test('know no chip of another project', async () => {
    const loaders = createLoaders(qdash.services, { ...viewer, projectId: 'p2' });
    expect(await loaders.chip.load('small')).toBeNull();
  });
});

test('a history of named qubits reads no row of any other', async () => {
  const chip = await qdash.services.chips.get(viewer, 'large');
  const history = (qids: readonly string[]) =>
    qdash.services.chipTimeseries.get(chip, { parameter: 't1', qids });
  await history(['1']); // looks up once which tasks write T1
  const rows: number[] = [];
  const count = ({ reply }: CommandSucceededEvent): void => {
    const { cursor } = reply as { cursor?: { ns: string; firstBatch: readonly unknown[] } };
    if (cursor?.ns.endsWith('.qubit') === true) rows.push(cursor.firstBatch.length);
  };
  qdash.client.on('commandSucceeded', count);
  const { series } = await history(['Q143', '7', 'q007']);
  expect(series.map(({ qid, label, latest }) => [qid, label, latest])).toEqual([
    ['143', 'Q143', 143],
    ['7', 'Q007', 7],
  ]);
  expect(rows).toEqual([2]);
  await expect(history(['7', 'Q999'])).rejects.toThrow('there is no qubit Q999 on chip large');
  qdash.client.off('commandSucceeded', count);
});
