import { jsonIn } from '../../../base/json.ts';

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

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = jsonIn(text);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
}
