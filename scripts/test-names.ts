/** Names of tests, read from their sources without running them. */
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** One `test` or `test.each`; its title holds placeholders as they are written. */
export type NamedTest = {
  /** `unit/qid` for `test/unit/qid.test.ts`; files of packages have their whole path. */
  readonly file: string;
  /** Titles of its groups, then its own. */
  readonly path: readonly string[];
  readonly isSkipped: boolean;
};

const SUFFIX = '.test.ts';

/** The path of a file of tests. */
export const sourceOf = (file: string): string =>
  `${file.startsWith('packages/') ? '' : 'test/'}${file}${SUFFIX}`;

/** All tests of the repository. */
export const readTests = (): readonly NamedTest[] =>
  globSync(['test/**/*', 'packages/*/test/**/*'].map((place) => place + SUFFIX))
    .toSorted()
    .flatMap((file) => testsIn(file, readFileSync(file, 'utf8')));

/** The tests of one source. Titles that are computed elsewhere have no name that could be cited. */
export function testsIn(file: string, source: string): readonly NamedTest[] {
  const name = file.replace(/^test\//u, '').slice(0, -SUFFIX.length);
  const tests: NamedTest[] = [];
  const walk = (node: unknown, path: readonly string[], isSkipped: boolean): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, path, isSkipped);
    if (!isNode(node)) return;
    const found = groupOrTest(node, source);
    if (found?.type === 'test') {
      tests.push({ file: name, path: [...path, found.title], isSkipped: isSkipped || found.isSkipped });
    } else if (found?.type === 'group') {
      walk(found.body, [...path, found.title], isSkipped || found.isSkipped);
    } else for (const child of Object.values(node)) walk(child, path, isSkipped);
  };
  walk(parseSync(file, source).program, [], false);
  return tests;
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;
type Found = {
  readonly type: 'group' | 'test';
  readonly title: string;
  readonly isSkipped: boolean;
  readonly body: readonly unknown[];
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** A call such as `test('…', …)`, `describe.each(…)('…', …)` or `describeWithChromium('…', …)`; null for any other. */
function groupOrTest(node: Node, source: string): Found | null {
  if (node.type !== 'CallExpression') return null;
  const [root = '', ...rest] = wordsOf(node['callee']);
  const isGroup = root.startsWith('describe');
  if (!isGroup && root !== 'test') return null;
  const [title, ...body] = node['arguments'] as readonly Node[];
  // The table of `each` is an argument list of its own.
  const isTable = rest.at(-1) === 'each' && (node['callee'] as Node).type === 'MemberExpression';
  if (isTable || title === undefined || body.length === 0) return null;
  const text = titleOf(title, source);
  if (text === null) return null;
  const isSkipped = rest.some((word) => word === 'skip' || word === 'todo');
  return { type: isGroup ? 'group' : 'test', title: text, isSkipped, body };
}

/** `describe.skip.each(…)` as its words. */
function wordsOf(callee: unknown): readonly string[] {
  if (!isNode(callee)) return [];
  switch (callee.type) {
    case 'Identifier':
      return [String(callee['name'])];
    case 'MemberExpression':
      return [...wordsOf(callee['object']), ...wordsOf(callee['property'])];
    case 'CallExpression':
      return wordsOf(callee['callee']);
    default:
      return [];
  }
}

function titleOf(node: Node, source: string): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  return node.type === 'TemplateLiteral'
    ? source.slice(Number(node['start']) + 1, Number(node['end']) - 1)
    : null;
}

const SEPARATOR = ' › ';

/**
 * The test that `file › group › title` means; outer groups may be left out if no other test of the file ends so.
 * @throws an Error that says what is wrong
 */
export function citedTest(citation: string, tests: readonly NamedTest[]): NamedTest {
  const [file = '', ...path] = citation.split(SEPARATOR);
  const wanted = path.join(SEPARATOR);
  const ofFile = tests.filter((test) => test.file === file);
  if (ofFile.length === 0) throw new Error(`there is no file of tests ${file}`);
  const found = ofFile.filter((test) =>
    `${SEPARATOR}${test.path.join(SEPARATOR)}`.endsWith(SEPARATOR + wanted),
  );
  const names = [...new Set(found.map((test) => test.path.join(SEPARATOR)))];
  const [first] = found;
  if (path.length === 0 || first === undefined) throw new Error(`${file} has no test “${wanted}”`);
  if (names.length > 1)
    throw new Error(`${file} has several tests that end with “${wanted}”: name their group`);
  if (found.some(({ isSkipped }) => isSkipped)) throw new Error(`${file} skips “${wanted}”`);
  return first;
}
