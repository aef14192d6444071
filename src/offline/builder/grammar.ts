/** The forms of requests in `grammar.yaml`, as patterns. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { TOOL_CATEGORIES, type ToolCategory } from '../../experts/tool-categories.ts';

/** What can be asked about. */
const TOPICS = ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS', 'DESCRIPTION', 'INSTRUCTIONS'] as const;
export type Topic = (typeof TOPICS)[number];

const texts = z.array(z.string());
const file = z.strictObject({
  parts: z.record(z.string(), z.string()),
  rules: z.array(z.strictObject({ type: z.string(), forms: texts, withBody: texts.default([]) })),
  beforeText: z.string(),
  fillers: texts,
  withheld: z.string(),
  question: z.string(),
  advice: z.string(),
  topics: z.record(z.enum([...TOPICS, 'ALL']), z.string()),
  words: z.string(),
  levels: z.record(z.enum(['none', 'low', 'medium', 'high']), z.string()),
  aroundCategory: z.string(),
  categories: z.record(z.string(), texts),
});
const grammar = file.parse(parse(readFileSync(new URL('grammar.yaml', import.meta.url), 'utf8')));

/** `{{NAME group}}` written out, and what it has in it. */
const writtenOut = (source: string): string =>
  source.replaceAll(/\{\{([^{}\s]+)(?: (\w+))?\}\}/gu, (_, name: string, group = '') => {
    const part = grammar.parts[name];
    if (part === undefined) throw new Error(`grammar.yaml has no part "${name}": ${source}`);
    return writtenOut(part.replaceAll('@', String(group)));
  });
const pattern = (source: string): RegExp => new RegExp(source, 'iu');
const whole = (source: string): RegExp => pattern(`^(?:${writtenOut(source)})$`);

/** The forms of one kind of request; those of `withBody` are followed by a text. */
export const RULES = grammar.rules.map(({ type, forms, withBody }) => ({
  type,
  forms: forms.map(whole),
  withBody: withBody.map(whole),
}));

/** What separates a request from the text that it is about. */
export const BEFORE_TEXT = new RegExp(`^([^\\n]{3,200}?)\\s{0,9}(?:${grammar.beforeText})\\s*`, 'iu');
const FILLERS = grammar.fillers.map(pattern);
/** Words of commands. */
export const COMMAND_WORDS: readonly string[] = grammar.words.split(' ');
export const WITHHELD = pattern(grammar.withheld);
export const QUESTION = pattern(grammar.question);
export const ADVICE = pattern(grammar.advice);

/** Without the words that mean nothing before and after a request; empty where there are no others. */
export const withoutFillers = (text: string): string =>
  FILLERS.reduce((left, filler) => left.replace(filler, '').trim(), text.trim());

/** The reasoning level that a word names; undefined for none. */
export const levelOf = (word: string) =>
  (['none', 'low', 'medium', 'high'] as const).find((level) => pattern(grammar.levels[level]).test(word));

const namesOf = ({ name, title }: ToolCategory): readonly string[] => [
  name,
  title.toLowerCase(),
  ...(grammar.categories[name] ?? []),
];

/** The category of tools that has this name; null for none. */
export function categoryOf(written: string): ToolCategory | null {
  const name = written.toLowerCase().trim();
  const bare = name.replaceAll(new RegExp(grammar.aroundCategory, 'giu'), '').trim();
  return TOOL_CATEGORIES.find((each) => namesOf(each).some((own) => own === name || own === bare)) ?? null;
}

const CATEGORY = `(?<![a-z-])(?:${TOOL_CATEGORIES.flatMap(namesOf).join('|')})(?![a-z-])`;

/** What a question about the current settings is about, each with its words. */
export const TOPIC_WORDS: readonly (readonly [topics: readonly Topic[], words: RegExp])[] = Object.entries(
  grammar.topics,
).map(([topic, words]) => [
  topic === 'ALL' ? ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS'] : [topic as Topic],
  new RegExp(topic === 'TOOLS' ? `${words}|${CATEGORY}` : words, 'giu'),
]);
