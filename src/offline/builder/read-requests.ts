/** Reads explicit requests from a message in English or Japanese; anything doubtful is not a request. */
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import type { Request } from './request.ts';
import { bare, type Grammar } from './grammar.ts';

/** The requests of a message in order, and the parts that were not understood. */
export type ReadRequests = { readonly requests: readonly Request[]; readonly rest: readonly string[] };

/** Whether a message is in Japanese, and so is the answer. */
export const isJapanese = (text: string): boolean => /[぀-ヿ㐀-鿿]/u.test(text);

/** The rest of a message with more requests is not read. */
const MAX_REQUESTS = 40;

/** Reads a message; words that belong to no request are returned unchanged. */
export function readRequests(message: string): ReadRequests {
  const grammars = isJapanese(message) ? [JAPANESE, ENGLISH] : [ENGLISH];
  const requests: Request[] = [];
  const rest: string[] = [];
  let left = withHalfWidth(message).trim();
  while (left !== '') {
    if (requests.length >= MAX_REQUESTS) return { requests, rest: [...rest, left] };
    const withBody = readBody(left, grammars);
    if (withBody !== null) return { requests: [...requests, ...withBody], rest };
    const end = endOfSentence(left);
    const sentence = left.slice(0, end.at).trim();
    const read = readSentence(sentence, end.isQuestion, grammars);
    requests.push(...read.requests);
    rest.push(...read.rest);
    left = left.slice(end.next).trimStart();
  }
  return { requests, rest };
}

/** Requests of which the last takes all after a colon as its text. */
function readBody(text: string, grammars: readonly Grammar[]): readonly Request[] | null {
  const found = /^([^\n]{3,200}?)\s*(?:[:：]|\b(?:that says|which says|saying|that reads)\b[:：]?)\s*/u.exec(
    masked(text),
  );
  const body = found === null ? '' : text.slice(found[0].length).trim();
  if (found === null || body === '') return null;
  const words = text.slice(0, found[1]?.length ?? 0);
  if (endOfSentence(words).at < words.length) return null;
  const last = readBodyHead(words, body, grammars);
  if (last !== null) return [last];
  for (const { at, next } of separatorsOf(words)) {
    const request = readBodyHead(words.slice(next), body, grammars);
    const before = request && readClauses(words.slice(0, at), grammars);
    if (request && before) return [...before, request];
  }
  return null;
}

function readBodyHead(words: string, body: string, grammars: readonly Grammar[]): Request | null {
  for (const grammar of grammars) {
    const head = withoutFillers(words, grammar);
    for (const { pattern, read } of grammar.bodyRules) {
      const match = pattern.exec(head);
      if (match !== null) return read(match.groups ?? {}, unquotedBody(body));
    }
  }
  return null;
}

