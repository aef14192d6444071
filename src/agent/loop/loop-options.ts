import type { DocumentCheck } from '../../domain/conversation/answer-schema.ts';
import type { Usage } from '../../domain/conversation/session.ts';
import type { TokenBudget } from '../../domain/conversation/tokens.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { AnswerSchema, Model, ModelInput, Sampling } from '../model.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import type { RoundContext } from '../tool.ts';
import type { ApproveCall } from './call-approval.ts';
import type { StepLimits } from './model-step.ts';
import type { Preflight } from './preflight-calls.ts';
import type { Waiting } from './retry-policy.ts';
import type { TurnCallLimits } from './turn-calls.ts';
import type { TurnTimeLimits } from './turn-time.ts';
import type { ChargeOf, PriceOf } from './usage-meter.ts';

/** Bounds of a turn. Reaching one ends the turn normally, with everything that was found before. */
export type LoopLimits = Omit<TurnCallLimits, 'onBug' | 'readsWhole'> &
  StepLimits &
  TurnTimeLimits & {
    /** Rounds of tool calls; then the model must answer. */
    readonly rounds: number;
    /** Charts and tables of the whole turn. */
    readonly visuals: number;
    /** Tokens of all model calls of the turn. */
    readonly tokens: number;
    /** Longest answer to one model call. */
    readonly outputTokens: number;
    /** The context window of the model. */
    readonly contextTokens: number;
  };

/** What a model is sent before the turn adds anything, fitted to its context window. */
export type FittedInput = {
  readonly instructions: string;
  /** History, then the user's message. */
  readonly input: readonly ModelInput[];
  /** The context window of the model. */
  readonly contextTokens: number;
};

/** One turn, ready to run. */
export type LoopOptions = {
  readonly model: Model;
  /** Asked when `model` fails for good; from then on it answers the turn. */
  readonly fallback: Model | null;
  /**
   * Fits the input to a model, or to a smaller window of it; null where not even the question fits. Absent: every model is
   * sent the same.
   */
  readonly refit?: (model: Model, contextTokens?: number) => FittedInput | null;
  readonly tools: ToolRegistry;
  /** Called once a round: loaders are fresh for each round and shared by its calls. */
  readonly createToolContext: () => RoundContext;
  readonly instructions: string;
  /** JSON schema of the answer; null for text. */
  readonly answerSchema: AnswerSchema | null;
  /** For an answer that is a document: whether the model's words are it. Absent: the answer is for people. */
  readonly checkDocument?: (words: string) => DocumentCheck;
  /** Added to `instructions` for a model that cannot call tools. Absent: the turn fails with such a model. */
  readonly withoutTools?: string;
  /** Absent: the model's defaults. */
  readonly sampling?: Sampling;
  /** History, then the user's message. */
  readonly input: readonly ModelInput[];
  /** Tool calls that the server makes before the model is asked; null for none. */
  readonly preflight: Preflight | null;
  /** Input that came for the running turn since the last call. Absent: none can come. */
  readonly joinInput?: () => Promise<readonly ModelInput[]>;
  /** Asks a person about a call that changes something outside. Absent: nobody can be asked. */
  readonly approve?: ApproveCall;
  /** A tool that the first request forces; null leaves the choice to the model. */
  readonly forcedTool: string | null;
  readonly sessionId: string;
  /** Ends the recorded id of each call; absent: ids are unique within the turn only. */
  readonly callIdSuffix?: string;
  readonly limits: LoopLimits;
  /** Consulted before each model call; bounds the turn in addition to its own limit. */
  readonly budget: TokenBudget;
  readonly priceOf: PriceOf;
  /** Absent: every token counts whole. */
  readonly chargeOf?: ChargeOf;
  /** Whether a turn that ends without words gives the results that it has instead of an error. */
  readonly givesResults?: boolean;
  /** Already spent for the turn, for example on a summary; null for nothing. */
  readonly spent: Usage | null;
  /** Ratio of the provider's token count to our estimate; 1 where it is not known. */
  readonly tokensPerEstimate: number;
  readonly emit: EmitActivity;
  readonly signal: AbortSignal;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Between tries of a model that failed; absent: by the process's own clock. */
  readonly waiting?: Waiting;
  /** Receives unexpected errors of tools; the turn continues. */
  readonly onBug: (error: unknown, tool: string) => void;
  /** Receives a description of each part of the answer that is not shown; the turn continues. */
  readonly onDropped: (what: string) => void;
};
