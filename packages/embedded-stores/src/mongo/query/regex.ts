/** Regular expressions of filters. MongoDB runs PCRE; only what JavaScript and PCRE share in meaning is accepted. */
import { BSONRegExp } from 'bson';
import { MongoError } from '../errors.ts';
import { type Maybe, type Value } from './values.ts';

/** A compiled pattern and its source value: a regex also matches an equal stored regex. */
export type Regex = { readonly regexp: RegExp; readonly source: BSONRegExp };

/** The supported options: case-insensitive, multi-line anchors, dot matches newline. */
const OPTIONS = /^[ims]*$/;

/** Compiles a regex value, or the operands of `$regex` and `$options`. */
export function parseRegex(pattern: Value, options?: Maybe): Regex {
  if (options !== undefined && typeof options !== 'string') {
    throw new MongoError('BadValue', '$options has to be a string');
  }
  const source =
    pattern instanceof BSONRegExp
      ? new BSONRegExp(pattern.pattern, options ?? pattern.options)
      : new BSONRegExp(patternText(pattern), options ?? '');
  if (!OPTIONS.test(source.options)) {
    throw new MongoError(51108, `invalid flag in regex options: ${source.options}; supported are i, m and s`);
  }
  try {
    return { regexp: new RegExp(source.pattern, `u${source.options}`), source };
  } catch (cause) {
    throw new MongoError(51091, `Regular expression is invalid: ${(cause as Error).message}`);
  }
}

function patternText(pattern: Value): string {
  if (typeof pattern !== 'string') throw new MongoError('BadValue', '$regex has to be a string');
  return pattern;
}
