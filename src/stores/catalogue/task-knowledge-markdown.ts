/**
 * The form of a task knowledge file: a heading with the task's name, a line that states its purpose, then the
 * sections of {@link sections}, each under a heading of the second level. The parser only sees text; files are
 * read elsewhere.
 */
import { z } from 'zod';
import {
  FAILURE_SEVERITIES,
  type RelatedContext,
  type TaskKnowledge,
} from '../../domain/records/task-knowledge.ts';
import { shorten } from '../../domain/text/stored-text.ts';

/**
 * Knowledge, or everything that is wrong with the text: each problem names the line and the section that it is
 * in.
 */
export type ParsedKnowledge =
  { readonly knowledge: TaskKnowledge } | { readonly problems: readonly [string, ...string[]] };

/**
 * The content under a heading: paragraphs joined by a space, the items of lists, and parts under headings below
 * it.
 */
type Section = { readonly text: string; readonly items: readonly string[]; readonly parts: readonly Part[] };

/** The items of a part, each `key: text`, by their keys; the part's heading is its `title`. */
type Part = Readonly<Record<string, string>>;

const sentence = z.string().min(1, 'is empty');
const nothing = z.array(z.unknown()).max(0, 'takes text only');
const noText = z.string().max(0, 'takes a list only, one item a line that begins with "- "');

const prose = z.object({ text: sentence, items: nothing, parts: nothing }).transform(({ text }) => text);
const list = z
  .object({ text: noText, items: z.array(sentence).min(1, 'has no item'), parts: nothing })
  .transform(({ items }) => items);
const named = list.pipe(z.array(z.string().regex(/^\w+: \S/u, 'must be "name: meaning"')));

const partsOf = <Item extends z.ZodType>(item: Item) =>
  z
    .object({
      text: noText,
      items: z.array(z.unknown()).max(0, 'needs a "###" heading above each list'),
      parts: z.array(item),
    })
    .transform(({ parts }) => parts);

const related = list.transform((items, context) =>
  items.map((item): RelatedContext => {
    const found = readRelated(item);
    if (found !== null) return found;
    context.addIssue({
      code: 'custom',
      message: `"${item}" must be history(last_n=N) with N from 1 to 50, neighbor_qubits(a, b) or coupling(a, b)`,
    });
    return z.NEVER;
  }),
);

const sections = z.strictObject({
  'What it measures': prose,
  Principle: prose,
  'Expected result': prose,
  'Good result': list,
  'Bad result': list,
  'Evaluation criteria': list,
  'Failure modes': partsOf(
    z.strictObject({
      title: sentence,
      severity: z.enum(FAILURE_SEVERITIES),
      cause: sentence,
      visual: sentence,
      next: sentence,
    }),
  ),
  Tips: list,
  Outputs: named,
  'Related context': related,
  'Past cases': partsOf(
    z.strictObject({
      title: sentence,
      chip: sentence,
      qid: sentence,
      symptom: sentence,
      cause: sentence,
      resolution: sentence,
      lesson: sentence,
    }),
  ).default([]),
});

/** Reads one file's text. */
export function parseTaskKnowledge(markdown: string): ParsedKnowledge {
  const [head = '', ...rest] = markdown.split(/^## /mu);
  const heading = /^# (\w+)\n+(\S[^\n]*)\s*$/u.exec(head.trim());
  const titles = rest.map((each) => each.split('\n', 1)[0]?.trim() ?? '');
  const doubled = titles.find((title, at) => titles.indexOf(title) !== at);
  const parsed = sections.safeParse(
    Object.fromEntries(rest.map((each, at) => [titles[at] ?? '', sectionOf(bodyOf(each))])),
  );
  const problems = [
    ...(heading === null
      ? ['line 1, top: must be "# TaskName", then one line with the purpose of the task']
      : []),
    ...(doubled === undefined ? [] : [`line ${lineOf(markdown, [doubled])}, ${doubled}: appears twice`]),
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => problemOf(issue, markdown))),
  ];
  const [first, ...others] = problems;
  if (first !== undefined) return { problems: [first, ...others] };
  if (heading === null || !parsed.success) throw new Error('a file without problems was not understood');
  const { data } = parsed;
  return {
    knowledge: {
      taskName: heading[1] ?? '',
      summary: heading[2] ?? '',
      measures: data['What it measures'],
      principle: data.Principle,
      expected: data['Expected result'],
      good: data['Good result'],
      bad: data['Bad result'],
      criteria: data['Evaluation criteria'],
      failureModes: data['Failure modes'],
      tips: data.Tips,
      outputs: data.Outputs,
      related: data['Related context'],
      cases: data['Past cases'],
    },
  };
}

