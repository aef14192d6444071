import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importQibolab, type QibolabRequest } from '../../src/import/import-qibolab.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { useImportBench } from './csv-harness.ts';
import { contentsOf } from './database-contents.ts';

const bench = useImportBench();

async function importFiles(paths: readonly string[], options: Partial<QibolabRequest> = {}): Promise<string> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const request = { paths, chipId: null, project: 'p1', time: null, metrics: shippedMetrics, print };
  await importQibolab(bench.writer, { ...request, yes: false, ask: null, ...options });
  return printed.join('\n');
}

type Pair = readonly [number, number | null];
const NOTHING: Pair = [0, null];

/** A platform of two qubits; parts of qubit 0 may be replaced. */
const platform = (
  parts: { f01?: number; f12?: number | null; t1?: Pair; fidelity?: number } = {},
): string => {
  const { f01 = 5e9, f12 = null, t1 = NOTHING, fidelity = 0 } = parts;
  const qubit = (frequency: number) => ({
    resonator: { bare_frequency: 0, dressed_frequency: null },
    qubit: { frequency_01: frequency, frequency_12: f12, sweetspot: 0.1 },
    readout: { fidelity, ground_state: [0, 1] },
    t1,
    t2: NOTHING,
    t2_spin_echo: NOTHING,
    rb_fidelity: NOTHING,
  });
  const pair = { rb_fidelity: NOTHING, cz_fidelity: [0.98, 0.01], coupling: null };
  return JSON.stringify({
    single_qubits: { 0: qubit(f01), 1: qubit(6e9) },
    two_qubits: { '0-1': pair },
    flux_crosstalk_matrix: 'k05V',
  });
};

async function fileOf(day: string, text: string): Promise<string> {
  const path = join(bench.folder, `lab.${day}.json`);
  await writeFile(path, text);
  return path;
}

/** `parameter of qid: value ± error at day`, of qubit 0 and its pair. */
async function stored(parameter?: string): Promise<readonly string[]> {
  const results = await bench.db.collection('task_result_history').find().sort({ end_at: 1 }).toArray();
  return results
    .filter(({ qid }) => qid !== '1')
    .flatMap(({ qid, end_at: at, output_parameters: outputs }) =>
      Object.entries<{ value: number; error: number; unit: string }>(outputs).map(
        ([name, { value, error, unit }]) =>
          `${name} of ${qid}: ${Number(value.toPrecision(12))} ± ${error} ${unit} ${at.toISOString().slice(0, 10)}`,
      ),
    )
    .filter((line) => parameter === undefined || line.startsWith(`${parameter} `));
}

