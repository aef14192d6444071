import type { ReasoningLevel } from '../../experts/expert.ts';
import type { Request, Topic } from './request.ts';

/** The named groups of a pattern; those that took no part are absent. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** A way to ask for something in one clause. */
export type Rule = {
  /** Matches a whole clause: words that stand around it could turn its meaning. */
  readonly pattern: RegExp;
  /** Null where the words fit but mean nothing here. */
  readonly read: (groups: Groups) => Request | null;
};

/** The same where a text follows after the clause. */
export type BodyRule = {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, body: string) => Request;
};

/** A language as the offline builder reads it. */
export type Grammar = {
  /** Earlier ones come first where two fit. */
  readonly rules: readonly Rule[];
  readonly bodyRules: readonly BodyRule[];
  /** Words before and after a request that say nothing themselves. */
  readonly fillers: readonly RegExp[];
  /** A sentence that asks for nothing to be done: forbidden, conditional, or doubtful. */
  readonly isWithheld: (sentence: string) => boolean;
  /** Topics of a sentence that asks how things stand; empty for any other. */
  readonly asksAbout: (sentence: string) => readonly Topic[];
};

/** A pattern for a whole clause, from sources with named groups. */
export const whole = (...sources: readonly string[]): RegExp => new RegExp(`^(?:${sources.join('')})$`, 'iu');

/** A text in any kind of quotes, as the group `name`. */
export const quoted = (name: string): string => `["“'\`「『](?<${name}>[^"“”\`「」『』]+?)["”'\`」』]`;

/** Without quotes around it, and without the full stop that ended its sentence. */
export const bare = (text: string | undefined): string =>
  (text ?? '')
    .trim()
    .replaceAll(/^["“'`「『]+|["”'`」』]*[.。]?$/gu, '')
    .trim();

/** A number as people write it; the caller's pattern let nothing else through. */
export const numberOf = (text: string | undefined): number => Number((text ?? '').replace(',', '.'));

/** Names of models that need no word beside them to be known as such. */
export const MODEL_NAME =
  '(?:gpt-|o[134](?:-|\\b)|claude-|gemini-|llama|qwen|mistral|mixtral|deepseek|gemma|phi-|grok)[\\w.:/-]*';

const LEVELS: readonly (readonly [RegExp, ReasoningLevel])[] = [
  [/^(?:none|no|off|zero|なし|無し|オフ)$/iu, 'none'],
  [/^(?:low|little|低.*)$/iu, 'low'],
  [/^(?:medium|middle|moderate|中.*)$/iu, 'medium'],
  [/^(?:high|高.*)$/iu, 'high'],
];

/** The reasoning level that a word names; null for none. */
export const reasoningOf = (word: string | undefined): Request | null => {
  const level = LEVELS.find(([pattern]) => pattern.test(word ?? ''))?.[1];
  return level === undefined ? null : { type: 'reasoning', level };
};
