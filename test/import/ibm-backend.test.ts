import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { importIbmSnapshot } from '../../src/import/ibm-backend.ts';
import { chipIdOf } from '../../src/sources/ibm/ibm-json.ts';
import { readIbmSnapshots } from '../../src/import/ibm-files.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { gate, NOW, record, snapshotOf } from './ibm-snapshots.ts';

const importTiny = (parts: Parameters<typeof snapshotOf>[0]) =>
  importIbmSnapshot(snapshotOf(parts), 'p', 'tiny', NOW);

const current = (imported: ReturnType<typeof importIbmSnapshot>, qid: string) =>
  [...imported.documents.qubits, ...imported.documents.couplings].find((entity) => entity.qid === qid)
    ?.data ?? {};

const doubted = ({ documents }: ReturnType<typeof importIbmSnapshot>) =>
  documents.taskResults.filter(({ import_doubt: doubt }) => doubt !== '');

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
    : (sorted[Math.floor(middle)] ?? 0);
};

describeWithSharedData('the three devices', () => {
  const devices = [
    { device: 'manila', qubits: 5, couplings: 8 },
    { device: 'auckland', qubits: 27, couplings: 56 },
    { device: 'brisbane', qubits: 127, couplings: 144 },
  ] as const;
  const paths = (device: string) =>
    [
      sharedPath(`data/ibm-backends/props_${device}.json`),
      sharedPath(`data/ibm-backends/conf_${device}.json`),
    ] as const;
  const load = async (device: string) =>
    importIbmSnapshot((await readIbmSnapshots(paths(device), NOW))[0]!, 'p', device, NOW);

  test.each(devices)('$device keeps every value of its file, each at its own date', async (expected) => {
    const { documents } = await load(expected.device);
    const file = JSON.parse(readFileSync(paths(expected.device)[0], 'utf8')) as {
      qubits: { name: string; value: number; date: string }[][];
    };
    expect(documents.qubits).toHaveLength(expected.qubits);
    expect(documents.couplings).toHaveLength(expected.couplings);
    for (const [name, parameter, factor] of [
      ['T1', 't1', (value: number) => value],
      ['T2', 't2_echo', (value: number) => value],
      ['frequency', 'qubit_frequency', (value: number) => value],
      ['anharmonicity', 'anharmonicity', (value: number) => value],
      ['readout_error', 'average_readout_fidelity', (value: number) => 1 - value],
    ] as const) {
      const inFile = file.qubits.map((records) => records.find((one) => one.name === name)!);
      const stored = documents.qubits.map((qubit) => qubit.data[parameter]!);
      expect(stored.map(({ value }) => value)).toEqual(inFile.map(({ value }) => factor(value)));
      expect(stored.map((value) => value.calibrated_at)).toEqual(inFile.map(({ date }) => new Date(date)));
    }
  });

  test.each([
    ['manila', 144.673, 54.361, 0.0219],
    ['auckland', 135.033, 133.967, 0.008],
    ['brisbane', 231.953, 150.04, 0.02002],
  ])('%s has the medians that its publisher names', async (device, t1, t2, readoutError) => {
    const { documents } = await load(device);
    const medianOf = (name: string) =>
      median(documents.qubits.flatMap(({ data }) => (data[name] ? [data[name].value] : [])));
    expect(medianOf('t1')).toBeCloseTo(t1, 3);
    expect(medianOf('t2_echo')).toBeCloseTo(t2, 3);
    expect(1 - medianOf('average_readout_fidelity')).toBeCloseTo(readoutError, 4);
  });

  test('the disabled gate of brisbane stays visible, and its T2 above 2·T1 is kept in doubt', async () => {
    const imported = await load('brisbane');
    expect(imported.values.flatMap(({ mark, qid }) => (mark === null ? [] : [`${qid}: ${mark}`]))).toEqual([
      "25-24: a gate error of 1 is the vendor's mark for a disabled gate",
    ]);
    expect(current(imported, '25-24')['zx90_gate_fidelity']?.value).toBe(0);
    expect(current(imported, '62-72')['zx90_gate_fidelity']?.value).toBe(1 - 0.007762975360301627);
    expect(doubted(imported).map(({ qid, name }) => `${name} ${qid}`)).toEqual([
      'CheckT2Echo 102',
      'CheckT2Echo 119',
    ]);
    expect(current(imported, '119')['t2_echo']).toBeDefined();
  });

  test('qubits stand where the configuration puts them', async () => {
    const { chip } = (await load('brisbane')).documents;
    expect(chip.layout?.['0']).toEqual({ row: 0, col: 0 });
    expect(chip.layout?.['13']).toEqual({ row: 0, col: 13 });
    expect(chip.layout?.['14']).toEqual({ row: 1, col: 0 });
  });
});

