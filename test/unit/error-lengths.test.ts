import { expect, test } from '@jest/globals';
import { InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { cpuMs, slowness } from '../support/took.ts';

test.each([
  ['letters', 'A'.repeat(900_000)],
  ['words', 'Q1, '.repeat(225_000)],
  ['runs below the limit', `${'A'.repeat(299)} `.repeat(3_000)],
  ['Japanese', '量子'.repeat(300_000)],
])('an error repeats little of an input of 900 kB: %s', (_shape, input) => {
  let errors: readonly Error[] = [];
  const spent = cpuMs(() => {
    errors = [
      new NotFoundError(`there is no chip ${input} in project demo`),
      InvalidInputError.at(['chipId', input], `${JSON.stringify(input)} cannot be a chip id`),
    ];
  });
  for (const error of errors) expect(error.message.length).toBeLessThan(9_000);
  if (!input.includes(' ')) expect(errors[0]?.message.length).toBeLessThan(400);
  expect(errors[0]?.message).toMatch(/^there is no chip .* in project demo$/su);
  expect(JSON.stringify((errors[1] as InvalidInputError).issues).length).toBeLessThan(20_000);
  expect(spent).toBeLessThan(500 * slowness());
});

test('an input with very many problems lists some and counts the rest', () => {
  const issues = Array.from({ length: 10_000 }, (_, at) => ({
    path: ['a', String(at)],
    message: 'is wrong',
  }));
  const error = new InvalidInputError(issues);
  expect(error.issues).toHaveLength(50);
  expect(error.message).toMatch(/and 9950 more$/u);
});

test('a message of ordinary length is as it was written', () => {
  const message = `chip lab has no qubit 7; it has 5, from 0 to 4: ${'and so on, '.repeat(300)}`;
  expect(new NotFoundError(message).message).toBe(message);
});
