/**
 * The interface to language models. The loop uses only this; adapters in `models/` translate it to a provider's wire
 * format and back. An adapter is independent of what tools mean, of sessions and of events.
 */
import type { PictureHeader, PictureSize } from '../domain/conversation/picture.ts';
import type { JsonObject } from '../domain/visuals.ts';
import type { PromptSection } from './prompt/prompt-section.ts';

/** A tool as a model sees it: `parameters` is a strict JSON Schema (all properties required, none additional) unless `strict` is false. */
export type ToolSchema = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict?: false;
};

/** A function call the model asked for; `arguments` is the model's text, not yet parsed. */
export type ModelCall = { readonly callId: string; readonly name: string; readonly arguments: string };

/** A picture; `data` is base64 without a `data:` prefix. */
export type ModelImage = PictureHeader & { readonly data: string };

/**
 * One entry of the conversation sent to a model. A `round` is an earlier response of this turn: `items` are the
 * provider's output items in output order, to be returned verbatim to the same provider; `text` and `calls` are the
 * same in neutral form for any other. Adapters of models without vision leave images out and mention that in the text.
 */
export type ModelInput =
  | {
      readonly type: 'user';
      readonly text: string;
      /** What the server says with the message: the adapters' models read it in front of the text. */
      readonly context?: readonly PromptSection[] | undefined;
      readonly images?: readonly ModelImage[];
    }
  | { readonly type: 'assistant'; readonly text: string }
  | {
      readonly type: 'round';
      readonly provider: string;
      readonly items: readonly unknown[];
      readonly text: string;
      readonly calls: readonly ModelCall[];
    }
  | { readonly type: 'tool-output'; readonly callId: string; readonly output: string };

/** `auto`: the model decides; `none`: it must answer; otherwise the named tool is forced. */
export type ToolChoice = 'auto' | 'none' | { readonly tool: string };

/** JSON Schema of an answer; not strict, so it may leave parts open. */
export type AnswerSchema = { readonly name: string; readonly schema: JsonObject };

/** Sampling settings; null leaves one to the model. Adapters omit settings that a model does not support. */
export type Sampling = {
  /** 0 to 2. */
  readonly temperature: number | null;
  readonly reasoning: 'low' | 'medium' | 'high' | null;
};

/** One request; input is oldest first. */
export type ModelRequest = {
  readonly instructions: string;
  readonly input: readonly ModelInput[];
  readonly tools: readonly ToolSchema[];
  readonly toolChoice: ToolChoice;
  /** Absent for text; adapters of providers without schemas rely on the instructions. */
  readonly answerSchema?: AnswerSchema;
  readonly sampling?: Sampling;
  /** More room for this response than the adapter's own bound; absent: that bound. */
  readonly outputTokens?: number;
  /**
   * Key for what an adapter learns during a session, such as a parameter that the model refused, and for the
   * provider's cache: requests of a session begin alike.
   */
  readonly sessionId: string;
};

/** Tokens of one model call, as the provider counted them. */
export type ModelUsage = {
  /** All input, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input that was read from the provider's cache. */
  readonly cachedTokens: number;
  /** Input that was written to it for a surcharge; absent where writing costs nothing. */
  readonly cacheWriteTokens?: number | undefined;
};

/**
 * Why a response ended. `length`: cut by a token limit; `filtered`: by the provider's content filter; `paused`: to be
 * continued from its own items.
 */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filtered' | 'refused' | 'paused';

/** What a model shows of its thinking: its own `thought`, or a `summary` that the provider made of it. */
export type ThinkingKind = 'thought' | 'summary';

/** Streamed output. Exactly one `finished`, last; a failure rejects the iteration instead. */
export type ModelEvent =
  /** More of the model's thinking; never part of the answer. `isNew`: a thought apart from the one before it. */
  | {
      readonly type: 'thinking';
      readonly kind: ThinkingKind;
      readonly text: string;
      readonly isNew?: true;
    }
  /** Bytes came that make no other event: arguments of a call, a ping, a comment, thinking that is not shown. */
  | { readonly type: 'progress' }
  | { readonly type: 'text'; readonly text: string }
  /** The model's refusal in its own words, shown as the answer and marked by the finish reason. */
  | { readonly type: 'refusal'; readonly text: string }
  /** A call with complete arguments; it may start at once, while the model still streams. */
  | { readonly type: 'call'; readonly call: ModelCall }
  | {
      readonly type: 'finished';
      readonly reason: FinishReason;
      readonly usage: ModelUsage | null;
      /** Output items to send back verbatim in the next round, in output order. */
      readonly items: readonly unknown[];
    };

/**
 * A model. `provider` identifies the `items` that it understands: those of the same model in the same wire format,
 * since signed and encrypted reasoning is useless to any other.
 */
export type Model = {
  readonly name: string;
  readonly provider: string;
  /** Set for a program of ours behind this interface: it has no context window, needs no summary and costs nothing. */
  readonly isProgram?: true;
  /** Estimated tokens of a picture of this size; absent or 0 for a model without vision. */
  readonly imageTokens?: (size: PictureSize) => number;
  /**
   * Asks the model. Contract: rejects with `ModelError` on failure; when `signal` fires the iteration rejects with
   * the signal's reason and the request is closed.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/**
 * What failed. Whose it is, and what follows, is in the table of `loop/retry-policy.ts`.
 * `BAD_CALL`: the model wrote a call that its provider could not read. `CUT_CALL`: a call did not fit into
 * the response. `RESTING`: the provider failed so often that it
 * is left alone for a while. `EMPTY`: a whole response without a word or a call. `CONTEXT_TOO_LARGE`: the request is
 * larger than the model's context window.
 */
export type ModelErrorCode =
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'UNAVAILABLE'
  | 'BROKEN_STREAM'
  | 'EMPTY'
  | 'BAD_CALL'
  | 'CUT_CALL'
  | 'RESTING'
  | 'QUOTA'
  | 'AUTH'
  | 'FILTERED'
  | 'BAD_REQUEST'
  | 'NO_TOOLS'
  | 'CONTEXT_TOO_LARGE'
  | 'PROTOCOL';

/** A model call that failed. `retryable`: the same request may succeed later. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  /** How long the provider asks to be left alone; null where it does not say. */
  readonly pauseMs: number | null;
  /** Note for the model before it is asked again; null for none. */
  readonly hint: string | null;
  constructor(
    code: ModelErrorCode,
    message: string,
    options: { retryable: boolean; cause?: unknown; pauseMs?: number | null; hint?: string | null },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
    this.pauseMs = options.pauseMs ?? null;
    this.hint = options.hint ?? null;
  }
}
