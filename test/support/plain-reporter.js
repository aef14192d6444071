import { writeSync } from 'node:fs';

/** Prints the plain closing line from which people and CI read the count; tests without their data count as skipped. */
export default class PlainReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const broken = results.testResults.filter(
      (file) => file.testExecError && file.numFailingTests === 0,
    ).length;
    const line = `${passed} passed, ${failed + broken} failed${skipped ? `, ${skipped} skipped` : ''}\n`;
    process.once('exit', () => writeSync(1, line)); // Jest's own summary comes after every reporter
  }
}
