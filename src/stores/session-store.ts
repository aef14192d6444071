/**
 * What an agent run reads and writes of stored conversations: earlier turns and the results that its tools keep.
 * An interface, because agent tests run it in memory. Events are not here: a run only emits activities.
 */
import type { HistorySummary, Message, Session, ToolCall, Turn } from '../domain/conversation/session.ts';
import type { PictureHeader } from '../domain/conversation/picture.ts';
import type { RecordedInput } from '../domain/conversation/step-record.ts';
import type { Freshness } from '../domain/values/freshness.ts';

/** A turn of the branch before the current one. */
export type EarlierTurn = {
  readonly turnId: string;
  readonly question: Message;
  /** Null if the turn ended without an answer. */
  readonly answer: Message | null;
  /** Replaces this turn and all before it in the history; null for most. */
  readonly summary: HistorySummary | null;
  /** Tokens that the provider counted per estimated token of the input; null if it reported none. */
  readonly tokensPerEstimate: number | null;
  /** What its model was sent of it, from the question on; absent where that was not recorded or not read. */
  readonly sent?: readonly RecordedInput[];
};

/** A summary to be stored. */
export type NewSummary = Pick<HistorySummary, 'throughTurnId' | 'messageCount' | 'text' | 'model'>;

/** A kept result without its content. */
export type SessionDataEntry = {
  readonly key: string;
  readonly bytes: number;
  readonly updatedAt: Date;
  /** Freshness of its rows; null if they have none. */
  readonly freshness: Freshness | null;
};

/** A result to be stored. */
export type SessionDataBody = { readonly json: string; readonly freshness: Freshness | null };

/** Results stored by key for the lifetime of a session. Values are JSON text, returned unchanged. */
export type SessionDataStore = {
  /**
   * Replaces an older result of the same key; removes the oldest keys while the session holds more than
   * `maxBytes`.
   */
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

/** Reads of the agent, scoped to the session of its run. */
export type SessionStore = {
  /**
   * The newest `limit` turns that `turn` follows, oldest first. Excludes the turn that it replaces and other
   * branches.
   */
  earlierTurns(turn: Turn, limit: number): Promise<readonly EarlierTurn[]>;
  /** What the models of these turns were sent, each from its question on, by the turn's id. */
  sentInputs(turnIds: readonly string[]): Promise<ReadonlyMap<string, readonly RecordedInput[]>>;
  /** Stores a summary; if one through the same turn exists, that one stays and is returned. */
  addSummary(session: Session, summary: NewSummary): Promise<HistorySummary>;
  /** A message of the session; null for an unknown one. */
  message(sessionId: string, messageId: string): Promise<Message | null>;
  /** The tool calls of one of its turns, in the order in which they started. */
  toolCalls(sessionId: string, turnId: string): Promise<readonly ToolCall[]>;
  /** The pictures of one of its messages, in the order in which they were sent. */
  pictures(sessionId: string, messageId: string): Promise<readonly MessagePicture[]>;
  readonly data: SessionDataStore;
};
