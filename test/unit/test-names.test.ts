import { describe, expect, test } from '@jest/globals';
import { citedTest, testsIn } from '../../scripts/test-names.ts';

const SOURCE = `
  import { describe, test } from '@jest/globals';
  test('alone', () => {});
  describe('a group', () => {
    test.each([['x']])('%s stays', () => {});
    for (const name of ['a']) test(\`of \${name}\`, () => {});
    describe.skip('inner', () => { test('left out', () => {}); });
    test.skip('not run', () => {});
    test(computed, () => {});
  });
  describe.each(['one'])('with %s', (kind) => {
    test<[string]>('alone', () => { expect(describe).toBe(test); });
  });
  describeWithShared('data', () => { test('is read', () => {}); });
`;
const tests = testsIn('test/unit/some.test.ts', SOURCE);

describe('names of tests', () => {
  test('are read with their groups, tables and placeholders', () => {
    expect(tests.map(({ path }) => path.join(' › '))).toEqual([
      'alone',
      'a group › %s stays',
      'a group › of ${name}',
      'a group › inner › left out',
      'a group › not run',
      'with %s › alone',
      'data › is read',
    ]);
    expect(tests.every(({ file }) => file === 'unit/some')).toBe(true);
  });

  test('may be cited by their ends, if only one ends so', () => {
    expect(citedTest('unit/some › %s stays', tests).path).toEqual(['a group', '%s stays']);
    expect(citedTest('unit/some › with %s › alone', tests).path).toEqual(['with %s', 'alone']);
  });

  test.each([
    ['unit/other › alone', 'there is no file of tests unit/other'],
    ['unit/some', 'unit/some has no test'],
    ['unit/some › stays', 'unit/some has no test “stays”'],
    ['unit/some › a group', 'unit/some has no test “a group”'],
    ['unit/some › alone', 'unit/some has several tests that end with “alone”'],
    ['unit/some › not run', 'unit/some skips “not run”'],
    ['unit/some › inner › left out', 'unit/some skips “inner › left out”'],
  ])('that cannot be cited are told: %s', (citation, problem) => {
    expect(() => citedTest(citation, tests)).toThrow(problem);
  });
});
