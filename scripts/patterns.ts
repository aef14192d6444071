/**
 * `npm run patterns`: patterns meet texts that are made of their own words, of blanks, digits, brackets and names, in two
 * lengths. One that takes more than in proportion to the length of a text fails. Patterns are the literals of all
 * sources, and those that modules of readers make of lists when they are loaded; one that repeats nothing is left out.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Patterns that may take longer, by their file and their beginning, and why no long text reaches them. */
const ALLOWED: readonly (readonly [file: string, start: string, because: string])[] = [
  ['src/domain/pictures/number-format.ts', '\\B(?=(?:', 'meets a number that we print'],
  ['src/domain/pictures/ticks.ts', '(?<=\\.\\d*)0+$', 'meets a number that we print'],
  ['client/lib/i18n/sentences.ts', '\\{(?<name>', 'meets sentences of our own'],
  ['src/domain/grounding/explain.ts', '(?:\\byour', 'meets the 32 characters before a number'],
];

/**
 * Readers that read no longer text: characters, and how many milliseconds of processor time one of their patterns may
 * take for as many. Blanks of a question are single (`readable` in `src/domain/questions/lexicon.ts`).
 */
const BOUNDED: readonly (readonly [
  files: RegExp,
  bound: { readonly length: number; readonly ms: number },
])[] = [
  [/^src\/domain\/(?:questions|values)\/|^src\/offline\/(?:jobs|analyst)\//u, { length: 2_000, ms: 4 }],
  [/^src\/offline\/builder\//u, { length: 800, ms: 8 }],
  [/^src\/offline\/shared\/japanese-lines/u, { length: 4_000, ms: 25 }],
];
/** Folders of readers whose modules make patterns when they are loaded. */
const READERS = ['src/base/redaction/', 'src/domain/', 'src/offline/', 'src/agent/answer/'];

/** Characters; a pattern meets twice as many, too, for which a square takes four times as long. */
const LENGTH = 5_000;
/** Milliseconds of processor time: fewer are not compared, and more are too many whatever the growth. */
const MS = { compared: 3, most: 25 };
const MOST_GROWTH = 3;
/** Words of a pattern that are tried by themselves. */
const MOST_WORDS = 40;

type Pattern = { readonly source: string; readonly flags: string; readonly file: string };

const found = new Map<string, Pattern>();
const add = (source: string, flags: string, file: string): void => {
  const key = `/${source}/${flags}`;
  if (!found.has(key)) found.set(key, { source, flags, file });
};

const files = execFileSync('git', ['ls-files', 'src', 'schema', 'packages', 'client'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/u.test(file) && !/\/test\//u.test(file));
for (const file of files) {
  const visitor = new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.regex.pattern, node.regex.flags, file);
    },
  });
  visitor.visit(parseSync(file, readFileSync(file, 'utf8')).program);
}
const literals = found.size;
await addLoaded(files.filter((file) => READERS.some((folder) => file.startsWith(folder))));

/** Loads modules, and notes the patterns that they make. */
async function addLoaded(modules: readonly string[]): Promise<void> {
  const Original = globalThis.RegExp;
  let file = '';
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: ConstructorParameters<typeof RegExp>) {
      const made = new target(...args);
      const at = /\/((?:src|client|packages)\/[^:()]+\.tsx?):/u.exec(new Error().stack ?? '');
      add(made.source, made.flags, at?.[1] ?? file);
      return made;
    },
  });
  try {
    for (file of modules) await import(resolve(file));
  } finally {
    globalThis.RegExp = Original;
  }
}

const WORDS = /[a-z]{2,}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]+|[%μ<>≤≥~–—→■□]/giu;
const SIGNS = ' \t\n0123456789aAQ_-.,;:/\\|`"\'“「([{<=*#>!?~$%&@+^■、。のと日量あア😀'.match(/./gsu) ?? [];
const PARTS = [
  ...SIGNS,
  'a ',
  '1 ',
  '0.',
  '1, ',
  'a-',
  'a1-',
  'x x ',
  'Q1, ',
  'Q1 and ',
  'the ',
  '. ',
  ', ',
  '1 us ',
];

/** Texts of a length that have the words of a pattern in them. */
function textsFor(source: string, length: number): readonly string[] {
  const filled = (part: string, head = ''): string =>
    (head + part.repeat(Math.ceil(length / part.length))).slice(0, length);
  const plain = source.replaceAll(/\\[a-zA-Z]|\(\?<?\w*[=!>:]?/gu, ' ');
  const words = [...new Set(plain.match(WORDS) ?? [])].slice(0, MOST_WORDS);
  return [
    ...PARTS.map((part) => filled(part)),
    ...words.flatMap((word) => [
      ...['', ' ', ' Q1, '].map((behind) => filled(word + behind)),
      ...[' ', 'a', 'the '].map((part) => filled(part, word)),
    ]),
    filled(`${words.join(' ')} `),
  ];
}

/** Milliseconds of processor time for all matches in a text that ends in a sign which no pattern expects. */
function timeOf(pattern: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  `${text}\u0001`.replaceAll(pattern, '');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
const least = (pattern: RegExp, text: string): number =>
  Math.min(...Array.from({ length: 3 }, () => timeOf(pattern, text)));

const singleSpaced = (text: string): string =>
  text.replaceAll(/\s+/gu, (run) => (run.includes('\n') ? '\n' : ' '));

/** Which text is too much for a pattern, and how long it takes; null for none. */
function problemOf({ source, flags, file }: Pattern): string | null {
  const pattern = new RegExp(source, [...new Set(`${flags.replace('y', '')}g`)].join(''));
  const bound = BOUNDED.find(([files]) => files.test(file))?.[1];
  for (const text of textsFor(source, bound?.length ?? LENGTH)) {
    const met = bound === undefined ? text : singleSpaced(text);
    const limit = bound?.ms ?? MS.compared;
    if (timeOf(pattern, met) < limit) continue;
    const short = least(pattern, met);
    if (short < limit) continue;
    const shown = JSON.stringify(met.slice(0, 24));
    if (bound !== undefined) return `${short.toFixed(1)} ms for ${met.length} characters like ${shown}`;
    const long = least(pattern, met + met);
    if (long > MS.most || long > MOST_GROWTH * short)
      return `${short.toFixed(1)} ms for ${met.length} characters like ${shown}, ${long.toFixed(1)} ms for twice as many`;
  }
  return null;
}

const unused = new Set(ALLOWED);
let slow = 0;
for (const pattern of found.values()) {
  if (!/[*+]|\{\d+,(?:\d\d+)?\}/u.test(pattern.source)) continue;
  const problem = problemOf(pattern);
  if (problem === null) continue;
  const allowed = ALLOWED.find(([file, start]) => pattern.file === file && pattern.source.startsWith(start));
  if (allowed !== undefined) {
    unused.delete(allowed);
    continue;
  }
  slow += 1;
  process.stderr.write(`${pattern.file}: /${pattern.source.slice(0, 120)}/${pattern.flags}: ${problem}\n`);
}
for (const [file, start] of unused)
  process.stderr.write(`${file}: nothing needs the allowance of /${start}\n`);
process.stdout.write(
  `${found.size} patterns (${literals} literals), ${slow} that take more than in proportion to a text\n`,
);
if (slow > 0) process.exitCode = 1;
