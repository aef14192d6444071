import { writeSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints what failed, for whoever has only the end of a log, and the plain closing line from which people and CI read
 * the count; tests without their data count as skipped.
 */
export default class PlainReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const broken = results.testResults.filter(
      (file) => file.testExecError && file.numFailingTests === 0,
    ).length;
    const line = `${passed} passed, ${failed + broken} failed${skipped ? `, ${skipped} skipped` : ''}`;
    const lines = [
      ...results.testResults.flatMap(retriedOf),
      ...results.testResults.flatMap(failuresOf),
      line,
      '',
    ];
    process.once('exit', () => writeSync(1, lines.join('\n'))); // Jest's own summary comes after every reporter
  }
}

/** What passed in a file at the second attempt only, a line each. */
function retriedOf({ testFilePath, testResults }) {
  const retried = testResults.filter(({ status, invocations }) => status === 'passed' && invocations > 1);
  return retried.map(
    ({ fullName }) => `PASSED AT THE SECOND ATTEMPT ${relative(process.cwd(), testFilePath)}: ${fullName}`,
  );
}

/** What failed in a file, a line each. */
function failuresOf({ testFilePath, testResults, testExecError }) {
  const path = relative(process.cwd(), testFilePath);
  const failed = testResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return testExecError ? [`FAILED ${path}`] : [];
  return failed.map(({ fullName }) => `FAILED ${path}: ${fullName}`);
}
