import { jsonIn } from '../../../base/json.ts';
import { mapStrings, toStoredText } from '../../../domain/text/stored-text.ts';

/** Longest arguments that are read, and that go back to a model. */
export const MAX_ARGUMENT_CHARACTERS = 100_000;
/** Deepest arguments. Google's parser ends at 100 levels, and deeper ones overflow the stack of code that walks them. */
export const MAX_ARGUMENT_DEPTH = 90;

/**
 * The arguments of a call; empty where the model's text is not an object: the output of that call holds the
 * error.
 */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  return parseObject(text) ?? {};
}

/** Whether the text is a whole JSON object, so that nothing more can come. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseObject(text) !== null;
}

/** NUL and halves of surrogate pairs, as they are and as JSON writes them: every provider refuses them. */
const SUSPECT = /[\0\ud800-\udfff]|\\u(?:0000|d[89a-f])/iu;

/**
 * The text of arguments as it goes back. An empty object stands for what no provider takes: no object, or too long or too
 * deep, which its output told the model.
 */
export function sentArguments(text: string): string {
  if (text.length > MAX_ARGUMENT_CHARACTERS || nesting(text) > MAX_ARGUMENT_DEPTH) return '{}';
  const parsed = parseObject(text);
  if (parsed === null) return '{}';
  return SUSPECT.test(text) ? JSON.stringify(mapStrings(parsed, toStoredText)) : text;
}

/** Deepest nesting. Brackets inside strings count too; no real text has enough of them to matter. */
export function nesting(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = jsonIn(text);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
}
