import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../src/offline/shared/messages.ts';

const { en, ja } = catalogue(
  {
    en: {
      names: 'See {names}; {names:list}.',
      count: '{count qubit} {count=1?is|are} old{note? ({note})}.',
      nested: '{isOff?no {what?{what}|value}|{what}}',
      broken: 'an {open',
    },
    ja: { names: '{names}。', count: '{count}個{note?（{note:loud}）}。', nested: '{what}', broken: '' },
  },
  { ja: { loud: (text) => `${text}！` } },
);

describe('a message', () => {
  test('joins lists as its language does', () => {
    expect(en('names', { names: ['Q1', 'Q2', 'Q3'] })).toBe('See Q1, Q2 and Q3; Q1, Q2, Q3.');
    expect(ja('names', { names: ['Q1', 'Q2'] })).toBe('Q1、Q2。');
  });

  test('agrees with its numbers, and leaves out what has no value', () => {
    expect(en('count', { count: 1, note: null })).toBe('1 qubit is old.');
    expect(en('count', { count: 0, note: 'all' })).toBe('0 qubits are old (all).');
    expect(ja('count', { count: 2, note: 'all' })).toBe('2個（all！）。');
  });

  test('may hold templates in templates; values are not read as such', () => {
    expect(en('nested', { isOff: true, what: '' })).toBe('no value');
    expect(en('nested', { isOff: false, what: '{isOff}' })).toBe('{isOff}');
  });

  test('is refused without its values, and where it is malformed', () => {
    expect(() => en('names')).toThrow('a message needs a value of "names"');
    expect(() => en('broken')).toThrow('a brace that is not closed');
  });
});