describe('a platform of Qibolab', () => {
  test('has each value from the file on in which it first appeared, until another follows', async () => {
    const paths = [
      await fileOf('2026-01-03', platform({ t1: [40_000, 500], f01: 5.01e9 })),
      await fileOf('2026-01-01', platform({ t1: [40_000, 500] })),
      await fileOf('2026-01-02', platform({ t1: [41_000, null] })),
      await fileOf('2026-01-04', platform()),
    ];
    const printed = await importFiles(paths);
    expect(printed).toContain(
      'times are the days in the names of the files, from 2026-01-01 00:00 UTC to 2026-01-04',
    );
    expect(printed).toMatch(
      /places not taken: 3\n {4}qubit\.sweetspot: 8\n {4}readout\.ground_state: 8\n {4}flux_crosstalk_matrix: 4/,
    );
    expect(await stored()).toEqual([
      'qubit_frequency of 0: 5 ± 0 GHz 2026-01-01',
      't1 of 0: 40 ± 0.5 μs 2026-01-01',
      'cz_gate_fidelity of 0-1: 0.98 ± 0.01 a.u. 2026-01-01',
      't1 of 0: 41 ± 0 μs 2026-01-02',
      'qubit_frequency of 0: 5.01 ± 0 GHz 2026-01-03',
      't1 of 0: 40 ± 0.5 μs 2026-01-03',
      'qubit_frequency of 0: 5 ± 0 GHz 2026-01-04',
    ]);
  });

  test('is the same when its files come one after another, and once more', async () => {
    const paths = [
      await fileOf('2026-01-01', platform({ t1: [40_000, 500] })),
      await fileOf('2026-01-02', platform({ t1: [40_000, 500], fidelity: 0.9 })),
    ];
    await importFiles(paths);
    const atOnce = (await contentsOf(bench.db))['task_result_history'];
    await bench.db.collection('task_result_history').deleteMany({});
    for (const path of paths) await importFiles([path]);
    expect((await contentsOf(bench.db))['task_result_history']).toEqual(atOnce);
    expect(await importFiles(paths)).toContain('0 added');
    expect(await stored('average_readout_fidelity')).toEqual([
      'average_readout_fidelity of 0: 0.95 ± 0 a.u. 2026-01-02',
    ]);
  });

  test('is refused where a stored value turns out to be older', async () => {
    await importFiles([await fileOf('2026-01-02', platform({ t1: [40_000, 500] }))]);
    await expect(importFiles([await fileOf('2026-01-01', platform({ t1: [40_000, 500] }))])).rejects.toThrow(
      /first appeared before the time that they are stored with .*import the whole history at once/,
    );
  });

  test('has an anharmonicity only of the file in which frequency_12 changed', async () => {
    const paths = [
      await fileOf('2026-01-01', platform()),
      await fileOf('2026-01-02', platform({ f12: 4.7e9 })),
      await fileOf('2026-01-03', platform({ f12: 4.7e9, f01: 4.9e9 })),
    ];
    await importFiles(paths);
    expect(await stored('anharmonicity')).toEqual(['anharmonicity of 0: -0.3 ± 0 GHz 2026-01-02']);
  });

  test('knows the couplings that its newest version no longer has as past ones', async () => {
    const without = JSON.parse(platform()) as { two_qubits: object };
    const paths = [
      await fileOf('2026-01-01', platform()),
      await fileOf('2026-01-02', JSON.stringify({ ...without, two_qubits: {} })),
    ];
    await importFiles(paths);
    const chip = await bench.db.collection('chip').findOne();
    expect(chip?.['snapshot_at']).toEqual(new Date('2026-01-02T00:00:00Z'));
    const updatedAt = async (collection: string) =>
      (await bench.db.collection(collection).findOne())?.['system_info'].updated_at;
    expect(await updatedAt('qubit')).toEqual(new Date('2026-01-02T00:00:00Z'));
    expect(await updatedAt('coupling')).toEqual(new Date('2026-01-01T00:00:00Z'));
  });

  test('doubts an anharmonicity that one file alone gives', async () => {
    const printed = await importFiles([await fileOf('2026-01-01', platform({ f12: 4.7e9 }))]);
    expect(printed).toContain('one file does not tell whether both frequencies were measured together');
  });

  test('asks about the order of files of one day, if it matters', async () => {
    const [a, b] = [join(bench.folder, 'lab.2026-01-01.a.json'), join(bench.folder, 'lab.2026-01-01.b.json')];
    await writeFile(a, platform({ t1: [40_000, 500] }));
    await writeFile(b, platform({ t1: [41_000, 500] }));
    await expect(importFiles([b, a])).rejects.toThrow(
      'guessed: the order of the files of 2026-01-01, as given, a second apart: lab.2026-01-01.b.json, then lab.2026-01-01.a.json',
    );
    expect(await stored()).toEqual([]);
    await importFiles([b, a], { yes: true });
    const qubit = await bench.db.collection('qubit').findOne({ qid: '0' });
    expect(qubit?.['data'].t1.value).toBe(40);
    await writeFile(b, platform({ t1: [40_000, 500] }));
    await importFiles([a, b], { chipId: 'alike' });
  });

  test.each([
    [
      'no time',
      'calibration.json',
      platform(),
      /nothing says when calibration.json was written: pass --time/,
    ],
    [
      'another file',
      'lab.2026-01-01.json',
      '{"qubits": []}',
      /not the calibration.json of a Qibolab platform: single_qubits/,
    ],
    ['no JSON', 'lab.2026-01-01.json', '{', /lab\.2026-01-01\.json is not JSON/],
    [
      'a pair of missing qubits',
      'lab.2026-01-01.json',
      platform().replace('"0-1"', '"0-7"'),
      /"0-7" in two_qubits is not a pair of its qubits/,
    ],
    [
      'text for a number',
      'lab.2026-01-01.json',
      platform().replace('[0,null]', '"40 us"'),
      /t1 of 0 is "40 us": expected a number/,
    ],
  ])('is refused with %s', async (_what, name, text, words) => {
    const path = join(bench.folder, name);
    await writeFile(path, text);
    await expect(importFiles([path])).rejects.toThrow(words);
    expect(await stored()).toEqual([]);
  });

  test('is read from its git history, at the times of the commits', async () => {
    const folder = join(bench.folder, 'lab5q');
    await mkdir(folder);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        env: { ...process.env, GIT_COMMITTER_DATE: dates.shift() ?? '' },
      });
    const dates = ['', '', '2026-01-01T10:00:00+09:00', '', '2026-01-02T10:00:00+09:00'];
    git('init', '-q');
    await writeFile(join(folder, 'calibration.json'), platform({ t1: [40_000, 500] }));
    git('add', '.');
    git('commit', '-qm', 'first');
    await writeFile(join(folder, 'calibration.json'), platform({ t1: [41_000, 500] }));
    git('add', '.');
    git('commit', '-qm', 'second');
    const printed = await importFiles([folder]);
    expect(printed).toContain('lab5q: 2 versions of calibration.json into project p1');
    const results = await bench.db
      .collection('task_result_history')
      .find({ name: 'CheckT1', qid: '0' })
      .sort({ end_at: 1 })
      .toArray();
    expect(results.map(({ end_at: at }) => at.toISOString())).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-02T01:00:00.000Z',
    ]);
    expect(results[0]?.['note'].commit).toMatch(/^[0-9a-f]{40}$/);
    await expect(importFiles([bench.folder])).rejects.toThrow(/git cannot read the history of/);
  });
});