describe('values', () => {
  test.each([
    ['us', 80, 80],
    ['\u00b5s', 80, 80],
    ['\u03bcs', 80, 80],
    ['ms', 0.08, 80],
    ['s', 0.00008, 80],
    ['ns', 80_000, 80],
  ])('a T1 in %s becomes microseconds', (unit, value, expected) => {
    const { t1 } = current(importTiny({ qubits: [[record('T1', value, unit)]] }), '0');
    expect(t1?.value).toBeCloseTo(expected, 9);
    expect(t1?.unit).toBe('\u03bcs');
  });

  test('a unit that nobody knows is not guessed at', () => {
    const imported = importTiny({ qubits: [[record('T1', 80, 'fortnights')]] });
    expect(current(imported, '0')).toEqual({});
    expect(imported.leftOut).toEqual([
      { record: 'T1', where: '0', reason: 'unknown unit "fortnights"', isFault: true },
    ]);
  });

  test('a qubit without some values simply has none of those', () => {
    const imported = importTiny({ qubits: [[record('T2', 70, 'us')], []] });
    expect(Object.keys(current(imported, '0'))).toEqual(['t2_echo']);
    expect(imported.documents.qubits[1]).toMatchObject({ qid: '1', status: 'pending', data: {} });
  });

  test.each([null, 'None', undefined])('a value of %p is left out and reported', (value) => {
    const imported = importTiny({ qubits: [[record('T1', value, 'us')]] });
    expect(imported.documents.taskResults).toEqual([]);
    expect(imported.leftOut).toEqual([{ record: 'T1', where: '0', reason: 'not a number', isFault: true }]);
  });

  test('a readout no better than a coin counts, but in doubt', () => {
    const imported = importTiny({ qubits: [[record('readout_error', 0.55)]] });
    expect(current(imported, '0')['average_readout_fidelity']?.value).toBeCloseTo(0.45, 12);
    expect(imported.documents.taskResults[0]).toMatchObject({
      import_doubt: expect.stringMatching(/no better than a coin/),
      tags: ['import', 'ibm', 'import-doubt'],
      user_note: { content: '', updated_by: '' },
    });
  });

  test.each([
    [[record('T1', 0, 'us')]],
    [[record('frequency', 0, 'GHz')]],
    [[record('anharmonicity', 0, 'GHz')]],
    [[record('readout_error', 1.2)]],
  ])('what is no measurement is kept out of every figure: %j', (records) => {
    const imported = importTiny({ qubits: [records] });
    expect(imported.documents.taskResults).toHaveLength(1);
    expect(imported.documents.taskResults[0]).toMatchObject({ excluded: true });
    expect(imported.documents.taskResults[0]?.excluded_reason).not.toBe('');
    expect(current(imported, '0')).toEqual({});
  });

  test('a date without an offset is UTC, and a value without a date has that of its snapshot', () => {
    const imported = importTiny({
      at: '2026-01-10T12:00:00-05:00',
      qubits: [[record('T1', 80, 'us', '2026-01-09T10:00:00'), { ...record('T2', 70, 'us'), date: 'soon' }]],
    });
    expect(current(imported, '0')['t1']?.calibrated_at).toEqual(new Date('2026-01-09T10:00:00Z'));
    expect(current(imported, '0')['t2_echo']?.calibrated_at).toEqual(new Date('2026-01-10T17:00:00Z'));
  });

  test.each([
    ['T1', 't1'],
    ['T2', 't2_echo'],
    ['frequency', 'qubit_frequency'],
    ['anharmonicity', 'anharmonicity'],
  ])('a qubit without %s has all but that, and nothing is invented for it', (name, parameter) => {
    const all = [
      record('T1', 80, 'us'),
      record('T2', 80, 'us'),
      record('frequency', 4.7, 'GHz'),
      record('anharmonicity', -0.3, 'GHz'),
    ];
    const imported = importTiny({ qubits: [all.filter((each) => each.name !== name)] });
    expect(Object.keys(current(imported, '0'))).toHaveLength(3);
    expect(current(imported, '0')).not.toHaveProperty(parameter);
    expect(imported.leftOut).toEqual([]);
  });

  test('two values of one qubit at the same instant are both kept, and which is current does not depend on their order', () => {
    const [a, b] = [record('T1', 80, 'us'), record('T1', 75, 'us')];
    const [first, second] = [importTiny({ qubits: [[a, b]] }), importTiny({ qubits: [[b, a]] })];
    expect(first.documents.taskResults).toHaveLength(2);
    expect(current(first, '0')['t1']).toEqual(current(second, '0')['t1']);
  });

  test('a value that is in the file twice is one task result', () => {
    const imported = importTiny({ qubits: [[record('T1', 80, 'us'), record('T1', 80, 'us')]] });
    expect(new Set(imported.documents.taskResults.map(({ task_id }) => task_id)).size).toBe(1);
  });

  test('both time offsets of one file are read', () => {
    const imported = importTiny({
      qubits: [
        [
          record('T1', 1, 'us', '2026-03-08T01:00:00-05:00'),
          record('T2', 1, 'us', '2026-03-08T04:00:00-04:00'),
        ],
      ],
    });
    expect(imported.values.map(({ measuredAt }) => measuredAt.toISOString())).toEqual([
      '2026-03-08T06:00:00.000Z',
      '2026-03-08T08:00:00.000Z',
    ]);
  });
});

