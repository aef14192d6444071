/** Reads explicit requests from a message in English or Japanese; anything doubtful is not a request. */
import { spelling } from '../../domain/questions/lexicon.ts';
import { unreadWords } from '../../domain/questions/unread.ts';
import {
  ADVICE,
  BEFORE_TEXT,
  COMMAND_WORDS,
  QUESTION,
  RULES,
  TOPIC_WORDS,
  WITHHELD,
  withoutFillers,
  type Topic,
} from './grammar.ts';
import { bare, requestOf, type Request } from './requests.ts';

/** The requests of a message in order, and the parts that were not understood. */
export type ReadRequests = { readonly requests: readonly Request[]; readonly rest: readonly string[] };

/** The rest of a message with more requests, or more sentences, is not read. */
const MAX_REQUESTS = 40;
const MAX_SENTENCES = 60;

/** Reads a message; words that belong to no request are returned unchanged. */
export function readRequests(message: string): ReadRequests {
  const requests: Request[] = [];
  const rest: string[] = [];
  let left = withHalfWidth(message).trim();
  for (let sentences = 0; left !== ''; sentences += 1) {
    if (requests.length >= MAX_REQUESTS || sentences >= MAX_SENTENCES)
      return { requests, rest: [...rest, left] };
    const withBody = readBody(left);
    if (withBody !== null) return { requests: [...requests, ...withBody], rest };
    const end = endOfSentence(left);
    const read = readSentence(left.slice(0, end.at).trim(), end.isQuestion);
    requests.push(...read.requests);
    rest.push(...read.rest);
    left = left.slice(end.next).trimStart();
  }
  return { requests, rest };
}

/** Requests of which the last takes all after a colon as its text. */
function readBody(text: string): readonly Request[] | null {
  const found = BEFORE_TEXT.exec(masked(text));
  const body = found === null ? '' : text.slice(found[0].length).trim();
  if (found === null || body === '') return null;
  const words = text.slice(0, found[1]?.length ?? 0);
  if (endOfSentence(words).at < words.length) return null;
  const last = readClause(words, body);
  if (last !== null) return [last];
  for (const { at, next } of separatorsOf(words)) {
    const request = readClause(words.slice(next), body);
    const before = request && readClauses(words.slice(0, at));
    if (request && before) return [...before, request];
  }
  return null;
}

