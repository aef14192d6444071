import { writeSync } from 'node:fs';
import { closingLines } from './closing-lines.ts';

/** Prints what failed and the plain closing line from which people and CI read the count. */
export default class PlainReporter {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map(({ testFilePath, testResults: tests, testExecError, failureMessage }) => ({
      path: testFilePath,
      tests,
      brokenBy: testExecError ? failureMessage : null,
    }));
    const lines = [...closingLines(files), ''];
    process.once('exit', () => writeSync(1, lines.join('\n'))); // Jest's own summary comes after every reporter
  }
}
