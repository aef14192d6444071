/**
 * What can be done with copilot conversations. Every call is made for a viewer and sees only what that viewer owns in the
 * viewer's project: a foreign id answers like an unknown one. Ids are those of the domain, not GraphQL's.
 */
import type { HistorySummary } from '../../domain/conversation/history-summary.ts';
import type { MessageRating, RatingKind } from '../../domain/conversation/message-rating.ts';
import type { SessionEvent } from '../../domain/conversation/session-event.ts';
import type {
  Message,
  Session,
  StoredVisual,
  TokenTotals,
  ToolCall,
  Turn,
  Viewer,
} from '../../domain/conversation/session.ts';
import type { TurnNotice } from '../../domain/conversation/turn-notice.ts';
import type { Page } from '../page-cursor.ts';
import type { SentFile } from '../uploads.ts';

/** What a message meets when its session is busy: refuse, wait in line, or cancel the running turn and go first. */
export const WHEN_BUSY = ['REJECT', 'QUEUE', 'SUPERSEDE'] as const;
/** One of {@link WHEN_BUSY}. */
export type WhenBusy = (typeof WHEN_BUSY)[number];

/** A message as a client sends it, unchecked. Without `sessionId` a session is made, about `chipId`, `qid`, `taskId`. */
export type SendMessageInput = {
  readonly sessionId?: string | null | undefined;
  readonly chipId?: string | null | undefined;
  readonly qid?: string | null | undefined;
  readonly taskId?: string | null | undefined;
  /** 1 to 8,000 characters, not blank. */
  readonly content: string;
  /** Made by the client: the same id with the same content answers with the same turn. */
  readonly clientMessageId: string;
  readonly model?: string | null | undefined;
  readonly whenBusy?: WhenBusy | null | undefined;
  /** Uploaded tables that the conversation may use from now on. */
  readonly uploadIds?: readonly string[] | null | undefined;
  /** PNG, JPEG or WebP: at most 4, of 5 MiB each. */
  readonly images?: readonly SentFile[] | null | undefined;
};

/** Which turn to ask again. `model` null: as before. */
export type RetryTurnInput = {
  readonly turnId: string;
  readonly clientMessageId: string;
  readonly model?: string | null | undefined;
};

/** Which message of the viewer to ask differently. */
export type EditMessageInput = {
  readonly messageId: string;
  /** As that of a new message. */
  readonly content: string;
  readonly clientMessageId: string;
};

/** Which answer to doubt; `note` stands as the user's message. */
export type DisputeMessageInput = {
  readonly messageId: string;
  readonly note?: string | null | undefined;
  readonly clientMessageId: string;
};

/** What the viewer thinks of an answer: 1 to 5, and in at most 8,000 characters each why and what would be right. */
export type RateMessageInput = {
  readonly messageId: string;
  readonly rating: number;
  readonly kind?: RatingKind | null | undefined;
  readonly comment?: string | null | undefined;
  readonly correctedAnswer?: string | null | undefined;
};

/** A new title: 1 to 200 characters, not blank; line breaks become spaces. */
export type RenameSessionInput = { readonly sessionId: string; readonly title: string };

/** A message that was taken. Following the session after `lastSeq` shows the turn from its first event. */
export type SentMessage = {
  readonly session: Session;
  readonly turn: Turn;
  readonly message: Message;
  readonly lastSeq: number;
};

/** A turn to stop; `reason`, cut to 200 characters, then stands in the turn's error. */
export type CancelTurnInput = { readonly turnId: string; readonly reason?: string | null | undefined };

/** Which page; `first` is 1 to 100, `after` a cursor of an earlier page. */
export type PageRequest = { readonly first: number; readonly after?: string | null | undefined };

/** Which conversations: those whose titles have all words of `search`, in any case and order; without words all. */
export type SessionsRequest = PageRequest & { readonly search?: string | null | undefined };

/** Which part of a session: that of the newest branch, or of the newest one through a turn. */
export type BranchRequest = PageRequest & { readonly throughTurnId?: string | null | undefined };

/** What the viewer spent since 00:00 UTC in all projects, and what limits there are. */
export type ViewerUsage = {
  readonly today: TokenTotals;
  readonly limits: {
    readonly userTokensPerDay: number;
    readonly sessionTokens: number;
    readonly messagesPerMinute: number;
    readonly turnsPerUser: number;
  };
};

