/**
 * Text that Postgres and every client can hold. NUL and lone surrogates become U+FFFD, one for one, so that offsets
 * counted before and after are the same.
 */
const NUL = /\0/g;

/** Whether `text` ends with the first half of a surrogate pair. */
export const endsInsidePair = (text: string): boolean => isHighSurrogate(text.charCodeAt(text.length - 1));

/** Whether cutting `text` at `offset` would cut a surrogate pair. */
export const splitsPair = (text: string, offset: number): boolean =>
  isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset));

/** `text` as it is stored; of the same length. */
export const toStoredText = (text: string): string => text.replace(NUL, '\uFFFD').toWellFormed();

/** At most `length` UTF-16 code units of `text`, with an ellipsis where something was cut; never half a pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = splitsPair(text, length - 1) ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}

/** JSON text of `value` whose strings are all stored text. */
export function toStoredJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Escapes of NUL and surrogates are rare; a walk over every string of a large chart is not worth it without one.
  return SUSPECT_ESCAPE.test(json) ? JSON.stringify(mapStrings(value, toStoredText)) : json;
}

const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/;

/** `value` with every string in it, keys included, replaced; dates and other objects with `toJSON` as their JSON. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value) return mapStrings(JSON.parse(JSON.stringify(value)), map);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]));
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
