/**
 * What an agent run emits while it works. The event writer turns activities into log events: it merges text, stores
 * bodies, redacts and cuts previews. The run does not handle ids, rows or sequence numbers.
 */
import type { ArtifactKind, ArtifactOutcome, Artifacts } from '../artifacts/artifacts.ts';
import type { EditTrace } from '../artifacts/edit-trace.ts';
import type { DataSource, Freshness } from '../values/freshness.ts';
import type { ChartSpec, Visual } from '../visuals.ts';
import type { Assessment, FinalTurnStatus, ToolCallStatus, TurnError, Usage } from './session.ts';
import type { FallbackReason, ThinkingKind, TurnPhase } from './session-event.ts';

/**
 * A tool call as it starts. `arguments` are whole and parsed where they could be, else the model's text, of which
 * only the beginning where it is too long; never null.
 */
export type ToolCallStart = {
  readonly callId: string;
  readonly tool: string;
  readonly label: string;
  readonly description: string;
  readonly arguments: unknown;
  readonly round: number;
};

/** A tool call as it ends. `resultJson` is what the tool returned, whole; `preview` one line for people. */
export type ToolCallEnd = {
  readonly callId: string;
  readonly tool: string;
  readonly status: Exclude<ToolCallStatus, 'RUNNING'>;
  readonly durationMs: number;
  readonly dataSource: DataSource | null;
  readonly preview: string;
  readonly freshness: Freshness | null;
  /** Of the live values shown beside the result's own. */
  readonly liveFreshness?: Freshness;
  readonly resultJson: string | null;
  readonly error: TurnError | null;
  /** Drawn by rule from the result, in their order in the answer. */
  readonly visuals: readonly Visual[];
};

/** Outcome of an artifact tool call. */
export type ArtifactEdit = {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly kind: ArtifactKind;
  readonly outcome: ArtifactOutcome;
  readonly note: string | null;
  readonly revisionBefore: number;
  readonly revisionAfter: number;
  /** The artifacts afterwards, to be stored as `revisionAfter` or as the proposal; null where nothing was changed. */
  readonly changed: {
    readonly to: Artifacts;
    readonly isProposal: boolean;
    readonly trace: EditTrace;
  } | null;
};

/** More of what the model thinks, without secrets. `durationMs` ends a thought, with the time that it took. */
export type ThinkingActivity = {
  readonly type: 'thinking';
  readonly kind: ThinkingKind;
  readonly text: string;
  readonly durationMs?: number;
};

/** One thing a run did. */
export type TurnActivity =
  | {
      readonly type: 'status';
      readonly phase: TurnPhase;
      readonly text: string;
      /** The summary that was made, where that is what the turn was busy with. */
      readonly summaryId?: string;
    }
  | { readonly type: 'text'; readonly text: string }
  | ThinkingActivity
  | { readonly type: 'tool-started'; readonly call: ToolCallStart }
  | { readonly type: 'tool-finished'; readonly call: ToolCallEnd }
  | { readonly type: 'artifact'; readonly edit: ArtifactEdit }
  | {
      readonly type: 'source-fallback';
      readonly from: DataSource;
      readonly to: DataSource;
      readonly reason: FallbackReason;
      readonly text: string;
    }
  /** A chart that the model wrote into its answer. */
  | { readonly type: 'chart'; readonly chart: ChartSpec }
  | {
      readonly type: 'reset';
      readonly keepUntilOffset: number;
      /** How many of the newest charts of the model's own words go too; none if absent. */
      readonly dropCharts?: number;
      readonly reason: string;
    }
  | { readonly type: 'usage'; readonly usage: Usage; readonly budgetLeftTokens: number | null };

/** Accepts an activity without throwing or waiting; it is written later, in order. */
export type EmitActivity = (activity: TurnActivity) => void;

/**
 * How a run ended, as the run itself sees it. Text, blocks and freshness of the answer are not in it: they are derived
 * from the log, so that a transcript and its final message cannot differ.
 */
export type TurnOutcome = {
  readonly status: Extract<FinalTurnStatus, 'COMPLETED' | 'FAILED'>;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly rounds: number;
  readonly error: TurnError | null;
  /** The model's own judgement; null where it gave none. */
  readonly assessment: Assessment | null;
  /** Tokens that the provider counted for each one that was guessed of the first request; absent where it did not. */
  readonly tokensPerEstimate?: number;
  /** Tables in the model's words that were left out because the answer shows the results itself. */
  readonly strippedTables: number;
};
