import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import { AGED_CHIP, AGED_DAYS, AGED_QIDS, agedT1, writeAgedDatabase } from '../support/qdash-ages.ts';
import type { QdashAge } from '../support/qdash-ages.ts';
import { openQdashDatabase, viewer } from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

const NEWEST = AGED_DAYS.length - 1;

describe.each<QdashAge>(['V1', 'HEAD'])('a database of QDash %s', (age) => {
  let qdash: QdashDatabase;
  let chip: Chip;
  beforeAll(async () => {
    qdash = await openQdashDatabase();
    await writeAgedDatabase(qdash.db, age);
    chip = await qdash.services.chips.get(viewer, AGED_CHIP);
  });
  afterAll(() => qdash.close());

  test('has one chip and one of each qubit, however many users registered them', async () => {
    const { chips, qubits } = qdash.services;
    expect(await chips.list(viewer)).toHaveLength(1);
    const [found = []] = await qubits.ofChips([chip]);
    expect(found.map(({ qid }) => qid)).toEqual([...AGED_QIDS]);
  });

  test('gives the newest value of each qubit, without those of other projects and of none', async () => {
    const expected = AGED_QIDS.map((_, qubit) => agedT1(qubit, NEWEST));
    const metric = await qdash.services.chipMetrics.get(chip, { name: 't1' });
    expect(metric.values.map(({ value }) => value)).toEqual(expected);
    const [qubits = []] = await qdash.services.qubits.ofChips([chip]);
    const current = await qdash.services.qubits.parameters(qubits, ['t1']);
    expect(current.map(([t1]) => t1?.value)).toEqual(expected);
    expect(metric.values[1]?.newerFailure).toMatchObject({ taskId: 'failed' });
  });

  test('gives the same median as summary, metric, and newest point of each series', async () => {
    const { chipSummaries, chipMetrics, chipTimeseries } = qdash.services;
    const [summary] = await chipSummaries.getMany([{ chip, parameters: ['t1'] }]);
    const metric = await chipMetrics.get(chip, { name: 't1' });
    const series = await chipTimeseries.get(chip, { parameter: 't1' });
    const medians = [metric.statistics, series.statistics].map(({ stored }) => stored.median);
    expect(summary).toMatchObject({ parameters: [{ stored: { median: agedT1(2, NEWEST) } }] });
    expect(medians).toEqual([agedT1(2, NEWEST), agedT1(2, NEWEST)]);
  });

  test('lists executions newest first, whatever form their times have', async () => {
    const { items } = await qdash.services.executions.page(chip, { first: 10 });
    const shown = items.map(({ item }) => [item.executionId, item.elapsedSeconds]);
    expect(shown).toEqual([
      ['20260223-001', 312],
      ['20260221-001', 312],
      ['20260222-001', 312],
    ]);
  });

  test('has machine notes in both ages and remarks of people in the newer one', async () => {
    const { notes } = qdash.services;
    const machine = await notes.machine(chip, { first: 10, filter: { taskId: 'master' } });
    expect(machine.items.map(({ item }) => item.note)).toMatchObject([
      { rabi_params: { Q00: { amplitude: 0.42 } } },
      {},
      {},
    ]);
    const { notes: human } = await notes.recorded(chip);
    expect(human.map(({ text }) => text)).toEqual(
      age === 'V1'
        ? []
        : [
            'Pump was on',
            'Cool-down went well',
            'Strong ZZ',
            'Still drifts',
            'T1 drifts',
            'Noisy line',
            'Second thermal cycle',
          ],
    );
  });

  test('has versions and origins of the chip alone, though another chip shares the counter', async () => {
    const { lineage } = qdash.services;
    const versions = (await lineage.versions(chip, { parameter: 't1', qids: ['1'] })).get('1') ?? [];
    expect(versions.map(({ version, validUntil }) => [version, validUntil])).toEqual([
      [3, null],
      [1, new Date(`${AGED_DAYS[NEWEST]}T02:00:00Z`)],
    ]);
    const graph = await lineage.graph(chip, versions[0]?.entityId ?? '');
    expect(graph.nodes.map(({ kind, depth }) => [kind, depth])).toEqual([
      ['ENTITY', 0],
      ['ENTITY', 1],
      ['ACTIVITY', 1],
    ]);
    expect(graph.edges).toHaveLength(3);
    expect(graph.missing).toEqual(['qubit_frequency:1:lost:lost']);
  });

  test('is read and never written: every command of every read is a find, a list of collections or an aggregation without output', async () => {
    const sent: { name: string; command: Document }[] = [];
    const listen = ({ commandName, command }: { commandName: string; command: Document }) =>
      sent.push({ name: commandName, command });
    qdash.client.on('commandStarted', listen);
    await readEverything(qdash, chip);
    qdash.client.off('commandStarted', listen);
    expect(sent.length).toBeGreaterThan(30);
    expect(new Set(sent.map(({ name }) => name))).toEqual(new Set(['find', 'aggregate', 'listCollections']));
    const stages = sent.flatMap(({ command }) =>
      ((command['pipeline'] ?? []) as Document[]).flatMap((stage) => Object.keys(stage)),
    );
    expect(stages).not.toContain('$out');
    expect(stages).not.toContain('$merge');
  });

  test('holds the same bytes after every read', async () => {
    const before = await contentOf(qdash);
    await readEverything(qdash, chip);
    expect(await contentOf(qdash)).toBe(before);
  });
});

