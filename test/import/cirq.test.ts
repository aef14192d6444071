import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importCirqFiles, type CirqRequest } from '../../src/import/import-cirq.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { importText, useImportBench } from './csv-harness.ts';

const bench = useImportBench();

async function importFile(path: string, options: Partial<CirqRequest> = {}): Promise<string> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const request = { paths: [path], chipId: null, project: 'p1', time: null, metrics: shippedMetrics, print };
  await importCirqFiles(bench.writer, { ...request, ...options });
  return printed.join('\n');
}

type Entry = readonly [name: string, targets: readonly string[], value: number];

async function fileOf(name: string, entries: readonly Entry[], extra: object = {}): Promise<string> {
  const metrics = entries.map(([metric, targets, doubleVal]) => ({
    name: metric,
    targets,
    values: [{ doubleVal }],
  }));
  const path = join(bench.folder, name);
  await writeFile(path, JSON.stringify({ cirq_type: 'Calibration', metrics: { ...extra, metrics } }));
  return path;
}

const T1 = 'single_qubit_idle_t1_micros';
const XEB = 'two_qubit_sycamore_gate_xeb_average_error_per_cycle';

async function stored(): Promise<readonly string[]> {
  const results = await bench.db.collection('task_result_history').find().toArray();
  return results
    .flatMap(({ qid, output_parameters: outputs }) =>
      Object.entries<{ value: number; unit: string }>(outputs).map(
        ([name, { value, unit }]) => `${qid} ${name} ${Number(value.toPrecision(12))} ${unit}`,
      ),
    )
    .toSorted();
}

