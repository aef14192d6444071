import { describe, expect, test } from '@jest/globals';
import { readIbmSnapshots } from '../../src/import/ibm-files.ts';
import { joined, NOW } from './ibm-snapshots.ts';

const props = (parts: object = {}) =>
  JSON.stringify({ backend_name: 'ibm_a', last_update_date: '2026-01-01T00:00:00Z', qubits: [[]], ...parts });
const conf = (parts: object = {}) => JSON.stringify({ backend_name: 'ibm_a', n_qubits: 1, ...parts });
const parse = (propsText: string, confText: string) =>
  joined({ name: 'p.json', text: propsText }, { name: 'c.json', text: confText });

describe('a file that cannot be used is named, with the place and what would be right', () => {
  test.each([
    ['cut off', props().slice(0, -5), conf(), /^p\.json is not JSON: /],
    [
      'another JSON',
      '[1, 2]',
      conf(),
      /^p\.json is neither backend properties .* nor a backend configuration/,
    ],
    ['no qubits', props({ qubits: [] }), conf(), /^p\.json .*qubits: /],
    [
      'a record without name',
      props({ qubits: [[{ value: 1 }]] }),
      conf(),
      /^p\.json .*qubits\[0\]\[0\]\.name/,
    ],
    [
      'a date that is none',
      props({ last_update_date: 'yesterday' }),
      conf(),
      /^p\.json: last_update_date is "yesterday"/,
    ],
    [
      'no n_qubits',
      props(),
      JSON.stringify({ backend_name: 'ibm_a', coupling_map: [] }),
      /^c\.json .*n_qubits/,
    ],
    ['broken couplings', props(), conf({ coupling_map: [[0, 1, 2]] }), /^c\.json .*coupling_map\[0\]/],
    ['two devices', props(), conf({ backend_name: 'ibm_b' }), /ibm_a and c\.json of ibm_b/],
    ['two sizes', props(), conf({ n_qubits: 5 }), /describes 1 qubits and c\.json 5/],
    [
      'a date to come',
      props({ last_update_date: '2099-01-01T00:00:00Z' }),
      conf(),
      /^p\.json: last_update_date .*2099-01-01T00:00:00Z", which is in the future/,
    ],
    [
      'a clock that was never set',
      props({ last_update_date: '1970-01-01T00:00:00Z' }),
      conf(),
      /^p\.json: last_update_date .*1970-01-01T00:00:00Z", which is of a time without such chips/,
    ],
  ])('%s', (_case, propsText, confText, message) => {
    expect(() => parse(propsText, confText)).toThrow(message);
  });

  test('a file that is not there', async () => {
    await expect(readIbmSnapshots(['nowhere/props.json'], NOW)).rejects.toThrow(
      'nowhere/props.json cannot be read: no such file',
    );
  });
});

test("Python's NaN and Infinity are read as no number, and left alone inside texts", () => {
  const text = props({ qubits: [[{ name: 'NaN "Infinity"', value: 1 }]] }).replace(
    '"value":1',
    '"value": NaN, "unit": -Infinity',
  );
  const { properties } = parse(text, conf());
  expect(properties.qubits[0]?.[0]).toMatchObject({ name: 'NaN "Infinity"', value: null, unit: null });
});