/** Quotes around the whole text are not part of it. */
const unquotedBody = (body: string): string =>
  /^["“「『][^"“”「」『』]+["”」』][.。]?$/u.test(body) ? bare(body) : body;

/** Longest sentence that is read; nobody puts a plain request in a longer one. */
const MAX_SENTENCE = 800;

function readSentence(written: string, isQuestion: boolean): ReadRequests {
  if (written.length > MAX_SENTENCE) return { requests: [], rest: [written] };
  const nothing = { requests: [], rest: withoutFillers(written) === '' ? [] : [written] };
  const about = topicsOf(withoutFillers(written), isQuestion);
  if (about.length > 0) return { requests: [{ type: 'ask', about }], rest: [] };
  if (WITHHELD.test(withoutFillers(masked(written)))) return nothing;
  const clauses = readClauses(written) ?? readClauses(respelt(written));
  if (clauses !== null) return { requests: clauses, rest: [] };
  // No part of any other question may be taken for a request.
  return isQuestion ? nothing : readPieces(written);
}

/** Longest question about the settings. */
const MAX_QUESTION = 100;

/** What a question about current settings is about; empty for any other sentence, and where a word of it is left. */
function topicsOf(sentence: string, isQuestion: boolean): readonly Topic[] {
  const asks = QUESTION.test(sentence) || (isQuestion && /[^\p{ASCII}]/u.test(sentence));
  if (!asks || ADVICE.test(sentence) || sentence.length > MAX_QUESTION) return [];
  const topics = TOPIC_WORDS.flatMap(([about, words]) => (sentence.search(words) < 0 ? [] : about));
  const left = TOPIC_WORDS.reduce((text, [, words]) => text.replaceAll(words, ' '), sentence);
  return unreadWords(left).length > 0 ? [] : [...new Set(topics)];
}

/** With slips of the pen in words of commands mended outside of quotes: `set temprature to 0.3`. */
const respelt = (sentence: string): string =>
  spelling(masked(sentence), COMMAND_WORDS)
    .corrections.filter(({ read }) => COMMAND_WORDS.includes(read))
    .reduce((text, { written, read }) => text.replace(written, read), sentence);

const SEPARATOR =
  /(?<!\s)\s*[,、，]\s*(?:(?:and then|and|then|plus)\s+)?|(?<!\s)\s+(?:and then|and|then|plus)\s+/giu;

const separatorsOf = (text: string): readonly { readonly at: number; readonly next: number }[] =>
  [...masked(text).matchAll(SEPARATOR)].map(({ index, 0: words }) => ({
    at: index,
    next: index + words.length,
  }));

/** How many separators a sentence may have whose requests are all understood. */
const MAX_SEPARATORS = 100;
/** How many separators a single request may have in it. */
const MAX_WITHIN = 6;

/** The requests that a sentence consists of; null unless all of it is understood. */
function readClauses(sentence: string): readonly Request[] | null {
  const separators = separatorsOf(sentence);
  if (separators.length > MAX_SEPARATORS) return null;
  const known = new Map<number, readonly Request[] | null>();
  // From the end backwards, so that the rest is known when a clause is read.
  const starts = [0, ...separators.map(({ next }) => next)].toReversed();
  for (const start of starts) {
    const following = separators.filter(({ at }) => at > start).slice(0, MAX_WITHIN);
    const found = following.flatMap(({ at, next }) => {
      const tail = known.get(next);
      const head = tail?.length ? readClause(sentence.slice(start, at)) : null;
      return head === null || !tail ? [] : [[head, ...tail]];
    });
    const whole = found.length > 0 ? null : readClause(sentence.slice(start));
    known.set(start, found[0] ?? (whole && [whole]));
  }
  return known.get(0) ?? null;
}

/** The requests of a sentence that is only partly understood. */
function readPieces(sentence: string): ReadRequests {
  const starts = [0, ...separatorsOf(sentence).map(({ next }) => next)];
  const ends = [...separatorsOf(sentence).map(({ at }) => at), sentence.length];
  const pieces = starts.map((start, at) => sentence.slice(start, ends[at]));
  const read = pieces.map((piece) => ({ piece, request: readClause(piece) }));
  const requests = read.flatMap(({ request }) => request ?? []);
  const isRest = (piece: string): boolean => withoutFillers(piece) !== '';
  if (requests.length === 0) return { requests, rest: [sentence].filter(isRest) };
  return {
    requests,
    rest: read.flatMap(({ piece, request }) => (request === null && isRest(piece) ? [piece.trim()] : [])),
  };
}

/** The request of a clause; with a `body`, of one that is followed by it. */
function readClause(words: string, body?: string): Request | null {
  const clause = withoutFillers(words);
  const more = body === undefined ? {} : { body: unquotedBody(body) };
  for (const { type, forms, withBody } of RULES) {
    for (const form of body === undefined ? forms : withBody) {
      const match = form.exec(clause);
      const request = match && requestOf(type, { ...match.groups, ...more });
      if (request) return request;
    }
  }
  return null;
}

/** Where a sentence ends, and where the next begins; a full stop within a name or a number is no end. */
function endOfSentence(text: string): { at: number; next: number; isQuestion: boolean } {
  const end = /[\n;；。！？]|[.!?](?=\s|$)/u.exec(masked(text));
  if (end === null) return { at: text.length, next: text.length, isQuestion: false };
  return { at: end.index, next: end.index + 1, isQuestion: /[?？]/u.test(end[0]) };
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '「': '」',
  '『': '』',
  '`': '`',
  "'": "'",
};

/** The text with quoted parts replaced by `x`, at the same length. A sign that nothing closes is sought only once. */
function masked(text: string): string {
  const unclosed = new Set<string>();
  let shape = '';
  for (const { index: at, 0: sign } of text.matchAll(/["“「『`']/gu)) {
    if (at < shape.length || unclosed.has(sign)) continue;
    const end = text.indexOf(CLOSING[sign] ?? sign, at + 1);
    if (end < 0) unclosed.add(sign);
    else if (sign !== "'" || isApart(text, at, end)) {
      shape += text.slice(shape.length, at) + 'x'.repeat(end + 1 - at);
    }
  }
  return shape + text.slice(shape.length);
}

/** An apostrophe within a word is no quotation mark. */
const isApart = (text: string, at: number, end: number): boolean =>
  end > at + 1 && /^\s?$/u.test(text.charAt(at - 1)) && /^[\s.,:;!?]?$/u.test(text.charAt(end + 1));

/** Letters, digits and signs of full width as the plain ones, outside of quotes. */
function withHalfWidth(text: string): string {
  const shape = masked(text);
  return text.replaceAll(/[０-９Ａ-Ｚａ-ｚ．：＝，－]/gu, (sign, at: number) =>
    shape[at] === sign ? String.fromCharCode(sign.charCodeAt(0) - 0xfee0) : sign,
  );
}
