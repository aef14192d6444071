import { describe, expect, test } from '@jest/globals';
import { findPlaces } from '../../client/features/palette/find-places.ts';

const places = (...names: readonly string[]) => names.map((name) => ({ name, path: `/${name}` }));
const groups = [
  { heading: 'Pages', places: places('Chips', 'Jobs', 'New job') },
  { heading: 'Qubits', places: places(...Array.from({ length: 64 }, (_, qid) => `Q${qid}`)) },
];
const found = (search: string) =>
  findPlaces(groups, search).map(({ heading, places: some }) => [heading, ...some.map(({ name }) => name)]);

describe('the palette', () => {
  test('shows the beginning of each kind before anything is typed', () => {
    expect(found('')).toEqual([
      ['Pages', 'Chips', 'Jobs', 'New job'],
      ['Qubits', 'Q0', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'],
    ]);
  });

  test('finds names that have all words in any case, those that begin so first, and leaves out empty kinds', () => {
    expect(found('JOB')).toEqual([['Pages', 'Jobs', 'New job']]);
    expect(found('job  new')).toEqual([['Pages', 'New job']]);
    expect(found('q6')).toEqual([['Qubits', 'Q6', 'Q60', 'Q61', 'Q62', 'Q63']]);
    expect(found('nothing')).toEqual([]);
  });

  test('finds a qubit of a large chip without the zeros before its number, and with them', () => {
    const large = [{ heading: 'Qubits', places: places('Q0027', 'Q0270', 'Q1027', 'Q0127') }];
    const names = (search: string) =>
      findPlaces(large, search).flatMap(({ places: some }) => some.map(({ name }) => name));
    expect(names('q27')).toEqual(['Q0027', 'Q0270']);
    expect(names('Q0027')[0]).toBe('Q0027');
    expect(names('q027')).toEqual(['Q0027', 'Q0270']);
  });
});
