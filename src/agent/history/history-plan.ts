/**
 * Decides which turns of a branch are sent to the model and which are summarised. Each is one or the other, and the newest
 * question is always sent. Answers are sent as text, without charts. While there is room, a turn is sent as its own model
 * read it, with its rounds of calls, so that the provider's cache holds it already; room is made in large steps, for each
 * one costs the cache. Pure.
 */
import type { HistorySummary } from '../../domain/conversation/session.ts';
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import type { ModelInput } from '../model.ts';

/** Room for history in a request. */
export type HistoryRoom = {
  /** Tokens for the summary and the turns that are sent. */
  readonly tokens: number;
  /** Tokens for the contexts and rounds of the turns that are sent; absent: none. */
  readonly roundTokens?: number;
  /** Most turns that are sent, so that a conversation of very short ones stays bounded. */
  readonly turns: number;
  /** Ratio of the provider's token count to our estimate. */
  readonly tokensPerEstimate: number;
};

/** The parts of a branch, oldest first. */
export type HistoryPlan = {
  /** Replaces everything before `fold` and `send`. */
  readonly summary: HistorySummary | null;
  /** To be summarised together with `summary`, before the model is asked. */
  readonly fold: readonly EarlierTurn[];
  readonly send: readonly EarlierTurn[];
};

/** Replaces an answer that never came, so that questions and answers alternate. */
const NO_ANSWER = '(This question was not answered.)';
/** Overhead of a message in a provider's format. */
const TOKENS_A_MESSAGE = 4;
/** After summarising, half of the room stays free, so that not every turn summarises. */
const KEPT_SHARE = 1 / 2;
const SUMMARY_SHARE = 1 / 4;

/** Tokens that a summary may have. */
export const summaryTokens = ({ tokens }: Pick<HistoryRoom, 'tokens'>): number =>
  Math.floor(tokens * SUMMARY_SHARE);

/** Sends everything while it fits; else the newest turns that fill half of the room, and summarises the others. */
export function planHistory(earlier: readonly EarlierTurn[], room: HistoryRoom): HistoryPlan {
  const { summary, open } = sinceSummary(earlier);
  const used = tokensOf(summary?.text ?? '', room) + sum(open.map((turn) => turnTokens(turn, room)));
  if (used <= room.tokens && open.length <= room.turns) return { summary, fold: [], send: open };
  const send = newestWithin(open, room, {
    tokens: Math.floor(room.tokens * KEPT_SHARE),
    turns: Math.floor(room.turns * KEPT_SHARE),
  });
  return { summary, fold: open.slice(0, open.length - send.length), send };
}

/** The plan without a new summary: the existing one and the newest turns. */
export function truncateHistory(earlier: readonly EarlierTurn[], room: HistoryRoom): HistoryPlan {
  const { summary, open } = sinceSummary(earlier);
  return truncatePlan({ summary, fold: [], send: open }, room);
}

/** Fits a plan to another room, newest turns first, without summarising more. */
export function truncatePlan({ summary, send }: HistoryPlan, room: HistoryRoom): HistoryPlan {
  const text = summary === null ? '' : fitSummary(summary.text, room);
  const tokens = room.tokens - tokensOf(text, room);
  return { summary, fold: [], send: newestWithin(send, room, { tokens, turns: room.turns }) };
}

/** The text of a summary within its share of the room. */
export function fitSummary(text: string, room: HistoryRoom): string {
  const limit = summaryTokens(room);
  let fitted = text;
  while (tokensOf(fitted, room) > limit) {
    const share = limit / tokensOf(fitted, room);
    fitted = shorten(fitted, Math.min(fitted.length - 1, Math.floor(fitted.length * share)));
    if (fitted.length <= 1) return '';
  }
  return fitted;
}

/**
 * The turns and the question as model input. An earlier turn is as its model read it, thoughts included: DeepSeek refuses
 * the calls of earlier turns without them, Gemini, OpenAI, Anthropic, xAI and Kimi take them back and drop what they do not
 * need (their guides on thinking), and all of them find in their caches what comes back unchanged.
 */
export const historyInput = (
  send: readonly EarlierTurn[],
  question: string,
  room: HistoryRoom | null = null,
): readonly ModelInput[] => {
  const firstWhole = room === null ? send.length : firstWholeTurn(send, room);
  return [
    ...send.flatMap((turn, at): ModelInput[] => [
      ...(at >= firstWhole && turn.sent ? turn.sent : [bareQuestion(turn)]),
      { type: 'assistant', text: answerText(turn) },
    ]),
    { type: 'user', text: question },
  ];
};

const bareQuestion = (turn: EarlierTurn): ModelInput => ({ type: 'user', text: turn.question.text });

/**
 * The first turn that is sent with its rounds. Where those of all turns are too many, only the newest that take up half of
 * the room are: so the choice stays the same for some turns.
 */
function firstWholeTurn(turns: readonly EarlierTurn[], room: HistoryRoom): number {
  const { roundTokens = 0 } = room;
  const sizes = turns.map(({ sent }) => (sent === undefined ? 0 : tokensOf(JSON.stringify(sent), room)));
  let first = 0;
  let tokens = 0;
  for (const [at, size] of sizes.entries()) {
    tokens += size;
    const limit = tokens > roundTokens ? roundTokens * KEPT_SHARE : Infinity;
    for (; first <= at && tokens > limit; first += 1) tokens -= sizes[first] ?? 0;
  }
  return first;
}

export const answerText = ({ answer }: EarlierTurn): string =>
  answer === null || answer.text === '' ? NO_ANSWER : answer.text;

/** Tokens of a text as the provider would count them. */
export const tokensOf = (text: string, { tokensPerEstimate }: Pick<HistoryRoom, 'tokensPerEstimate'>) =>
  Math.ceil(estimateTokens(text) * tokensPerEstimate);

function sinceSummary(earlier: readonly EarlierTurn[]) {
  const at = earlier.findLastIndex((turn) => turn.summary !== null);
  return { summary: earlier[at]?.summary ?? null, open: earlier.slice(at + 1) };
}

function newestWithin(
  turns: readonly EarlierTurn[],
  room: HistoryRoom,
  limit: { readonly tokens: number; readonly turns: number },
): readonly EarlierTurn[] {
  let left = limit.tokens;
  const first = turns.findLastIndex((turn, index) => {
    left -= turnTokens(turn, room);
    return left < 0 || turns.length - index > limit.turns;
  });
  return turns.slice(first + 1);
}

const turnTokens = (turn: EarlierTurn, room: HistoryRoom): number =>
  tokensOf(turn.question.text, room) + tokensOf(answerText(turn), room) + 2 * TOKENS_A_MESSAGE;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