describe('nonsense', () => {
  test.each([
    ['T1', 1e9, 'us', 't1', '1000000000 μs is impossible: at most 100000 μs'],
    ['T2', 1e12, 'us', 't2_echo', '1000000000000 μs is impossible: at most 100000 μs'],
    ['frequency', 5e9, 'GHz', 'qubit_frequency', '5000000000 GHz is impossible: at most 100 GHz'],
    ['anharmonicity', -340, 'GHz', 'anharmonicity', '-340 GHz is impossible: at most 10 GHz'],
    ['readout_length', 1e9, 'ns', 'readout_length', '1000000000 ns is impossible: at most 10000000 ns'],
    [
      'readout_error',
      1,
      '',
      'average_readout_fidelity',
      'a readout error of exactly 1 means that none was measured',
    ],
  ])('%s of %p %s is excluded and never current', (name, value, unit, parameter, reason) => {
    const imported = importTiny({ qubits: [[record(name, value, unit)]] });
    expect(imported.documents.taskResults).toMatchObject([
      { excluded: true, excluded_reason: reason, excluded_by: 'qpilot', import_doubt: reason },
    ]);
    expect(current(imported, '0')).not.toHaveProperty(parameter);
  });

  test.each([
    ['2099-01-01T00:00:00Z', 'its date 2099-01-01 is in the future'],
    ['1970-01-01T00:00:00Z', 'its date 1970-01-01 is of a time without such chips'],
  ])('a value of %s is not taken', (date, reason) => {
    const imported = importTiny({ qubits: [[record('T1', 80, 'us', date)]] });
    expect(imported.documents.taskResults).toEqual([]);
    expect(imported.leftOut).toEqual([{ record: 'T1', where: '0', reason, isFault: true }]);
  });

  test('gates and pairs of qubits that the chip does not have are reported, and make no coupling', () => {
    const imported = importTiny({
      qubits: [[], []],
      gates: [gate('ecr', [0, 7], 0.01), gate('ecr', [1, 1], 0.01), gate('sx', [2], 0.01)],
      configuration: {
        coupling_map: [
          [0, 1],
          [1, 9],
          [1, 1],
        ],
      },
    });
    expect(imported.documents.couplings.map(({ qid }) => qid)).toEqual(['0-1']);
    expect(imported.documents.taskResults).toEqual([]);
    expect(imported.impossiblePairs).toEqual(['1-9', '1-1']);
    expect(
      imported.leftOut.map(({ record: name, where, reason }) => `${name} of ${where}: ${reason}`),
    ).toEqual([
      'ecr gate_error of 0-7: names qubit 7, and the chip has 2',
      'ecr gate_length of 0-7: names qubit 7, and the chip has 2',
      'ecr gate_error of 1-1: names one qubit twice',
      'ecr gate_length of 1-1: names one qubit twice',
      'sx gate_error of 2: names qubit 2, and the chip has 2',
      'sx gate_length of 2: names qubit 2, and the chip has 2',
    ]);
  });

  test('a repeated record is imported once, and two values of one time are both in doubt', () => {
    const twice = importTiny({ qubits: [[record('T1', 80, 'us'), record('T1', 80, 'us')]] });
    expect(twice.values).toHaveLength(1);
    expect(twice.leftOut).toEqual([{ record: 'T1', where: '0', reason: 'repeated', isFault: false }]);
    const two = importTiny({ qubits: [[record('T1', 80, 'us'), record('T1', 75, 'us')]] });
    expect(two.values.map(({ doubt }) => doubt)).toEqual(
      Array(2).fill('the file gives several values for this time'),
    );
  });

  test('an unknown record is reported by its name', () => {
    const imported = importTiny({ qubits: [[record('charm', 1)]], general: [record('eplg_100', 0.01)] });
    expect(imported.leftOut).toEqual([
      { record: 'charm', where: '0', reason: 'no parameter for this record', isFault: true },
      { record: 'eplg', where: 'eplg_100', reason: 'no parameter for this record', isFault: true },
    ]);
  });
});

