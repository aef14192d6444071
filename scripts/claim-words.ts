/**
 * `npm run claims`: words of order, extreme, trend, time or cause in texts of `src/domain`, `src/agent/tools` and
 * `src/offline/jobs` come from `src/domain/claims`, which proves them on rows. Any other text with such a word fails,
 * unless the line of the text or the one above ends in `// no claim: <why>`. What a tool says of itself is not about
 * rows, and free: its title, description, arguments and example. Of a message catalogue those messages have such words
 * that are printed with a claim, by keys that begin with `claim.`; what a step does is free, and so is what is quoted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const FOLDERS = ['src/domain', 'src/agent/tools', 'src/offline/jobs'];
/** The words' own home, and readers of words that people wrote. */
const FREE = /^src\/domain\/(?:claims|questions|grounding|artifacts|markdown)\//u;
const WORD =
  /\b(?:worst|best|lowest|highest|newest|oldest|latest|largest|smallest|longest|shortest|strongest|(?<!at )(?:most|least)|rising|falling|clearest|farthest|first|last|since|up(?! to)|(?<!cool-)down|measured at|suggests?|due to|caused by)\b/iu;
/** In Japanese. */
const JAPANESE_WORD = /最新|最古|最も|最大|最小|最高|最低|一番|(?:古|新し|良|悪|高|低|大き|小さ)い順/u;
/** Messages that may have such a word: those of claims, and names of steps. */
const FREE_KEY = /^(?:claim|todo|title|goal|report)\./u;
/** Properties and functions whose texts are about a tool or an argument; `order` names a claim beside its rows. */
const OF_TOOL = new Set(['label', 'description', 'describe', 'example', 'message', 'order']);
const REASON = /\/\/ no claim: \S/u;

const problems: string[] = [];
let texts = 0;
for (const folder of FOLDERS) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (file.endsWith('.ts') && !FREE.test(file)) examine(file);
    if (/messages\.\w+\.json$/u.test(file)) examineMessages(file);
  }
}
process.stdout.write(
  `${texts} texts, ${problems.length} with a word of order, trend or time that no claim made\n`,
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function examineMessages(file: string): void {
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  for (const [key, message] of Object.entries(messages)) {
    texts += 1;
    const words = message.replaceAll(/“[^”]*”|「[^」]*」|\{\w+/gu, ' ');
    const found = (WORD.exec(words) ?? JAPANESE_WORD.exec(words))?.[0];
    if (found === undefined || FREE_KEY.test(key)) continue;
    problems.push(`${file} ${key}: “${found}” in ${JSON.stringify(message.slice(0, 80))}`);
  }
}

function examine(file: string): void {
  const source = readFileSync(file, 'utf8');
  const lines = source.split('\n');
  const text = (start: number, words: string): void => {
    // A name or a key is no text: it has no spaces.
    if (!/\s/u.test(words.trim()) && !/^[A-Z]?(?:rising|falling)$/u.test(words)) return;
    texts += 1;
    const found = WORD.exec(words)?.[0];
    if (found === undefined) return;
    const line = source.slice(0, start).split('\n').length;
    if ([lines[line - 1], lines[line - 2]].some((each) => REASON.test(each ?? ''))) return;
    problems.push(`${file}:${line}: “${found}” in ${JSON.stringify(words.slice(0, 80))}`);
  };
  const free: { readonly start: number; readonly end: number }[] = [];
  const isFree = (start: number): boolean => free.some((each) => start > each.start && start < each.end);
  new Visitor({
    Property: ({ key, value, start, end }) => {
      const name = key.type === 'Identifier' ? key.name : '';
      const isTitle = name === 'title' && value.type === 'ObjectExpression';
      if (isTitle || (OF_TOOL.has(name) && file.startsWith('src/agent/'))) free.push({ start, end });
    },
    CallExpression: ({ callee, end }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (callee.property.name === 'describe') free.push({ start: callee.end, end });
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string' && !isFree(start)) text(start, value);
    },
    TemplateLiteral: ({ quasis, start }) => {
      if (!isFree(start)) text(start, quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
  }).visit(parseSync(file, source).program);
}
