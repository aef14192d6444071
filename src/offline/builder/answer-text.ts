/** The offline builder's answer: the outcome of each request, the current settings, and what was not understood. */
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';
import { TOOL_CATEGORIES } from '../../experts/tool-categories.ts';
import { catalogue, type Translate } from '../shared/messages.ts';
import { oneLine } from '../shared/text.ts';
import en from './messages.en.json' with { type: 'json' };
import ja from './messages.ja.json' with { type: 'json' };
import type { Obstacle, Step } from './plan-calls.ts';
import { isJapanese } from './read-requests.ts';
import type { Request, Topic } from './request.ts';
import { sectionsOf } from './sections.ts';

/** The outcome of a call, as its tool reports it. */
export type Outcome = { readonly isDone: boolean; readonly note: string | null };

const WORDS = catalogue({ en, ja });
type TranslateBuilder = Translate<keyof typeof en>;

/** Longest piece of the user's text that an answer repeats. */
const QUOTE_LENGTH = 60;
const shortened = (text: string): string => shorten(oneLine(text), QUOTE_LENGTH);

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
  const t = WORDS[isJapanese(message) ? 'ja' : 'en'];
  const calls = steps.filter(({ type }) => type === 'call');
  const lines = steps.map((step) => {
    switch (step.type) {
      case 'call':
        return `- ${labelOf(step.request, t)}: ${resultOf(outcomes[calls.indexOf(step)], t)}`;
      case 'obstacle':
        return `- ${labelOf(step.request, t)}: ${t('notDone', { why: obstacleOf(step.obstacle, t) })}`;
      case 'answer':
        return step.request.type === 'ask'
          ? step.request.about.map((topic) => `- ${settingOf(topic, step.seen, t)}`).join('\n')
          : `- ${t('undo')}`;
      default:
        return step satisfies never;
    }
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

function labelOf(request: Request, t: TranslateBuilder): string {
  const quoted = (text: string): string => t('quoted', { text: shortened(text) });
  const section = (title: string): string => t('section', { title: shortened(title) });
  switch (request.type) {
    case 'temperature':
      return `${t('topic.TEMPERATURE')} ${request.value}`;
    case 'reasoning':
      return `${t('topic.REASONING')} ${request.level}`;
    case 'model':
      return `${t('topic.MODEL')} ${request.name}`;
    case 'describe':
      return `${t('topic.DESCRIPTION')} ${quoted(request.text)}`;
    case 'switch':
      return t('switched', { category: request.category.title, isOn: request.isOn });
    case 'replace':
      return request.by === ''
        ? t('removed', { what: quoted(request.old) })
        : `${quoted(request.old)} → ${quoted(request.by)}`;
    case 'insert':
      return t('added', { what: quoted(request.text) });
    case 'lines': {
      const { from, to, by } = request;
      const place = t('lines', { from, to: from === to ? null : to });
      return by === null ? t('removed', { what: place }) : `${place} → ${quoted(by)}`;
    }
    case 'add-section':
      return t('added', { what: section(request.title) });
    case 'remove-section':
      return t('removed', { what: section(request.title) });
    case 'rewrite-section':
      return t('rewritten', { what: section(request.title) });
    case 'rename-section':
      return `${section(request.title)} → ${section(request.to)}`;
    case 'undo':
    case 'ask':
      return '';
    default:
      return request satisfies never;
  }
}

function obstacleOf(obstacle: Obstacle, t: TranslateBuilder): string {
  switch (obstacle.type) {
    case 'no-section':
      return t('noSection', {
        titles: obstacle.titles.map((title) => t('quoted', { text: shortened(title) })),
      });
    case 'no-text':
      return t('noText', { text: t('quoted', { text: shortened(obstacle.text) }) });
    case 'no-line':
      return t('noLine', { lines: obstacle.lines });
    case 'no-tools':
      return t('noTools');
    default:
      return obstacle satisfies never;
  }
}

/** The current value of what a question is about. */
function settingOf(
  topic: Topic,
  { instructions, config, description }: Artifacts,
  t: TranslateBuilder,
): string {
  const llm = objectOf(config?.['llm']);
  const setting = (value: Json | undefined): string =>
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