/** Every function of every service, and every loader. */
async function readEverything({ services }: QdashDatabase, chip: Chip): Promise<void> {
  const loaders = createLoaders(services, viewer);
  const [qubits = []] = await services.qubits.ofChips([chip]);
  const [couplings = []] = await services.couplings.ofChips([chip]);
  const versions = await services.lineage.versions(chip, { parameter: 't1', qids: ['1'] });
  const [version] = versions.get('1') ?? [];
  await Promise.all([
    services.projects.list(),
    services.chips.list(viewer),
    services.topologies.ofChips([chip]),
    services.qubits.parameters(qubits, null),
    services.couplings.parameters(couplings, null),
    services.chipSummaries.getMany([{ chip, parameters: null }]),
    ...(['LATEST', 'BEST', 'AVERAGE'] as const).map((selection) =>
      services.chipMetrics.get(chip, { name: 't1', selection }),
    ),
    services.chipTimeseries.get(chip, { parameter: 't1' }),
    services.periodComparisons.get(chip, { parameter: 't1', windowHours: 48 }),
    services.chipMetrics.ofCouplings(chip, { name: 'zx90_gate_fidelity' }),
    services.chipTimeseries.get(chip, { parameter: 'zx90_gate_fidelity', qids: ['1-0'] }),
    services.periodComparisons.get(chip, { parameter: 'zx90_gate_fidelity', windowHours: 48 }),
    services.parameterNames.kinds(chip, 'zx90_gate_fidelity'),
    services.taskResults.page(chip, { first: 5 }),
    services.taskResults.names(chip),
    services.taskResults.latest(chip, { taskName: 'CheckT1', qids: ['0'] }),
    services.taskResults.getMany(viewer, ['failed']),
    services.executions.page(chip, { first: 2, filter: { tags: ['daily'], status: ['COMPLETED'] } }),
    services.executions.getMany(viewer, ['20260223-001']),
    services.notes.machine(chip, { first: 1 }),
    services.notes.recorded(chip, '0-1'),
    services.lineage.graph(chip, version?.entityId ?? ''),
    services.cooldowns.list(viewer),
    services.parameterNames.list(chip),
    ...qubits.map((qubit) => loaders.lineage.load({ qubit, parameter: 't1', lastN: 5 })),
  ]);
}

/** All documents of all collections as text. */
async function contentOf({ db }: QdashDatabase): Promise<string> {
  const collections = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
  const documents = await Promise.all(
    collections.map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  return JSON.stringify(documents);
}
