/** What the agent loop is given to run one turn. */
import type { Usage } from '../../domain/conversation/session.ts';
import type { TokenBudget } from '../../domain/conversation/token-budget.ts';
import type { EmitActivity } from '../../domain/conversation/turn-activity.ts';
import type { AnswerSchema, Model, ModelInput, Sampling } from '../model.ts';
import type { ToolRegistry } from '../tool-registry.ts';
import type { RoundContext } from '../tool.ts';
import type { StepLimits } from './model-step.ts';
import type { Preflight } from './preflight-calls.ts';
import type { TurnCallLimits } from './turn-calls.ts';
import type { TurnTimeLimits } from './turn-time.ts';
import type { PriceOf } from './usage-meter.ts';

/** Bounds of a turn. Each has a normal ending; none of them loses what was found before it. */
export type LoopLimits = Omit<TurnCallLimits, 'onBug'> &
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

/** What a model is sent before anything that a turn adds, as it fits its window. */
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
  /** What the fallback is sent; null where it has no room even for the question. Absent: the same as `model`. */
  readonly refit?: (fallback: Model) => FittedInput | null;
  readonly tools: ToolRegistry;
  /** Called once a round: loaders are fresh for each round and shared by its calls. */
  readonly createToolContext: () => RoundContext;
  readonly instructions: string;
  /** The form that answers should have; null for text. */
  readonly answerSchema: AnswerSchema | null;
  /** What a model that cannot call tools is told beside `instructions`, so that it answers all the same; absent: the turn fails. */
  readonly withoutTools?: string;
  /** Absent: as the model does by itself. */
  readonly sampling?: Sampling;
  /** History, then the user's message. */
  readonly input: readonly ModelInput[];
  /** What the server does before the model's first word; null for nothing. */
  readonly preflight: Preflight | null;
  /** A tool that the first request forces; null leaves the choice to the model. */
  readonly forcedTool: string | null;
  readonly sessionId: string;
  readonly limits: LoopLimits;
  /** Asked before each model call; bounds the turn beside its own limit. */
  readonly budget: TokenBudget;
  readonly priceOf: PriceOf;
  /** What the turn spent before, for example on a summary; null for nothing. */
  readonly spent: Usage | null;
  /** Tokens that the provider counts for each one that is guessed; 1 where that is not known. */
  readonly tokensPerEstimate: number;
  readonly emit: EmitActivity;
  readonly signal: AbortSignal;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Told what a tool threw that it should not have; the turn goes on. */
  readonly onBug: (error: unknown, tool: string) => void;
  /** Told in words what of the model's answer is not shown, and why; the turn goes on. */
  readonly onDropped: (what: string) => void;
};
