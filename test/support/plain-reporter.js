/** Prints the plain closing line that people and CI read the count from, and what was skipped for want of data. */
export default class PlainReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const broken = results.testResults.filter(
      (file) => file.testExecError && file.numFailingTests === 0,
    ).length;
    process.stdout.write(
      `\n${passed} passed, ${failed + broken} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}
