/**
 * The closed set of events of a session's log. Everything a client can see of a turn while it runs is one of these.
 * Payloads are small (under 32 KB as JSON): big things are stored once and named by id.
 */
import type { ArtifactKind, ArtifactOutcome } from '../artifacts/artifacts.ts';
import type { LiveFallbackReason } from '../live/live-reading.ts';
import type { DataSource, FreshnessJson } from '../values/freshness.ts';
import type { JsonObject } from '../visuals.ts';
import type { ToolApproval } from './tool-approval.ts';
import type { FinalTurnStatus, ToolCallStatus, TurnError, Usage } from './session.ts';

/** What the turn is doing. */
export const TURN_PHASES = [
  'QUEUED',
  'THINKING',
  'CALLING_TOOLS',
  'ANSWERING',
  'VERIFYING',
  'SUMMARIZING',
  'WAITING',
] as const;
export type TurnPhase = (typeof TURN_PHASES)[number];

/** What a model shows of its thinking: its own words, or a summary that its provider made. */
export const THINKING_KINDS = ['THOUGHT', 'SUMMARY'] as const;
export type ThinkingKind = (typeof THINKING_KINDS)[number];

/** Why live values were asked for. */
export type LiveCause = 'STALE' | 'NOT_STORED' | 'USER_REQUESTED' | 'DISPUTED';
/** Why values of one source are shown next to or instead of those of another. */
export type FallbackReason = LiveCause | LiveFallbackReason;

/** Payload of each event type, by the name of its GraphQL type. */
export type SessionEventPayloads = {
  TurnStartedEvent: { readonly messageId: string };
  /** Another message of the user is part of the turn from here on. */
  MessageJoinedEvent: { readonly messageId: string };
  StatusEvent: {
    readonly phase: TurnPhase;
    readonly text: string;
    /** The summary that was made; absent for most. */
    readonly summaryId?: string;
  };
  /** `offset` counts UTF-16 code units of the answer before this text. */
  TokenEvent: { readonly text: string; readonly offset: number };
  /** Never part of the answer. */
  ThinkingEvent: {
    /** Counts the thoughts of the turn, from 1: a thought lasts until the model says or does something. */
    readonly thought: number;
    readonly kind: ThinkingKind;
    readonly text: string;
    /** UTF-16 code units of the thought before this text. */
    readonly offset: number;
    /** How long the thought took, on its last event; null on the others. */
    readonly durationMs: number | null;
  };
  ToolCallStartedEvent: {
    readonly callId: string;
    readonly tool: string;
    readonly label: string;
    readonly description: string;
    /** Redacted, at most 4 KB as JSON; the tool call has all of it. */
    readonly arguments: JsonObject;
    /** From 1; 0 for calls of the server's own, before the model was asked. */
    readonly round: number;
  };
  /** A call waits for a person's approval, or does no more. */
  ToolApprovalEvent: ToolApproval & {
    readonly callId: string;
    /** Id of the record of the call. */
    readonly toolCallId: string;
    /** All of them. */
    readonly arguments: JsonObject;
  };
  ToolCallFinishedEvent: {
    readonly callId: string;
    readonly tool: string;
    readonly status: Exclude<ToolCallStatus, 'RUNNING'>;
    readonly durationMs: number;
    readonly dataSource: DataSource | null;
    readonly preview: string;
    readonly freshness: FreshnessJson | null;
    /** Of the live values shown beside the result's own. */
    readonly liveFreshness?: FreshnessJson;
    /** Id of the record of the call, whatever became of it; null only where none was stored. */
    readonly resultId: string | null;
    readonly error: TurnError | null;
  };
  ChartEvent: { readonly chartId: string };
  TableEvent: { readonly tableId: string };
  /** A call changed an artifact, or failed to; emitted between the start and the end of the call. */
  ArtifactEvent: {
    readonly callId: string;
    readonly tool: string;
    /** As in `ToolCallStartedEvent`. */
    readonly arguments: JsonObject;
    readonly artifact: ArtifactKind;
    readonly outcome: ArtifactOutcome;
    readonly revisionBefore: number;
    /** The same as before where nothing was changed, and where the change waits as a proposal. */
    readonly revisionAfter: number;
    readonly isProposal: boolean;
    readonly note: string | null;
  };
  SourceFallbackEvent: {
    readonly from: DataSource;
    readonly to: DataSource;
    readonly reason: FallbackReason;
    readonly text: string;
  };
  /**
   * Clients discard the answer's text from `keepUntilOffset` on, and the named charts: a step is repeated, or charts of
   * stored results replace the model's own.
   */
  StepResetEvent: {
    readonly keepUntilOffset: number;
    /** Charts that the model made; those of stored results stay, for the tools did run. */
    readonly droppedChartIds?: readonly string[];
    readonly reason: string;
  };
  UsageEvent: { readonly usage: Usage; readonly budgetLeftTokens: number | null };
  /** Exactly one a turn, always its last event. */
  TurnFinishedEvent: {
    readonly status: FinalTurnStatus;
    readonly messageId: string | null;
    readonly usage: Usage | null;
    readonly rounds: number;
    readonly error: TurnError | null;
  };
};

/** Name of an event type. */
export type SessionEventType = keyof SessionEventPayloads;

/** An event before it has a place in the log. */
export type NewSessionEvent = {
  [Type in SessionEventType]: { readonly type: Type; readonly payload: SessionEventPayloads[Type] };
}[SessionEventType];

/** An event with its place in the log. `seq` starts at 1 and has no gaps within a session. */
export type SessionEvent = NewSessionEvent & {
  readonly sessionId: string;
  readonly seq: number;
  readonly turnId: string;
  readonly createdAt: Date;
};

/** Events that still matter to a reader once the answer is complete. */
export const NOTICE_EVENTS = ['SourceFallbackEvent', 'StepResetEvent'] as const satisfies SessionEventType[];

/** Another source was used, or a step was repeated. */
export type NoticeKind = 'SOURCE_FALLBACK' | 'STEP_RESET';

/** A remark on how an answer came about; `text` is for people. */
export type TurnNotice = { readonly kind: NoticeKind; readonly text: string };

/** The notice of an event; null for all but {@link NOTICE_EVENTS}. */
export function noticeOf({ type, payload }: SessionEvent): TurnNotice | null {
  if (type === 'SourceFallbackEvent') return { kind: 'SOURCE_FALLBACK', text: payload.text };
  if (type === 'StepResetEvent') return { kind: 'STEP_RESET', text: payload.reason };
  return null;
}
