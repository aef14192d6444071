import { describe, expect, test } from '@jest/globals';
import { noMeasurement } from '../../src/domain/live/live-display.ts';
import { judge } from '../../src/domain/values/plausibility.ts';
import { valuesOf } from '../../src/sources/ibm/ibm-values.ts';
import { NOW, record, snapshotOf } from '../import/ibm-snapshots.ts';
import { shippedMetrics } from '../support/catalogue.ts';

/** Values as a file has them and as they are stored, and what is thought of them. */
const CASES = [
  ['T1', 't1', 99, 'μs', 'fine'],
  ['T1', 't1', 20_000, 'μs', 'doubt'],
  ['T1', 't1', 865_535.9, 'μs', 'unusable'],
  ['T1', 't1', 0, 'μs', 'unusable'],
  ['T1', 't1', -1_644_438.2, 'μs', 'unusable'],
  ['T2', 't2_echo', 412_000, 'μs', 'unusable'],
  ['frequency', 'qubit_frequency', 5_000, 'GHz', 'unusable'],
  ['frequency', 'qubit_frequency', 0, 'GHz', 'unusable'],
  ['frequency', 'qubit_frequency', -4.9, 'GHz', 'unusable'],
  ['anharmonicity', 'anharmonicity', 0.3, 'GHz', 'doubt'],
  ['anharmonicity', 'anharmonicity', 0, 'GHz', 'unusable'],
  ['readout_length', 'readout_length', 0, 'ns', 'unusable'],
  ['readout_error', 'average_readout_fidelity', 1.5, '', 'unusable'],
  ['readout_error', 'average_readout_fidelity', -0.1, '', 'unusable'],
  ['readout_error', 'average_readout_fidelity', 0.6, '', 'doubt'],
] as const;

const verdict = ({ doubt, unusable }: { doubt: string | null; unusable: string | null }): string =>
  unusable !== null ? 'unusable' : doubt !== null ? 'doubt' : 'fine';

describe('the same value is judged alike', () => {
  test.each(CASES)(
    '%s (%s) of %p %s is %s in a file, in a table and from a live source',
    (name, parameter, raw, unit, wanted) => {
      const { properties } = snapshotOf({ qubits: [[record(name, raw, unit)]] });
      const [found] = valuesOf(properties, NOW).values;
      expect(found?.parameter).toBe(parameter);
      expect(verdict(found!)).toBe(wanted);
      const metric = shippedMetrics.find(parameter, 'QUBIT');
      const stored = parameter.endsWith('fidelity') ? 1 - raw : raw;
      expect(verdict(judge(stored, unit === '' ? 'a.u.' : unit, metric))).toBe(wanted);
      const live = { qid: '0', parameter, value: stored, unit, error: null, at: NOW, unusable: null };
      expect(noMeasurement(live, metric) !== null).toBe(wanted === 'unusable');
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 'x', null])('%p is no number, and not taken', (value) => {
    const { properties } = snapshotOf({ qubits: [[record('T1', value, 'us')]] });
    expect(valuesOf(properties, NOW)).toMatchObject({
      values: [],
      leftOut: [{ record: 'T1', isFault: true }],
    });
  });
});
