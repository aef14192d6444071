/** The last lines of a run of tests, where files ran again after they had failed. */
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { closingLines, type FileOutcome, type TestOutcome } from '../support/closing-lines.ts';

const path = resolve('test/a.test.ts');
const error = `Error: \u001b[31mno answer\u001b[39m\n    at Object.<anonymous> (file://${path}:7:5)`;
const of = (status: string, ...failureMessages: string[]): TestOutcome => ({
  fullName: 'answers',
  status,
  failureMessages,
});
const file = (tests: readonly TestOutcome[], brokenBy: string | null = null): FileOutcome => ({
  path,
  tests,
  brokenBy,
});

test.each([
  ['passed', [file([of('passed'), of('pending')])], [], ['1 passed, 0 failed, 1 skipped']],
  [
    'failed',
    [file([of('failed', error)], '● answers')],
    [],
    ['FAILED test/a.test.ts:7: answers: Error: no answer', '0 passed, 1 failed'],
  ],
  [
    'could not be loaded',
    [file([], '  ● Test suite failed to run\n\n    Cannot find b.ts')],
    [],
    ['FAILED test/a.test.ts: the file itself: Cannot find b.ts', '0 passed, 1 failed'],
  ],
  [
    'passed when its file ran again',
    [file([of('passed')])],
    [file([of('failed', error)], '● answers')],
    ['PASSED AT THE SECOND ATTEMPT test/a.test.ts:7: answers: Error: no answer', '1 passed, 0 failed'],
  ],
  [
    'was in a file that could be loaded only then',
    [file([of('passed')])],
    [file([], 'Cannot find b.ts')],
    ['PASSED AT THE SECOND ATTEMPT test/a.test.ts: the file itself: Cannot find b.ts', '1 passed, 0 failed'],
  ],
  [
    'failed both times',
    [file([of('failed', error)], '● answers')],
    [file([of('failed', error)], '● answers')],
    ['FAILED test/a.test.ts:7: answers: Error: no answer', '0 passed, 1 failed'],
  ],
])('a test that %s', (_what, files, first, lines) => {
  expect(closingLines(files, first)).toEqual(lines);
});