describe('records of a chip', () => {
  const thirteen = Array.from({ length: 124 }, () => []);

  test.each([
    ['its pair', [[12, 13]], '12-13'],
    ['its pair in the other direction', [[13, 12]], '13-12'],
    [
      'the direction that is written, where both exist',
      [
        [13, 12],
        [12, 13],
      ],
      '12-13',
    ],
    [
      'nothing, where two pairs have that name',
      [
        [12, 13],
        [121, 3],
      ],
      null,
    ],
    ['nothing, where no pair has that name', [[0, 1]], null],
  ])('zz_1213 belongs to %s', (_what, pairs, expected) => {
    const imported = importTiny({
      qubits: thirteen,
      gates: pairs.map((pair) => gate('cx', pair, 0.01)),
      general: [record('zz_1213', -4e-5, 'GHz')],
    });
    const zz = imported.values.filter(({ parameter }) => parameter === 'static_zz_interaction');
    expect(zz.map(({ qid, value }) => [qid, value])).toEqual(expected === null ? [] : [[expected, -4e-5]]);
    expect(imported.leftOut.map(({ reason }) => reason)).toEqual(
      expected === null ? ['no single pair of the chip has this name'] : [],
    );
  });

  test.each([
    ['without the list of its qubits', [], 'the file does not say on which qubits'],
    [
      'on a missing qubit',
      [{ name: 'lf_4', qubits: [0, 1, 2, 500] }],
      'names a qubit that the chip does not have',
    ],
  ])('a layer fidelity %s is not taken', (_what, lists, reason) => {
    const imported = importTiny({ qubits: thirteen, general: [record('lf_4', 0.9)], lists });
    expect(imported.layers).toEqual([]);
    expect(imported.leftOut).toEqual([{ record: 'lf', where: 'lf_4', reason, isFault: true }]);
  });
});

