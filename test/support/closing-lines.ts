/** The last lines of a run of tests, for whoever has only the end of a log. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What Jest tells of a test, in its own names. */
export type TestOutcome = {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
  /** Why it failed before it was tried again. */
  readonly retryReasons?: readonly string[];
};

export type FileOutcome = {
  readonly path: string;
  readonly tests: readonly TestOutcome[];
  /** Why the file itself could not run, or failed outside of its tests; null if it did neither. */
  readonly brokenBy: string | null;
};

/**
 * What passed at the second attempt only, what failed, each with its reason, and how many passed and failed.
 *
 * @param first what failed in these files before they ran once more.
 */
export function closingLines(
  files: readonly FileOutcome[],
  first: readonly FileOutcome[] = [],
): readonly string[] {
  const before = new Map(
    first.flatMap(({ path, tests }) =>
      tests.filter(isFailed).map((test) => [`${path}: ${test.fullName}`, test.failureMessages] as const),
    ),
  );
  const passedLater = files.flatMap(({ path, tests }) =>
    tests
      .filter(({ status }) => status === 'passed')
      .flatMap(({ fullName, retryReasons = [] }) => {
        const reasons = before.get(`${path}: ${fullName}`) ?? retryReasons;
        return reasons.length === 0
          ? []
          : [lineOf('PASSED AT THE SECOND ATTEMPT', path, fullName, reasons[0])];
      }),
  );
  const failed = files.flatMap(({ path, tests, brokenBy }) => {
    const lines = tests
      .filter(isFailed)
      .map(({ fullName, failureMessages }) => lineOf('FAILED', path, fullName, failureMessages[0]));
    return lines.length === 0 && brokenBy !== null
      ? [lineOf('FAILED', path, 'the file itself', brokenBy)]
      : lines;
  });
  const all = files.flatMap(({ tests }) => tests);
  const passed = all.filter(({ status }) => status === 'passed').length;
  // Tests without their data, or of a part that this machine has not, are skipped.
  const skipped = all.filter(({ status }) => status === 'pending').length;
  const count = `${passed} passed, ${failed.length} failed${skipped ? `, ${skipped} skipped` : ''}`;
  return [...passedLater, ...failed, count];
}

const isFailed = ({ status }: TestOutcome): boolean => status === 'failed';

/** One line, with the first of an error's text and the place in the test where it came from. */
function lineOf(what: string, path: string, name: string, error = ''): string {
  const text = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim());
  const place = text.find((line) => line.startsWith('at ') && line.includes('.test.ts:'));
  const at = /(?<line>\d+):\d+\)?$/u.exec(place ?? '')?.groups?.['line'];
  const reason = text.find((line) => line !== '' && !line.startsWith('●')) ?? '';
  return `${what} ${relative(process.cwd(), path)}${at === undefined ? '' : `:${at}`}: ${name}: ${reason.slice(0, 300)}`;
}
