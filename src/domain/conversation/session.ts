/**
 * Sessions, turns, messages and what a turn leaves behind. Types only; `stores/` and `events/` store and deliver
 * them.
 */
import type { ToolApproval } from './tool-approval.ts';
import type { Role } from '../members/role.ts';
import type { Visibility } from '../members/sharing.ts';
import type { DataSource, Freshness } from '../values/freshness.ts';
import type { JsonObject, Visual } from '../visuals.ts';

/** What a thread is for. All kinds share one event log, one turn life cycle and one agent loop. */
export const SESSION_KINDS = ['COPILOT', 'BUILDER', 'JOB'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/**
 * Life of a turn. `QUEUED` and `RUNNING` are open; the rest are final and never change again. `JOINED`: its message
 * became part of the turn that ran before it, which answers both.
 */
export const TURN_STATUSES = [
  'QUEUED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'INTERRUPTED',
  'JOINED',
] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];
/** The statuses a turn can end with. */
export type FinalTurnStatus = Exclude<TurnStatus, 'QUEUED' | 'RUNNING'>;

/** Who asks, and within which project. Every read and write is scoped by it. */
export type Viewer = {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  /** What they may do in the project. */
  readonly role: Role;
  /** Whether they administer the installation: what concerns all projects. */
  readonly isOperator: boolean;
};

/**
 * Whom a turn acts for where no request is at hand: only the id is known, not the name. It was let in when it was sent, which for
 * builder and jobs only editors are.
 */
export const backgroundViewer = (id: string, projectId: string, kind: SessionKind): Viewer => ({
  id,
  name: id,
  projectId,
  role: kind === 'COPILOT' ? 'viewer' : 'editor',
  isOperator: false,
});

/** A thread: its owner, its project, what it is about, and the length of its log. */
export type Session = {
  readonly id: string;
  readonly kind: SessionKind;
  readonly projectId: string;
  readonly viewerId: string;
  readonly title: string;
  readonly chipId: string | null;
  readonly qid: string | null;
  readonly taskId: string | null;
  /** `seq` of the newest event, 0 for an empty log. */
  readonly lastSeq: number;
  readonly visibility: Visibility;
  /** Of the link that opens it; null unless it is shared by link. */
  readonly shareKey: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Tokens of model calls. `costUsd` is null where the price of one of the models is not configured. */
export type TokenTotals = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly totalTokens: number;
  /**
   * What counts against budgets: input from a provider's cache at its share of the price, all else whole. Absent: the total.
   */
  readonly chargedTokens?: number | undefined;
  readonly costUsd: number | null;
};

/** Tokens of a turn, summed over its model calls. */
export type Usage = TokenTotals & {
  readonly model: string;
  /** Set where the provider did not count one of the calls, so part of the total is our estimate. */
  readonly estimated?: true;
};

/** Why a turn or a tool call did not succeed, in words for the user: no stack trace, no address, no secret. */
export type TurnError = { readonly code: string; readonly message: string; readonly retryable: boolean };

/** How hard a model is asked to think about a question. */
export const EFFORTS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Effort = (typeof EFFORTS)[number];

/** What a turn reads beside its conversation, if there is any: uploaded tables, pictures of its question, kept results. */
export type TurnExtra = 'TABLES' | 'PICTURES' | 'KEPT_DATA';

/**
 * One user message and the agent run that answers it. The turns of a session form a tree; a branch is a conversation.
 */