describe('a calibration of Cirq', () => {
  test('numbers its qubits row by row and keeps their names and places', async () => {
    const printed = await importFile(
      await fileOf('tiny_2026_01_01.json', [
        [T1, ['10_2'], 20],
        [T1, ['3_4'], 21],
        [T1, ['3_2'], 22],
        [XEB, ['3_2', '3_4'], 0.01],
        ['single_qubit_p00_error', ['3_2'], 0.02],
        ['single_qubit_p11_error', ['3_2'], 0.04],
        ['parallel_p11_error', ['3_2'], 0.05],
        ['single_qubit_rb_pauli_error_per_gate', ['3_2'], 0.001],
      ]),
    );
    expect(printed).toContain('0 is 3_2, 1 is 3_4, 2 is 10_2');
    expect(printed).toContain('2026-01-01 00:00 UTC (the day in its name; the file has no time)');
    expect(await stored()).toEqual([
      '0 average_readout_fidelity 0.97 a.u.',
      '0 parallel_readout_fidelity_1 0.95 a.u.',
      '0 rb_pauli_error_per_gate 0.001 a.u.',
      '0 readout_fidelity_0 0.98 a.u.',
      '0 readout_fidelity_1 0.96 a.u.',
      '0 t1 22 μs',
      '0-1 sycamore_cycle_fidelity 0.99 a.u.',
      '1 t1 21 μs',
      '2 t1 20 μs',
    ]);
    const chip = await bench.db.collection('chip').findOne();
    expect(chip).toMatchObject({ chip_id: 'tiny', size: 3 });
    expect(chip?.['layout'][2]).toEqual({ row: 7, col: 0, name: '10_2' });
    expect(await bench.db.collection('qubit').distinct('name')).toEqual(['10_2', '3_2', '3_4']);
  });

  test('keeps the numbers of its qubits when others join, in older files too', async () => {
    await importFile(await fileOf('tiny_2026_01_02.json', [[T1, ['3_2'], 20]]));
    await importFile(
      await fileOf('tiny_2026_01_01.json', [
        [T1, ['2_2'], 19],
        [T1, ['3_2'], 18],
      ]),
    );
    await importFile(
      await fileOf('tiny_2026_01_03.json', [
        [T1, ['2_2'], 17],
        [T1, ['3_2'], 16],
      ]),
    );
    expect(await stored()).toEqual(['0 t1 16 μs', '0 t1 18 μs', '0 t1 20 μs', '1 t1 17 μs', '1 t1 19 μs']);
    expect(await bench.db.collection('chip').findOne()).toMatchObject({ size: 2 });
  });

  test('takes tables that name its qubits, and no others', async () => {
    await importFile(
      await fileOf('tiny_2026_01_01.json', [
        [T1, ['3_2'], 20],
        [XEB, ['3_2', '3_3'], 0.01],
      ]),
    );
    const options = { chipId: 'tiny', yes: true };
    await importText(bench, 'T2 echo (us)\ndate,3_2,3_3\n2026-02-01,30,31\n', options);
    expect(await stored()).toEqual(expect.arrayContaining(['0 t2_echo 30 μs', '1 t2_echo 31 μs']));
    await expect(importText(bench, 'T2 echo (us)\ndate,3_9\n2026-02-01,30\n', options)).rejects.toThrow(
      'chip tiny has no qubit at 3_9',
    );
  });

  test('reports a pair once if both directions agree, and both directions if they differ', async () => {
    const angle = 'two_qubit_parallel_sycamore_gate_xeb_entangler_theta_error_per_cycle';
    const printed = await importFile(
      await fileOf('tiny_2026_01_01.json', [
        [angle, ['3_2', '3_3'], 0.1],
        [angle, ['3_3', '3_2'], 0.1],
        [angle, ['3_3', '3_4'], 0.1],
        [angle, ['3_4', '3_3'], 0.2],
      ]),
    );
    expect(printed).toContain('values that repeat the other direction of a pair: 1');
    expect(await stored()).toEqual([
      '0-1 parallel_sycamore_gate_xeb_entangler_theta_error_per_cycle 0.1 rad',
      '1-2 parallel_sycamore_gate_xeb_entangler_theta_error_per_cycle 0.1 rad',
      '2-1 parallel_sycamore_gate_xeb_entangler_theta_error_per_cycle 0.2 rad',
    ]);
  });

  test('has the time of the file, of --time, or of its name', async () => {
    const at = async () =>
      (await bench.db.collection('execution_history').findOne())?.['start_at'].toISOString();
    await importFile(
      await fileOf('tiny_2026_01_01.json', [[T1, ['3_2'], 20]], { timestampMs: '1767300000000' }),
    );
    expect(await at()).toBe('2026-01-01T20:40:00.000Z');
    const nameless = await fileOf('tiny.json', [[T1, ['3_2'], 20]]);
    await expect(importFile(nameless)).rejects.toThrow(
      'tiny.json has no time, nor a day in its name: pass --time',
    );
    await importFile(nameless, { time: new Date('2026-03-01T00:00:00Z') });
  });

  test.each<[string, readonly Entry[] | string, RegExp]>([
    [
      'another file',
      '{"qubits": []}',
      /not a calibration of Cirq \(metrics\.metrics\[\] of name, targets, values\)/,
    ],
    ['no JSON', '{', /is not JSON/],
    [
      'two values for one',
      [
        [T1, ['3_2'], 20],
        [T1, ['3_2'], 21],
      ],
      /single_qubit_idle_t1_micros of 3_2 has two values, 20 and 21/,
    ],
  ])('is refused with %s', async (_what, content, words) => {
    const path = await fileOf('tiny_2026_01_01.json', typeof content === 'string' ? [] : content);
    if (typeof content === 'string') await writeFile(path, content);
    await expect(importFile(path)).rejects.toThrow(words);
    expect(await stored()).toEqual([]);
  });
});

describeWithSharedData('the published calibration of Rainbow', () => {
  test('is in the database figure for figure', async () => {
    const path = sharedPath('data/lab-tables/rainbow_2021_11_16_calibration.json');
    await importFile(path);
    const entries: { name: string; targets: string[]; values: [{ doubleVal: number }] }[] = JSON.parse(
      readFileSync(path, 'utf8'),
    ).metrics.metrics;
    const results = await bench.db.collection('task_result_history').find().toArray();
    // 23 qubits of 9 metrics, 32 pairs of 12 and of 4 that are listed in both directions; 23 readout averages.
    expect(results).toHaveLength(23 * 9 + 32 * 16 + 23);
    const names = new Map(
      (await bench.db.collection('qubit').find().toArray()).map(({ qid, name }) => [qid, name] as const),
    );
    expect(names.size).toBe(23);
    const isFidelity = /p00|p11|average_error/;
    for (const { name, targets, values } of entries) {
      const isHere = (qid: string, turned: boolean): boolean => {
        const ends = qid.split('-').map((end) => names.get(end));
        return (turned ? ends.toReversed() : ends).join() === targets.join();
      };
      const found = results.find(
        ({ qid, note }) => note.path === name && (isHere(qid, false) || isHere(qid, true)),
      )!;
      const [output] = Object.values<{ value: number }>(found['output_parameters']);
      const [{ doubleVal }] = values;
      expect(output!.value).toBeCloseTo(isFidelity.test(name) ? 1 - doubleVal : doubleVal, 12);
    }
  });
});
