/**
 * What an agent run needs of stored conversations: what was said before and the results its tools put aside. A port, so
 * that the agent can be built and tested without a database. Events are not here: a run only emits activities.
 */
import type { HistorySummary, Message, Session, ToolCall, Turn } from '../domain/conversation/session.ts';
import type { PictureHeader } from '../domain/conversation/picture.ts';
import type { Freshness } from '../domain/values/freshness.ts';

/** A turn of the branch before the one that is answered. */
export type EarlierTurn = {
  readonly turnId: string;
  readonly question: Message;
  /** Null where the turn ended without a word. */
  readonly answer: Message | null;
  /** Stands for this turn and all before it; null for most. */
  readonly summary: HistorySummary | null;
  /** Tokens that its provider counted for each one that was guessed of what it was sent; null where it did not. */
  readonly tokensPerEstimate: number | null;
};

/** A summary to be kept. */
export type NewSummary = Pick<HistorySummary, 'throughTurnId' | 'messageCount' | 'text' | 'model'>;

/** What is known of a kept result without reading it. */
export type SessionDataEntry = {
  readonly key: string;
  readonly bytes: number;
  readonly updatedAt: Date;
  /** Of its rows; null where they have no age. */
  readonly freshness: Freshness | null;
};

/** A result to be kept. */
export type SessionDataBody = { readonly json: string; readonly freshness: Freshness | null };

/** Results kept by key for the life of a session. Values are JSON text and come back as they were put. */
export type SessionDataStore = {
  /** Replaces an older result of the same key; the longest unchanged keys go while the session holds over `maxBytes`. */
  put(sessionId: string, key: string, body: SessionDataBody, maxBytes: number): Promise<void>;
  /** Null if there is none. */
  get(sessionId: string, key: string): Promise<string | null>;
  /** Oldest first. */
  list(sessionId: string): Promise<readonly SessionDataEntry[]>;
  /** Every kept result with its text, oldest first. */
  all(sessionId: string): Promise<readonly { readonly key: string; readonly json: string }[]>;
};

/** A picture that a user sent; `data` is base64. */
export type MessagePicture = PictureHeader & { readonly data: string };

/** Reads of the agent, scoped by the session that its run was given. */
export type SessionStore = {
  /**
   * The turns that `turn` follows, oldest first, at most `limit` of the newest. What it was asked in the place of, and
   * what was branched off elsewhere, is not among them.
   */
  earlierTurns(turn: Turn, limit: number): Promise<readonly EarlierTurn[]>;
  /** Keeps a summary; where one through the same turn stands already, that one is kept and returned. */
  addSummary(session: Session, summary: NewSummary): Promise<HistorySummary>;
  /** A message of the session; null for an unknown one. */
  message(sessionId: string, messageId: string): Promise<Message | null>;
  /** The tool calls of one of its turns, in the order in which they started. */
  toolCalls(sessionId: string, turnId: string): Promise<readonly ToolCall[]>;
  /** The pictures of one of its messages, in the order in which they were sent. */
  pictures(sessionId: string, messageId: string): Promise<readonly MessagePicture[]>;
  readonly data: SessionDataStore;
};