type Output = { readonly value: number; readonly error: number };
type Measured = readonly [value: number, error: number];
type PlatformFile = {
  readonly single_qubits: Readonly<
    Record<
      string,
      {
        readonly qubit: { frequency_01: number; frequency_12?: number; maximum_frequency?: number };
        readonly resonator: { dressed_frequency: number; bare_frequency: number };
        readonly readout: { fidelity: number; effective_temperature: number };
        readonly t1: Measured;
        readonly t2: Measured;
        readonly t2_spin_echo: Measured;
        readonly rb_fidelity: Measured;
      }
    >
  >;
};

describeWithSharedData('the log of a working laboratory', () => {
  test('is in the database figure for figure, a result for each change', async () => {
    const folder = sharedPath('data/lab-series');
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
    expect(names).toHaveLength(17);
    await importFiles(
      names.map((name) => join(folder, name)),
      { yes: true },
    );

    const expected = new Map<string, readonly [number, number]>();
    const last = new Map<string, string>();
    for (const name of names) {
      const day = name.slice(14, 24);
      const ordinal = names.filter((other) => other.slice(14, 24) === day).indexOf(name);
      const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as PlatformFile;
      for (const [qid, part] of Object.entries(file.single_qubits)) {
        const put = (parameter: string, raw: unknown, value: number, error = 0) => {
          const key = `${qid} ${parameter}`;
          if (!value || last.get(key) === JSON.stringify(raw)) return;
          last.set(key, JSON.stringify(raw));
          expected.set(`${key} ${day}T00:00:0${ordinal}.000Z`, [value, error]);
        };
        const { frequency_01: f01, frequency_12: f12, maximum_frequency: most } = part.qubit;
        put('qubit_frequency', f01, f01 / 1e9);
        if (f12) put('anharmonicity', f12, (f12 - f01) / 1e9);
        if (most) put('maximum_qubit_frequency', most, most / 1e9);
        put('readout_frequency', part.resonator.dressed_frequency, part.resonator.dressed_frequency / 1e9);
        put('bare_resonator_frequency', part.resonator.bare_frequency, part.resonator.bare_frequency / 1e9);
        put('average_readout_fidelity', part.readout.fidelity, (1 + part.readout.fidelity) / 2);
        put('effective_temperature', part.readout.effective_temperature, part.readout.effective_temperature);
        put('t1', part.t1, part.t1[0] / 1000, part.t1[1] / 1000);
        put('t2_star', part.t2, part.t2[0] / 1000, part.t2[1] / 1000);
        put('t2_echo', part.t2_spin_echo, part.t2_spin_echo[0] / 1000, part.t2_spin_echo[1] / 1000);
        put('average_gate_fidelity', part.rb_fidelity, part.rb_fidelity[0], part.rb_fidelity[1]);
      }
    }
    const results = await bench.db.collection('task_result_history').find().toArray();
    expect(results).toHaveLength(235);
    expect(expected.size).toBe(235);
    for (const { qid, end_at: at, output_parameters: outputs } of results) {
      const [[name, output] = ['', { value: 0, error: 0 }]] = Object.entries<Output>(outputs);
      const [value, error] = expected.get(`${qid} ${name} ${at.toISOString()}`)!;
      expect(output.value).toBeCloseTo(value, 9);
      expect(output.error).toBeCloseTo(error, 9);
    }
  });
});
