/** The last lines of a run of tests, for whoever has only the end of a log. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The result of a test, with Jest's field names. */
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
 * @param first the files that failed, before they ran again.
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
  const broken = new Set(files.filter(({ brokenBy }) => brokenBy !== null).map(({ path }) => path));
  const loadedLater = first
    .filter(({ path, tests }) => !tests.some(isFailed) && !broken.has(path))
    .map(({ path, brokenBy }) => lineOf(SECOND, path, WHOLE_FILE, brokenBy ?? ''));
  const passedLater = files.flatMap(({ path, tests }) =>
    tests
      .filter(({ status }) => status === 'passed')
      .flatMap(({ fullName, retryReasons = [] }) => {
        const reasons = before.get(`${path}: ${fullName}`) ?? retryReasons;
        return reasons.length === 0 ? [] : [lineOf(SECOND, path, fullName, reasons[0])];
      }),
  );
  const failed = files.flatMap(({ path, tests, brokenBy }) => {
    const lines = tests
      .filter(isFailed)
      .map(({ fullName, failureMessages }) => lineOf('FAILED', path, fullName, failureMessages[0]));
    return lines.length === 0 && brokenBy !== null ? [lineOf('FAILED', path, WHOLE_FILE, brokenBy)] : lines;
  });
  const all = files.flatMap(({ tests }) => tests);
  const passed = all.filter(({ status }) => status === 'passed').length;
  // A test is skipped where the machine lacks its data or a program that it needs.
  const skipped = all.filter(({ status }) => status === 'pending').length;
  const count = `${passed} passed, ${failed.length} failed${skipped ? `, ${skipped} skipped` : ''}`;
  return [...loadedLater, ...passedLater, ...failed, count];
}

const SECOND = 'PASSED AT THE SECOND ATTEMPT';
const WHOLE_FILE = 'the file itself';
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