/** The use cases of copilot chat. */
export type CopilotService = {
  /**
   * @throws InvalidInputError, NotFoundError (session, chip, qubit, task), SessionBusyError, RateLimitedError,
   * BudgetExceededError, ConflictError (the client's id was used for something else).
   */
  sendMessage(viewer: Viewer, input: SendMessageInput): Promise<SentMessage>;
  /**
   * Asks for the end of an open turn and waits briefly for it; a turn that has ended is left as it is.
   * @throws NotFoundError
   */
  cancelTurn(viewer: Viewer, input: CancelTurnInput): Promise<Turn>;
  /**
   * The same question again, as a branch beside the old turn, which stays readable. Idempotent as {@link sendMessage} is.
   * @throws InvalidInputError, NotFoundError, SessionBusyError, RateLimitedError, BudgetExceededError, ConflictError
   */
  retryTurn(viewer: Viewer, input: RetryTurnInput): Promise<SentMessage>;
  /** Another question in the place of a message of the viewer, otherwise as {@link retryTurn}. */
  editMessage(viewer: Viewer, input: EditMessageInput): Promise<SentMessage>;
  /** Has the values of an answer compared with live ones, in a turn behind the newest one; errors as {@link retryTurn}. */
  disputeMessage(viewer: Viewer, input: DisputeMessageInput): Promise<SentMessage>;

  /**
   * Rates an answer, in the place of the viewer's earlier rating of it.
   * @throws InvalidInputError, NotFoundError
   */
  rateMessage(viewer: Viewer, input: RateMessageInput): Promise<Message>;
  /** @throws InvalidInputError, NotFoundError */
  renameSession(viewer: Viewer, input: RenameSessionInput): Promise<Session>;
  /**
   * Deletes a conversation with all that belongs to it: a running turn is cancelled first, those who follow it see the
   * end. Deleting it again changes nothing.
   * @throws NotFoundError
   */
  deleteSession(viewer: Viewer, sessionId: string): Promise<void>;

  /** Newest message first. @throws InvalidInputError for a cursor that is none, and for a search longer than titles. */
  sessions(viewer: Viewer, page: SessionsRequest): Promise<Page<Session>>;
  /** Newest first. @throws NotFoundError, InvalidInputError for a cursor that is none. */
  messages(viewer: Viewer, sessionId: string, page: BranchRequest): Promise<Page<Message>>;
  /** As {@link messages}, with turns that have no answer. */
  turns(viewer: Viewer, sessionId: string, page: BranchRequest): Promise<Page<Turn>>;

  /** Each in the order of `ids`, null for what is unknown; repeated ids are fine. */
  readonly byId: {
    sessions(viewer: Viewer, ids: readonly string[]): Promise<readonly (Session | null)[]>;
    turns(viewer: Viewer, ids: readonly string[]): Promise<readonly (Turn | null)[]>;
    messages(viewer: Viewer, ids: readonly string[]): Promise<readonly (Message | null)[]>;
    toolCalls(viewer: Viewer, ids: readonly string[]): Promise<readonly (ToolCall | null)[]>;
    summaries(viewer: Viewer, ids: readonly string[]): Promise<readonly (HistorySummary | null)[]>;
    charts(
      viewer: Viewer,
      ids: readonly string[],
    ): Promise<readonly (Extract<StoredVisual, { type: 'chart' }> | null)[]>;
    tables(
      viewer: Viewer,
      ids: readonly string[],
    ): Promise<readonly (Extract<StoredVisual, { type: 'table' }> | null)[]>;
  };
  /** The running turn of each session, else the first in its queue, else null. */
  activeTurns(viewer: Viewer, sessionIds: readonly string[]): Promise<readonly (Turn | null)[]>;
  /** The tool calls of each turn, in the order in which they started. */
  toolCallsOfTurns(viewer: Viewer, turnIds: readonly string[]): Promise<readonly (readonly ToolCall[])[]>;
  /** What is to be known of each turn beside its tool calls, in the order in which it happened. */
  noticesOfTurns(viewer: Viewer, turnIds: readonly string[]): Promise<readonly (readonly TurnNotice[])[]>;

  /** Tokens of the turns of each session that have ended. */
  usageOfSessions(viewer: Viewer, sessionIds: readonly string[]): Promise<readonly TokenTotals[]>;
  usageOfViewer(viewer: Viewer): Promise<ViewerUsage>;

  /** The viewer's own ratings, by message. */
  ratingsOfMessages(
    viewer: Viewer,
    messageIds: readonly string[],
  ): Promise<readonly (MessageRating | null)[]>;
  /** For each turn all that were asked in the same place, itself among them, in the order of asking. */
  siblingsOfTurns(viewer: Viewer, turnIds: readonly string[]): Promise<readonly (readonly Turn[])[]>;

  /**
   * The session's events after `afterSeq`, those to come included; ends when `signal` fires, when the consumer returns
   * and when the session is deleted.
   * Access is checked here, once. Events are shared between readers: they must not be changed.
   * @throws NotFoundError, CursorAheadError
   */
  follow(
    viewer: Viewer,
    sessionId: string,
    afterSeq: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<SessionEvent>>;
};