/** Quotes around the whole text are not part of it. */
const unquotedBody = (body: string): string =>
  /^["“「『][^"“”「」『』]+["”」』][.。]?$/u.test(body) ? bare(body) : body;

/** Longest sentence that is read; nobody puts a plain request in a longer one. */
const MAX_SENTENCE = 2_000;

function readSentence(sentence: string, isQuestion: boolean, grammars: readonly Grammar[]): ReadRequests {
  const nothing = { requests: [], rest: isFiller(sentence) ? [] : [sentence] };
  if (sentence.length > MAX_SENTENCE) return nothing;
  for (const grammar of grammars) {
    const asked = grammar.asksAbout(withoutFillers(sentence, grammar));
    if (asked.length > 0) return { requests: [{ type: 'ask', about: asked }], rest: [] };
    if (grammar.isWithheld(withoutFillers(masked(sentence), grammar))) return nothing;
  }
  const clauses = readClauses(sentence, grammars);
  if (clauses !== null) return { requests: clauses, rest: [] };
  // No part of any other question may be taken for a request.
  return isQuestion ? nothing : readPieces(sentence, grammars);
}

const SEPARATOR = /\s*[,、，]\s*(?:(?:and then|and|then|plus)\s+)?|\s+(?:and then|and|then|plus)\s+/giu;

const separatorsOf = (text: string): readonly { readonly at: number; readonly next: number }[] =>
  [...masked(text).matchAll(SEPARATOR)].map(({ index, 0: words }) => ({
    at: index,
    next: index + words.length,
  }));

/** How many separators a single request may have in it. */
const MAX_WITHIN = 6;

/** The requests that a sentence consists of; null unless all of it is understood. */
function readClauses(sentence: string, grammars: readonly Grammar[]): readonly Request[] | null {
  const separators = separatorsOf(sentence);
  const known = new Map<number, readonly Request[] | null>();
  // From the end backwards, so that the rest is known when a clause is read.
  const starts = [0, ...separators.map(({ next }) => next)].toReversed();
  for (const start of starts) {
    const following = separators.filter(({ at }) => at > start).slice(0, MAX_WITHIN);
    const found = following.flatMap(({ at, next }) => {
      const tail = known.get(next);
      const head = tail?.length ? readClause(sentence.slice(start, at), grammars) : null;
      return head === null || !tail ? [] : [[head, ...tail]];
    });
    const whole = found.length > 0 ? null : readClause(sentence.slice(start), grammars);
    known.set(start, found[0] ?? (whole && [whole]));
  }
  return known.get(0) ?? null;
}

/** The requests of a sentence that is only partly understood. */
function readPieces(sentence: string, grammars: readonly Grammar[]): ReadRequests {
  const requests: Request[] = [];
  const rest: string[] = [];
  let from = 0;
  const end = { at: sentence.length, next: sentence.length };
  for (const { at, next } of [...separatorsOf(sentence), end]) {
    const piece = sentence.slice(from, at);
    const request = readClause(piece, grammars);
    if (request !== null) requests.push(request);
    else if (!isFiller(piece)) rest.push(piece.trim());
    from = next;
  }
  return requests.length === 0
    ? { requests, rest: isFiller(sentence) ? [] : [sentence] }
    : { requests, rest };
}

function readClause(words: string, grammars: readonly Grammar[]): Request | null {
  for (const grammar of grammars) {
    const clause = withoutFillers(words, grammar);
    for (const { pattern, read } of grammar.rules) {
      const match = pattern.exec(clause);
      const request = match && read(match.groups ?? {});
      if (request) return request;
    }
  }
  return null;
}

const withoutFillers = (text: string, { fillers }: Grammar): string =>
  fillers.reduce((left, filler) => left.replace(filler, '').trim(), text.trim());

/** Words without meaning between requests. */
const isFiller = (words: string): boolean =>
  /^(?:please|and|then|also|could you|can you|thanks?|thank you|ok|okay|hi|hello|そして|また|ありがとう(?:ございます)?|お?願いします|よろしく(?:お願いします)?|ください|[\s,、。.!?！？])*$/iu.test(
    words,
  );

/** Where a sentence ends, and where the next begins; a full stop within a name or a number is no end. */
function endOfSentence(text: string): { at: number; next: number; isQuestion: boolean } {
  const end = /[\n;；。！？]|[.!?](?=\s|$)/u.exec(masked(text));
  if (end === null) return { at: text.length, next: text.length, isQuestion: false };
  return { at: end.index, next: end.index + 1, isQuestion: /[?？]/u.test(end[0]) };
}

const QUOTED = /"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|(?<=^|\s)'[^']+'(?=$|[\s.,:;!?])/gu;

/** The text with quoted parts replaced by `x`, at the same length. */
const masked = (text: string): string => text.replaceAll(QUOTED, (part) => 'x'.repeat(part.length));

/** Letters, digits and signs of full width as the plain ones, outside of quotes. */
function withHalfWidth(text: string): string {
  const shape = masked(text);
  return text.replaceAll(/[０-９Ａ-Ｚａ-ｚ．：＝，－]/gu, (sign, at: number) =>
    shape[at] === sign ? String.fromCharCode(sign.charCodeAt(0) - 0xfee0) : sign,
  );
}
