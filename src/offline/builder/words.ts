/** What the offline builder says: what it is, what became of each request, how things stand, what it did not understand. */
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';
import { TOOL_CATEGORIES } from '../../experts/tool-categories.ts';
import { ENGLISH_WORDS, JAPANESE_WORDS, type Words } from './languages.ts';
import type { Obstacle, Step } from './plan-calls.ts';
import { isJapanese } from './read-requests.ts';
import type { Request, Topic } from './request.ts';
import { sectionsOf } from './sections.ts';

/** What became of a call, as its tool put it. */
export type Outcome = { readonly isDone: boolean; readonly note: string | null };

/** Longest piece of a text of the user that an answer repeats. */
const QUOTE_LENGTH = 60;
const quote = (text: string): string => shorten(text.replaceAll(/\s+/gu, ' ').trim(), QUOTE_LENGTH);

/** Parts of a message that are given back as not understood, and how much of each. */
const MAX_MISSED = 5;
const MISSED_LENGTH = 300;

/** The whole answer, in the language of the message; `outcomes` are those of the calls among the steps, in their order. */
export function answerText(
  message: string,
  steps: readonly Step[],
  rest: readonly string[],
  outcomes: readonly Outcome[],
): string {
  const words = isJapanese(message) ? JAPANESE_WORDS : ENGLISH_WORDS;
  const calls = steps.filter(({ type }) => type === 'call');
  const lines = steps.map((step) => {
    switch (step.type) {
      case 'call':
        return `- ${labelOf(step.request, words)}: ${resultOf(outcomes[calls.indexOf(step)], words)}`;
      case 'obstacle':
        return `- ${labelOf(step.request, words)}: ${words.notDone(obstacleOf(step.obstacle, words))}`;
      case 'answer':
        return step.request.type === 'ask'
          ? step.request.about.map((topic) => `- ${standingOf(topic, step.seen, words)}`).join('\n')
          : `- ${words.undo}`;
      default:
        return step satisfies never;
    }
  });
  const isHelpNeeded = steps.length === 0 || rest.length > 0;
  return [
    words.what,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...rest.slice(0, MAX_MISSED).map((each) => words.notUnderstood(shorten(each, MISSED_LENGTH))),
    ...(rest.length > MAX_MISSED ? [words.moreMissed(rest.length - MAX_MISSED)] : []),
    ...(isHelpNeeded ? [words.examples] : []),
  ].join('\n\n');
}

function resultOf(outcome: Outcome | undefined, words: Words): string {
  if (outcome === undefined) return words.notDone(words.notReached);
  const { isDone, note } = outcome;
  if (!isDone) return words.notDone(note ?? '');
  return note === null ? words.done : `${words.done} (${note})`;
}

function labelOf(request: Request, words: Words): string {
  switch (request.type) {
    case 'temperature':
      return `${words.topics.TEMPERATURE} ${request.value}`;
    case 'reasoning':
      return `${words.topics.REASONING} ${request.level}`;
    case 'model':
      return `${words.topics.MODEL} ${request.name}`;
    case 'describe':
      return `${words.topics.DESCRIPTION} ${words.quoted(quote(request.text))}`;
    case 'switch':
      return words.switched(request.category.title, request.isOn);
    case 'replace':
      return request.by === ''
        ? words.removed(words.quoted(quote(request.old)))
        : `${words.quoted(quote(request.old))} → ${words.quoted(quote(request.by))}`;
    case 'insert':
      return words.added(words.quoted(quote(request.text)));
    case 'lines': {
      const { from, to, by } = request;
      const place = words.lines(from, to);
      return by === null ? words.removed(place) : `${place} → ${words.quoted(quote(by))}`;
    }
    case 'add-section':
      return words.added(words.section(quote(request.title)));
    case 'remove-section':
      return words.removed(words.section(quote(request.title)));
    case 'rewrite-section':
      return words.rewritten(words.section(quote(request.title)));
    case 'rename-section':
      return `${words.section(quote(request.title))} → ${words.section(quote(request.to))}`;
    case 'undo':
    case 'ask':
      return '';
    default:
      return request satisfies never;
  }
}

function obstacleOf(obstacle: Obstacle, words: Words): string {
  switch (obstacle.type) {
    case 'no-section':
      return words.noSection(obstacle.titles.map(quote));
    case 'no-text':
      return words.noText(words.quoted(quote(obstacle.text)));
    case 'no-line':
      return words.noLine(obstacle.lines);
    case 'no-tools':
      return words.noTools;
    default:
      return obstacle satisfies never;
  }
}

function standingOf(topic: Topic, { instructions, config, description }: Artifacts, words: Words): string {
  const name = words.topics[topic];
  const llm = objectOf(config?.['llm']);
  switch (topic) {
    case 'TEMPERATURE':
      return words.stands(name, scalar(llm['temperature']));
    case 'REASONING':
      return words.stands(name, scalar(llm['reasoning_level']));
    case 'MODEL':
      return words.stands(name, scalar(llm['model']));
    case 'DESCRIPTION':
      return words.stands(name, description === null ? '–' : words.quoted(description));
    case 'TOOLS':
      return toolsText(objectOf(config?.['tools']), words);
    case 'INSTRUCTIONS': {
      const text = instructions ?? '';
      return words.instructions(
        text === '' ? 0 : text.split('\n').length,
        sectionsOf(text).map(({ title }) => title),
      );
    }
    default:
      return topic satisfies never;
  }
}

/** Categories that nobody set are those of the expert, and not told. */
function toolsText(tools: JsonObject, words: Words): string {
  const set = TOOL_CATEGORIES.filter(({ name, locked }) => !locked && Array.isArray(tools[name]));
  if (set.length === 0) return words.stands(words.topics.TOOLS, null);
  const isOn = ({ name }: (typeof set)[number]): boolean => (tools[name] as readonly unknown[]).length > 0;
  const names = (wanted: boolean): string =>
    set
      .filter((category) => isOn(category) === wanted)
      .map(({ name }) => name)
      .join(', ') || '–';
  return words.tools(names(true), names(false));
}

/** A setting as it is told; null for what nobody set. */
const scalar = (value: Json | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' ? `${value}` : null;

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
