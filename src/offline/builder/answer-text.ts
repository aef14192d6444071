/** The offline builder's answer: the outcome of each request, the current settings, and what was not understood. */
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';
import { TOOL_CATEGORIES } from '../../experts/tool-categories.ts';
import { catalogue, type Say } from '../shared/messages.ts';
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
type SayBuilder = Say<keyof typeof en>;

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
  const say = WORDS[isJapanese(message) ? 'ja' : 'en'];
  const calls = steps.filter(({ type }) => type === 'call');
  const lines = steps.map((step) => {
    switch (step.type) {
      case 'call':
        return `- ${labelOf(step.request, say)}: ${resultOf(outcomes[calls.indexOf(step)], say)}`;
      case 'obstacle':
        return `- ${labelOf(step.request, say)}: ${say('notDone', { why: obstacleOf(step.obstacle, say) })}`;
      case 'answer':
        return step.request.type === 'ask'
          ? step.request.about.map((topic) => `- ${settingOf(topic, step.seen, say)}`).join('\n')
          : `- ${say('undo')}`;
      default:
        return step satisfies never;
    }
  });
  return [
    say('intro'),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...rest
      .slice(0, MAX_MISSED)
      .map((words) => say('notUnderstood', { words: shorten(words, MISSED_LENGTH) })),
    ...(rest.length > MAX_MISSED ? [say('moreMissed', { count: rest.length - MAX_MISSED })] : []),
    ...(steps.length === 0 || rest.length > 0 ? [say('examples')] : []),
  ].join('\n\n');
}

function resultOf(outcome: Outcome | undefined, say: SayBuilder): string {
  if (outcome === undefined) return say('notDone', { why: say('notReached') });
  const { isDone, note } = outcome;
  return isDone ? say('done', { note }) : say('notDone', { why: note });
}

function labelOf(request: Request, say: SayBuilder): string {
  const quoted = (text: string): string => say('quoted', { text: shortened(text) });
  const section = (title: string): string => say('section', { title: shortened(title) });
  switch (request.type) {
    case 'temperature':
      return `${say('topic.TEMPERATURE')} ${request.value}`;
    case 'reasoning':
      return `${say('topic.REASONING')} ${request.level}`;
    case 'model':
      return `${say('topic.MODEL')} ${request.name}`;
    case 'describe':
      return `${say('topic.DESCRIPTION')} ${quoted(request.text)}`;
    case 'switch':
      return say('switched', { category: request.category.title, isOn: request.isOn });
    case 'replace':
      return request.by === ''
        ? say('removed', { what: quoted(request.old) })
        : `${quoted(request.old)} → ${quoted(request.by)}`;
    case 'insert':
      return say('added', { what: quoted(request.text) });
    case 'lines': {
      const { from, to, by } = request;
      const place = say('lines', { from, to: from === to ? null : to });
      return by === null ? say('removed', { what: place }) : `${place} → ${quoted(by)}`;
    }
    case 'add-section':
      return say('added', { what: section(request.title) });
    case 'remove-section':
      return say('removed', { what: section(request.title) });
    case 'rewrite-section':
      return say('rewritten', { what: section(request.title) });
    case 'rename-section':
      return `${section(request.title)} → ${section(request.to)}`;
    case 'undo':
    case 'ask':
      return '';
    default:
      return request satisfies never;
  }
}

function obstacleOf(obstacle: Obstacle, say: SayBuilder): string {
  switch (obstacle.type) {
    case 'no-section':
      return say('noSection', {
        titles: obstacle.titles.map((title) => say('quoted', { text: shortened(title) })),
      });
    case 'no-text':
      return say('noText', { text: say('quoted', { text: shortened(obstacle.text) }) });
    case 'no-line':
      return say('noLine', { lines: obstacle.lines });
    case 'no-tools':
      return say('noTools');
    default:
      return obstacle satisfies never;
  }
}

/** The current value of what a question is about. */
function settingOf(topic: Topic, { instructions, config, description }: Artifacts, say: SayBuilder): string {
  const llm = objectOf(config?.['llm']);
  const setting = (value: Json | undefined): string =>
    say('setting', {
      name: say(`topic.${topic}`),
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
      return setting(description === null ? '–' : say('quoted', { text: description }));
    case 'TOOLS':
      return toolsText(objectOf(config?.['tools']), say) ?? setting(null);
    case 'INSTRUCTIONS': {
      const text = instructions ?? '';
      const titles = sectionsOf(text).map(({ title }) => title);
      return say('instructions', { lines: text === '' ? 0 : text.split('\n').length, titles });
    }
    default:
      return topic satisfies never;
  }
}

/** Which categories are on and off; null where none is set here, so that the expert's apply. */
function toolsText(tools: JsonObject, say: SayBuilder): string | null {
  const set = TOOL_CATEGORIES.filter(({ name, locked }) => !locked && Array.isArray(tools[name]));
  if (set.length === 0) return null;
  const namesOf = (wanted: boolean): string =>
    set
      .filter(({ name }) => (tools[name] as readonly unknown[]).length > 0 === wanted)
      .map(({ name }) => name)
      .join(', ') || '–';
  return say('tools', { on: namesOf(true), off: namesOf(false) });
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
