/** Sizes that keep every event under 32 KB of JSON, whatever a model or tool returns. */
import { shorten, splitsPair } from '../text/stored-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../visuals.ts';

/** Longest text of one `TokenEvent` in UTF-16 code units; escaped, each may become six bytes. */
export const MAX_TOKEN_LENGTH = 4_096;
/** Longest thinking of one turn that is kept, in UTF-16 code units. */
export const MAX_THINKING_LENGTH = 200_000;
/** Longest one-line preview of a result. */
export const MAX_PREVIEW_LENGTH = 160;
/** Longest label, description, status or reason. */
export const MAX_LINE_LENGTH = 500;
/** Largest preview of a call's arguments, in bytes of JSON. */
export const MAX_ARGUMENTS_BYTES = 4_096;

/** `text` in pieces of at most {@link MAX_TOKEN_LENGTH}, none of them with half a surrogate pair at its end. */
export function tokenPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + MAX_TOKEN_LENGTH, text.length);
    const cut = splitsPair(text, end) ? end - 1 : end;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  return pieces;
}

/**
 * Arguments of a call as an event shows them: anything but an object, or too large, as the start of its JSON
 * under `preview`.
 */
export function previewArguments(given: unknown): JsonObject {
  const whole = toJson(given);
  const json = JSON.stringify(whole);
  if (isJsonObject(whole) && Buffer.byteLength(json) <= MAX_ARGUMENTS_BYTES) return whole;
  let length = Math.min(json.length, MAX_ARGUMENTS_BYTES);
  for (;;) {
    const preview = { preview: shorten(json, length) };
    if (Buffer.byteLength(JSON.stringify(preview)) <= MAX_ARGUMENTS_BYTES) return preview;
    length = Math.floor(length * 0.7);
  }
}

/** A value after a JSON round trip: no functions, no `undefined`, null for non-finite numbers. */
const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? 'null') as Json;
