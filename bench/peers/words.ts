/** Tokens that say when they were sent: microseconds of the machine's clock in six letters, and a space. */
import { nowMs } from '../cpu.ts';

const LETTERS = 6;
/** Time after which the letters begin anew: 309 s. */
const SPAN_US = 26 ** LETTERS;

/** Length of a token in UTF-16 code units. */
export const TOKEN_LENGTH = LETTERS + 1;

/** The token of this moment. */
export function tokenOfNow(): string {
  let rest = Math.floor(nowMs() * 1000) % SPAN_US;
  let letters = '';
  for (let place = 0; place < LETTERS; place += 1) {
    letters = String.fromCodePoint(97 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return `${letters} `;
}

/** Milliseconds since the token at `start` of `text` was sent. */
export function ageOf(text: string, start: number, atMs = nowMs()): number {
  let sentUs = 0;
  for (let place = start; place < start + LETTERS; place += 1) {
    sentUs = sentUs * 26 + (text.codePointAt(place) ?? 97) - 97;
  }
  return ((((Math.floor(atMs * 1000) - sentUs) % SPAN_US) + SPAN_US) % SPAN_US) / 1000;
}

/** What a model is asked for; found by its words anywhere in the last message of the user. */
export type Order = {
  /** Of this answer alone. */
  readonly id: string;
  readonly tokens: number;
  /** 0 for as fast as they are read. */
  readonly intervalMs: number;
  /** Tool calls before the answer, one a round. */
  readonly calls: number;
};

export const promptOf = ({ id, tokens, intervalMs, calls }: Order): string =>
  `bench ${id} tokens ${tokens} interval ${intervalMs} calls ${calls}`;

/** The order in a text; null where there is none. */
export function orderIn(text: string): Order | null {
  const found = [...text.matchAll(/bench (\w+) tokens (\d+) interval (\d+) calls (\d+)/gu)].at(-1);
  if (found === undefined) return null;
  const [, id = '', tokens, intervalMs, calls] = found;
  return { id, tokens: Number(tokens), intervalMs: Number(intervalMs), calls: Number(calls) };
}