/** Everything below the line of a heading. */
const bodyOf = (text: string): string => text.split('\n').slice(1).join('\n');

function sectionOf(body: string): Section {
  const [own = '', ...parts] = body.split(/^### /mu);
  return { ...contentOf(own), parts: parts.map(partOf) };
}

function partOf(part: string): Part {
  const { text, items } = contentOf(bodyOf(part));
  const pairs = items.map((item): readonly [string, string] => {
    const [key = '', ...rest] = item.split(':');
    return [key.trim(), rest.join(':').trim()];
  });
  const title = part.split('\n', 1)[0]?.trim() ?? '';
  return {
    ...Object.fromEntries(pairs),
    title,
    ...(text !== '' && { [`the text "${shorten(text, 40)}"`]: text }),
  };
}

/** Indented lines continue the item above them. */
function contentOf(body: string): Pick<Section, 'text' | 'items'> {
  const text: string[] = [];
  const items: string[] = [];
  for (const line of body.split('\n')) {
    const item = /^- (.*)$/u.exec(line)?.[1];
    const last = items.length - 1;
    if (item !== undefined) items.push(item.trim());
    else if (/^\s+\S/u.test(line) && last >= 0) items[last] = `${items[last]} ${line.trim()}`;
    else if (line.trim() !== '') text.push(line.trim());
  }
  return { text: text.join(' '), items };
}

/** Line, section, place in it, and what is wrong; parts and fields are named as in the file. */
function problemOf({ path, message, code, ...issue }: z.core.$ZodIssue, markdown: string): string {
  const [section, ...place] = path.map((step) =>
    typeof step === 'number' ? `no. ${step + 1}` : String(step),
  );
  const keys = code === 'unrecognized_keys' && 'keys' in issue ? issue.keys : null;
  const line = `line ${lineOf(markdown, section === undefined ? (keys ?? []) : path)}`;
  if (section === undefined) {
    return keys === null
      ? `${line}, top: ${message}`
      : `${line}, ${keys.join(', ')}: no such section; there are ${Object.keys(sections.shape).join(', ')}`;
  }
  const where = [section, ...place.filter((step) => !['text', 'items', 'parts'].includes(step))].join(', ');
  const isMissing = code === 'invalid_type' && message.includes('undefined');
  return `${line}, ${where}: ${isMissing ? 'is missing' : keys ? `has ${keys.join(', ')}, which does not belong there` : message}`;
}

/**
 * The line of a section, of an item or part of it by its number, or of the field of a part; 1 for a section that
 * is missing.
 */
function lineOf(markdown: string, [section, ...place]: readonly PropertyKey[]): number {
  const lines = markdown.split('\n');
  const begin = lines.findLastIndex((line) => line.trim() === `## ${String(section)}`);
  if (begin < 0) return 1;
  const next = lines.findIndex((line, at) => at > begin && line.startsWith('## '));
  const end = next < 0 ? lines.length : next;
  const number = place.find((step) => typeof step === 'number');
  if (number === undefined) return begin + 1;
  const mark = place.includes('parts') ? '### ' : '- ';
  const marked = lines.flatMap((line, at) => (at > begin && at < end && line.startsWith(mark) ? [at] : []));
  const item = marked[number] ?? begin;
  const field = lines.findIndex(
    (line, at) =>
      at > item && at < (marked[number + 1] ?? end) && line.startsWith(`- ${String(place.at(-1))}:`),
  );
  return (field < 0 ? item : field) + 1;
}

function readRelated(item: string): RelatedContext | null {
  const [, type, given = ''] = /^(\w+)\(([^)]*)\)$/u.exec(item) ?? [];
  if (type === 'history') {
    const lastN = Number(/^last_n=(\d{1,2})$/u.exec(given.trim())?.[1] ?? 0);
    return lastN >= 1 && lastN <= 50 ? { type, lastN } : null;
  }
  const parameters = given.split(',').map((name) => name.trim());
  const isNamed = parameters.every((name) => /^\w+$/u.test(name));
  return (type === 'neighbor_qubits' || type === 'coupling') && isNamed ? { type, parameters } : null;
}