export type Turn = {
  readonly id: string;
  readonly sessionId: string;
  /** The turn that it follows; null where a conversation begins. */
  readonly parentId: string | null;
  /** `seq` of the event just before its first one. */
  readonly beforeSeq: number;
  /** The turn that it replaces, by an edit or a retry; both have the same parent. */
  readonly replacesId: string | null;
  /** The message whose values it is to verify, where the user disputed one. */
  readonly disputedId: string | null;
  /** The turn that its message is to join at that one's next round, or has joined; null for most. */
  readonly joinsId: string | null;
  readonly status: TurnStatus;
  readonly questionId: string;
  readonly answerId: string | null;
  /** The model asked for, null for the default; the one that answered is in `usage` and in the message. */
  readonly model: string | null;
  /** How hard the model was asked to think; null leaves it to the model. */
  readonly effort: Effort | null;
  /** JSON schema of its answer, which a program reads; null for an answer in words. */
  readonly answerSchema: JsonObject | null;
  readonly rounds: number;
  readonly usage: Usage | null;
  readonly error: TurnError | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** Author of a message. */
export const MESSAGE_ROLES = ['USER', 'ASSISTANT'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/**
 * A piece of a message in reading order; charts and tables are placed where their tool was used, messages of the user
 * where they joined the answer.
 */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'chart'; readonly chartId: string }
  | { readonly type: 'table'; readonly tableId: string }
  | { readonly type: 'message'; readonly messageId: string };

/** A stored message. Immutable: `text` is what was streamed, without charts. */
export type Message = {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string | null;
  readonly role: MessageRole;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Freshness of the rows that the answer used, one entry a data source; empty for user messages. */
  readonly freshness: readonly Freshness[];
  readonly model: string | null;
  /** The model's own judgement; null where it gave none, and for user messages. */
  readonly assessment: Assessment | null;
  /** Tables of the model that were left out of the text because the message shows the results itself. */
  readonly strippedTables: number;
  /** Whether the text of an answer holds a table, which then is the model's own. */
  readonly unverifiedTable: boolean;
  readonly createdAt: Date;
};

/** How a tool call ended; `RUNNING` until then. */
export const TOOL_CALL_STATUSES = ['RUNNING', 'OK', 'ERROR', 'TIMEOUT', 'SKIPPED', 'CANCELLED'] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

/** The whole record of a tool call, kept apart from the log, which holds previews only. */
export type ToolCall = {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  readonly label: string;
  readonly description: string;
  readonly arguments: unknown;
  readonly status: ToolCallStatus;
  readonly durationMs: number | null;
  readonly dataSource: DataSource | null;
  readonly preview: string | null;
  readonly freshness: Freshness | null;
  /** What the tool returned as JSON text; null while running and for calls without a result. */
  readonly resultJson: string | null;
  readonly error: TurnError | null;
  /** Of calls that a person has to approve. */
  readonly approval?: ToolApproval | null;
};

/** A chart or table that a turn made, stored once and referenced by id. */
export type StoredVisual = Visual & {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string | null;
};

/** The overall judgement of an answer about a chip, a qubit or a result, best first. */
export const ASSESSMENTS = ['GOOD', 'WARNING', 'BAD'] as const;
export type Assessment = (typeof ASSESSMENTS)[number];

/** The last line of a Markdown answer, with its assessment. */
export const assessmentLine = (assessment: Assessment): string => `[assessment: ${assessment.toLowerCase()}]`;

/** Parses a model's word, in any case; null for any other word. */
export const readAssessment = (word: string): Assessment | null =>
  ASSESSMENTS.find((assessment) => assessment === word.trim().toUpperCase()) ?? null;

/** What was right or wrong about an answer. */
export const RATING_KINDS = [
  'CORRECT',
  'WRONG_NUMBERS',
  'OUTDATED',
  'INCOMPLETE',
  'UNCLEAR',
  'OTHER',
] as const;
export type RatingKind = (typeof RATING_KINDS)[number];

/**
 * What a user thinks of an answer. It is for people who improve QPilot: no model is ever shown it, neither as an
 * example nor as history.
 */
export type MessageRating = {
  /** 1 (bad) to 5 (good). */
  readonly rating: number;
  readonly kind: RatingKind | null;
  readonly comment: string | null;
  readonly correctedAnswer: string | null;
  readonly ratedAt: Date;
};

/**
 * Replaces the oldest messages of a conversation in requests to a model: everything up to and including one turn.
 * A branch that leaves before that turn does not share it.
 */
export type HistorySummary = {
  readonly id: string;
  readonly sessionId: string;
  /** The newest turn that it covers. */
  readonly throughTurnId: string;
  /** Messages that it covers, including those of the summary that it builds on. */
  readonly messageCount: number;
  readonly text: string;
  /** The model that wrote it. */
  readonly model: string;
  readonly createdAt: Date;
};
