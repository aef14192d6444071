import { describe, expect, test } from '@jest/globals';
import { missing, refusal, type Check } from './questions/question.ts';
import { readAnswer } from './scoring/read-answer.ts';
import { scoreAnswer } from './scoring/score.ts';

const COUPLINGS = new Set(['4-1']);

const score = (text: string, ...checks: readonly Check[]) =>
  scoreAnswer(checks, readAnswer({ text, visuals: ['TABLE'] }, COUPLINGS));

const t1 = (subject: string | null, value: number): Check => ({
  type: 'values',
  values: [{ subject, parameter: 't1', value, unit: 'μs' }],
});
const fidelity: Check = {
  type: 'values',
  values: [{ subject: '3', parameter: 'average_readout_fidelity', value: 97.314, unit: '%' }],
};
const zx90: Check = {
  type: 'values',
  values: [{ subject: '4-1', parameter: 'zx90_gate_fidelity', value: 98.4, unit: '%' }],
};

describe('a value is right', () => {
  test.each([
    ['as it is', 'T1 of Q07 is 59.53 μs.', t1('7', 59.53)],
    ['rounded', 'T1 of Q07 is 60 μs.', t1('7', 59.53)],
    ['in another unit of the same dimension', 'T1 of Q07 is 0.0595 ms.', t1('7', 59.53)],
    ['in a table', '| Qubit | T1 |\n|---|---|\n| Q07 | 59.53 μs |', t1('7', 59.53)],
    ['as a fraction', 'The readout fidelity of Q3 is 0.973.', fidelity],
    ['of a coupling named the other way round', 'ZX90 fidelity of Q01-Q04: 98.40 %.', zx90],
    ['below a heading that names the qubit', 'Q07 on demo-64:\n\n- T1: 59.53 μs', t1('7', 59.53)],
  ])('%s', (_how, text, check) => {
    expect(score(text, check)).toEqual({ points: 1, faults: [] });
  });
});

describe('a value is wrong', () => {
  test.each([
    ['by its last digit', 'T1 of Q07 is 59.54 μs.', t1('7', 59.53)],
    ['rounded until it says nothing', 'T1 of Q07 is about 60 μs, so 0.1 ms.', t1('7', 64.2)],
    ['of another qubit', 'T1 of Q08 is 59.53 μs.', t1('7', 59.53)],
    ['of another parameter', 'T2 of Q07 is 59.53 μs.', t1('7', 59.53)],
    ['in another unit', 'T1 of Q07 is 59.53 ms.', t1('7', 59.53)],
    ['without a unit', 'T1 of Q07 is 59.53.', t1('7', 59.53)],
    ['as an error', 'T1 of Q07 is 80 ± 59.53 μs.', t1('7', 59.53)],
  ])('%s', (_how, text, check) => {
    expect(score(text, check).points).toBe(0);
    expect(score(text, check).faults).toHaveLength(1);
  });
});

test('some of many values score in part, and the missing ones are listed', () => {
  const [a, b] = [t1('1', 50), t1('2', 70)];
  const both: Check = {
    type: 'values',
    values: [a, b].flatMap((each) => (each.type === 'values' ? each.values : [])),
  };
  expect(score('T1: Q01 50.0 μs, Q02 71.0 μs.', both)).toEqual({ points: 0.5, faults: ['t1 of 2 = 70 μs'] });
});

test('names are examined by order, and for others beside them', () => {
  const names = (how: 'in order' | 'first' | 'only', ...subjects: string[]): Check => ({
    type: 'names',
    subjects,
    how,
    except: ['9'],
  });
  const text = 'Of Q09: Q03 and Q12. Far away is Q40.';
  expect(score(text, names('in order', '3', '12')).points).toBe(1);
  expect(score(text, names('in order', '12', '3')).points).toBe(0);
  expect(score(text, names('first', '12', '3')).points).toBe(1);
  expect(score(text, names('only', '12', '3')).points).toBe(0);
  expect(score('Q03 and Q12.', names('only', '12', '3')).points).toBe(1);
});

test('counts may be digits or words', () => {
  const three: Check = { type: 'count', value: 3 };
  expect(score('3 of 64 qubits', three).points).toBe(1);
  expect(score('Three qubits do.', three).points).toBe(1);
  expect(score('None of them', { type: 'count', value: 0 }).points).toBe(1);
  expect(score('4 qubits, T1 3 μs', three).points).toBe(0);
});

test('an honest no names what is missing and makes up nothing', () => {
  expect(score('There is no qubit 99 on demo-64.', ...missing('99')).points).toBe(1);
  expect(score('There is no qubit 99; Q9 has 50.1 μs.', ...missing('99')).points).toBe(0);
  expect(score('Q99 is fine.', ...missing('99')).points).toBe(0);
  expect(score('I cannot run calibrations.', ...refusal('no')).points).toBe(1);
  expect(score('Done. From fixed rules, no language model.', ...refusal('no')).points).toBe(0);
});

test('of ways to take a question the best counts', () => {
  const ways: Check = { type: 'any of', ways: [[t1('7', 50)], [t1('7', 60)]] };
  expect(score('T1 of Q07: 60.0 μs', ways).points).toBe(1);
  expect(score('T1 of Q07: 55.0 μs', ways).points).toBe(0);
});

test('charts, tables and days are looked for where they belong', () => {
  expect(score('', { type: 'shows', visuals: ['HEATMAP', 'TABLE'] }).points).toBe(1);
  expect(score('', { type: 'shows', visuals: ['HEATMAP'] }).points).toBe(0);
  const day: Check = { type: 'day', at: new Date('2026-05-19T23:22:00Z') };
  expect(score('measured 2026-05-19 23:22 UTC', day).points).toBe(1);
  expect(score('measured on May 19, 2026', day).points).toBe(1);
  expect(score('measured 2026-05-18 23:22 UTC', day).points).toBe(0);
});
