/** What a call of a lab's server brought, as JSON of bounded size. Everything in it was written by others. Pure. */
import { LabServerError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import { isWithinDepth } from '../../base/json-depth.ts';
import { mapStrings, toStoredText } from '../../domain/text/stored-text.ts';
import type { Json } from '../../domain/visuals.ts';
import { inOneLine } from './bounded-schema.ts';

/** A part of a result, as the protocol has it. */
export type ContentPart = {
  readonly type: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: unknown;
};

/** A result, as the protocol has it. */
export type CallAnswer = {
  readonly content?: readonly ContentPart[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

/** A result as it is kept. */
export type LabResult = {
  /** JSON of the server: its structured content, else the JSON that its text is, else `{text}`. */
  readonly value: Json;
  /** What is not in it, such as pictures. */
  readonly leftOut: readonly string[];
};

/** Largest result that is kept, as JSON text. */
const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 40;
const MAX_LEFT_OUT = 10;
const MAX_ERROR = 500;

/**
 * The result in an answer; `clean` takes secrets out of it.
 * @throws LabServerError for a failure that the server reports, and for a result that is too large.
 */
export function labResultOf(
  server: string,
  given: CallAnswer,
  clean: (answer: CallAnswer) => CallAnswer = (answer) => answer,
): LabResult {
  // First: what walks it below would overflow its stack.
  if (!isWithinDepth(given, MAX_DEPTH)) throw tooDeep(server);
  const answer = clean(given);
  const parts = answer.content ?? [];
  const text = parts.flatMap((part) => textOf(part) ?? []).join('\n');
  if (answer.isError === true) {
    const words = inOneLine(text, MAX_ERROR);
    throw new LabServerError(
      'MCP_TOOL_ERROR',
      `${server} reports a failure: ${words === '' ? 'without words' : words}`,
    );
  }
  const value = answer.structuredContent ?? objectIn(text) ?? { text };
  if (!isWithinDepth(value, MAX_DEPTH)) throw tooDeep(server);
  if (JSON.stringify(value).length > MAX_CHARACTERS) {
    const message = `the result of ${server} has more than ${MAX_CHARACTERS.toLocaleString('en')} characters; ask for less`;
    throw new LabServerError('MCP_TOO_LARGE', message);
  }
  const others = parts.flatMap((part) => (textOf(part) === null ? [nameOf(part)] : []));
  return {
    value: mapStrings(value, toStoredText) as Json,
    leftOut: others.length > MAX_LEFT_OUT ? [...others.slice(0, MAX_LEFT_OUT), 'more'] : others,
  };
}

const tooDeep = (server: string): LabServerError =>
  new LabServerError('MCP_TOO_LARGE', `the result of ${server} is nested more than ${MAX_DEPTH} deep`);

function textOf({ type, text, resource }: ContentPart): string | null {
  if (type === 'text') return typeof text === 'string' ? text : null;
  const embedded = type === 'resource' && typeof resource === 'object' && resource !== null ? resource : {};
  return 'text' in embedded && typeof embedded.text === 'string' ? embedded.text : null;
}

/** The list or object that a text is. */
function objectIn(text: string): object | null {
  const value = /^\s*[[{]/u.test(text) ? jsonIn(text) : null;
  return typeof value === 'object' ? value : null;
}

function nameOf({ type, data, mimeType, uri }: ContentPart): string {
  const kind = inOneLine(typeof mimeType === 'string' ? mimeType : '', 60);
  const bytes = typeof data === 'string' ? `, ${Math.ceil((data.length * 3) / 4 / 1000)} kB` : '';
  const where = typeof uri === 'string' ? ` ${inOneLine(uri, 200)}` : '';
  return `${inOneLine(type, 20)}${kind === '' ? '' : ` (${kind}${bytes})`}${where}`;
}