describe('couplings', () => {
  const three = [[], [], []];

  test('keep their direction, and different gates are kept apart', () => {
    const imported = importTiny({
      qubits: three,
      gates: [gate('cx', [1, 0], 0.01), gate('ecr', [1, 2], 0.02), gate('cx', [0, 1], 0.03)],
      configuration: {
        coupling_map: [
          [0, 1],
          [1, 0],
          [1, 2],
        ],
      },
    });
    expect(imported.documents.couplings.map(({ qid }) => qid)).toEqual(['0-1', '1-0', '1-2']);
    expect(current(imported, '1-0')['zx90_gate_fidelity']).toMatchObject({
      value: 0.99,
      description: 'cx gate_error',
    });
    expect(current(imported, '1-2')['zx90_gate_fidelity']).toMatchObject({
      value: 0.98,
      description: 'ecr gate_error',
    });
  });

  test('come from the measured gates where there is no coupling map', () => {
    const imported = importTiny({
      qubits: three,
      gates: [gate('ecr', [2, 1], 0.02)],
      configuration: { coupling_map: null },
    });
    expect(imported.documents.couplings.map(({ qid }) => qid)).toEqual(['2-1']);
    expect(imported.documents.chip.layout).toBeNull();
  });

  test.each([
    ['none', []],
    ['none with an error', [{ ...gate('ecr', [0, 1], 0.1), parameters: [] }]],
    ['one without a number for its error', [gate('ecr', [0, 1], null)]],
  ])('have no fidelity where of the gates there is %s', (_what, gates) => {
    const imported = importTiny({ qubits: three, gates, configuration: { coupling_map: [[0, 1]] } });
    expect(current(imported, '0-1')).not.toHaveProperty('zx90_gate_fidelity');
  });

  test('a cz gate is not called a ZX90', () => {
    const imported = importTiny({ qubits: three, gates: [gate('cz', [0, 1], 0.004)] });
    expect(Object.keys(current(imported, '0-1'))).toEqual(['cz_gate_fidelity', 'cz_gate_time']);
  });

  test.each([1, 1.7])(
    'an error of %p says that the gate is disabled, and stays so for all to see',
    (error) => {
      const imported = importTiny({
        qubits: three,
        gates: [
          gate('ecr', [0, 1], 0.01, '2026-01-01T00:00:00Z'),
          gate('ecr', [0, 1], error, '2026-01-09T00:00:00Z'),
        ],
      });
      expect(current(imported, '0-1')['zx90_gate_fidelity']?.value).toBe(1 - error);
      expect(imported.documents.taskResults.every(({ excluded }) => !excluded)).toBe(true);
      expect(doubted(imported)).toEqual([]);
    },
  );

  test('a negative error is none', () => {
    const imported = importTiny({ qubits: three, gates: [gate('ecr', [0, 1], -0.01)] });
    expect(imported.values[0]?.unusable).toBe('an error of -0.01 is not a probability');
  });
});

test('a chip of 156 qubits imports whole', () => {
  const imported = importTiny({
    qubits: Array.from({ length: 156 }, (_, n) => [record('T1', 100 + n, 'us')]),
  });
  expect(imported.documents.chip.size).toBe(156);
  expect(current(imported, '155')['t1']?.value).toBe(255);
});

test('a value that a later snapshot repeats is the same task result', () => {
  const [first, second] = ['2026-01-10T12:00:00Z', '2026-01-11T12:00:00Z'].map((at) =>
    importTiny({ at, qubits: [[record('T1', 80, 'us')]] }),
  );
  expect(second?.documents.taskResults[0]?.task_id).toBe(first?.documents.taskResults[0]?.task_id);
  expect(second?.documents.executions[0]?.execution_id).not.toBe(
    first?.documents.executions[0]?.execution_id,
  );
});

test.each([
  ['ibm_brisbane', 'brisbane'],
  ['alt_auckland', 'auckland'],
  ['ibm_new_york', 'new_york'],
  ['lab', 'lab'],
])('%s becomes chip %s', (device, chip) => {
  expect(chipIdOf(device)).toBe(chip);
});
