/** The offline builder's answer: the outcome of each request, the current settings, and what was not understood. */
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { TOOL_CATEGORIES } from '../../experts/tool-categories.ts';
import { catalogue, type Translate } from '../shared/messages.ts';
import { oneLine } from '../shared/text.ts';
import en from './messages.en.json' with { type: 'json' };
import ja from './messages.ja.json' with { type: 'json' };
import type { Topic } from './grammar.ts';
import type { Step } from './requests.ts';
import { sectionsOf } from './sections.ts';

/** The outcome of a call, as its tool reports it. */
export type Outcome = { readonly isDone: boolean; readonly note: string | null };

/** Longest piece of the user's text that an answer repeats. */
const QUOTE_LENGTH = 60;
const shortened = (text: string): string => shorten(oneLine(text), QUOTE_LENGTH);

const WORDS = catalogue(
  { en, ja },
  {
    en: { quote: (text) => `“${shortened(text)}”` },
    ja: { quote: (text) => `「${shortened(text)}」` },
  },
);
type TranslateBuilder = Translate<keyof typeof en>;

/** How many parts of a message are quoted as not understood, and how much of each. */
const MAX_MISSED = 5;
const MISSED_LENGTH = 300;

/** The whole answer, in the language of the message; `outcomes` are those of the calls among the steps, in order. */
export function answerText(
  message: string,
  steps: readonly Step[],
  rest: readonly string[],
  outcomes: readonly Outcome[],
): string {
  const t = WORDS[writtenLanguage(message)];
  const calls = steps.filter(({ type }) => type === 'call');
  const lines = steps.map((step) => {
    if (step.type === 'call') return labelled(step, resultOf(outcomes[calls.indexOf(step)], t), t);
    if (step.type === 'answer') {
      return step.request.type === 'ask'
        ? step.request.about.map((topic) => `- ${settingOf(topic, step.seen, t)}`).join('\n')
        : `- ${t('undo')}`;
    }
    const { why, names = [], count = 0 } = step.obstacle;
    const quoted = names.map((name) => t('quoted', { text: name }));
    return labelled(step, t('notDone', { why: t(why, { names: quoted, count }) }), t);
  });
  return [
    t('intro'),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...rest.slice(0, MAX_MISSED).map((words) => t('notUnderstood', { words: shorten(words, MISSED_LENGTH) })),
    ...(rest.length > MAX_MISSED ? [t('moreMissed', { count: rest.length - MAX_MISSED })] : []),
    ...(steps.length === 0 || rest.length > 0 ? [t('examples')] : []),
  ].join('\n\n');
}

function resultOf(outcome: Outcome | undefined, t: TranslateBuilder): string {
  if (outcome === undefined) return t('notDone', { why: t('notReached') });
  const { isDone, note } = outcome;
  return isDone ? t('done', { note }) : t('notDone', { why: note });
}

/** A request in its own words, and what came of it. */
const labelled = ({ request }: Step, result: string, t: TranslateBuilder): string =>
  request.type === 'ask' || request.type === 'undo'
    ? result
    : `- ${t(`label.${request.type}`, request.values)}: ${result}`;

/** The current value of what a question is about. */
function settingOf(
  topic: Topic,
  { instructions, config, description }: Artifacts,
  t: TranslateBuilder,
): string {
  const llm = objectOf(config?.['llm']);
  const setting = (value: unknown): string =>
    t('setting', {
      name: t(`topic.${topic}`),
      value: typeof value === 'string' || typeof value === 'number' ? String(value) : null,
    });
  switch (topic) {
    case 'TEMPERATURE':
      return setting(llm['temperature']);
    case 'REASONING':
      return setting(llm['reasoning_level']);
    case 'MODEL':
      return setting(llm['model']);
    case 'DESCRIPTION':
      return setting(description === null ? '–' : t('quoted', { text: description }));
    case 'TOOLS':
      return toolsText(objectOf(config?.['tools']), t) ?? setting(null);
    case 'INSTRUCTIONS': {
      const text = instructions ?? '';
      const titles = sectionsOf(text).map(({ title }) => title);
      return t('instructions', { lines: text === '' ? 0 : text.split('\n').length, titles });
    }
    default:
      return topic satisfies never;
  }
}

/** Which categories are on and off; null where none is set here, so that the expert's apply. */
function toolsText(tools: JsonObject, t: TranslateBuilder): string | null {
  const set = TOOL_CATEGORIES.filter(({ name, locked }) => !locked && Array.isArray(tools[name]));
  if (set.length === 0) return null;
  const namesOf = (wanted: boolean): string =>
    set
      .filter(({ name }) => (tools[name] as readonly unknown[]).length > 0 === wanted)
      .map(({ name }) => name)
      .join(', ') || '–';
  return t('tools', { on: namesOf(true), off: namesOf(false) });
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
