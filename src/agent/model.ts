/**
 * The port to language models. The loop speaks only this; adapters in `models/` translate it to a provider's wire
 * format and back. An adapter knows nothing of tools' meaning, sessions or events.
 */
import type { PictureHeader, PictureSize } from '../domain/conversation/picture.ts';
import type { JsonObject } from '../domain/visuals.ts';

/** A tool as a model sees it: `parameters` is a strict JSON Schema (all properties required, none additional). */
export type ToolSchema = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};

/** A function call the model asked for; `arguments` is the model's text, not yet parsed. */
export type ModelCall = { readonly callId: string; readonly name: string; readonly arguments: string };

/** A picture for a model to look at; `data` is base64 without a `data:` prefix. */
export type ModelImage = PictureHeader & { readonly data: string };

/**
 * One entry of the conversation sent to a model. A `round` is what the model put out in one earlier response of this
 * turn: `items` are the provider's own output items in output order, to be returned verbatim to the same provider;
 * `text` and `calls` say the same neutrally for any other. Images reach only models that can see: adapters of others
 * leave them out and say so in the text.
 */
export type ModelInput =
  | { readonly type: 'user'; readonly text: string; readonly images?: readonly ModelImage[] }
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

/** The form that an answer should have, as a JSON Schema; not strict, so it may leave parts of it open. */
export type AnswerSchema = { readonly name: string; readonly schema: JsonObject };

/** How a model is to answer; null leaves it to the model. What a model does not know is left out for it. */
export type Sampling = {
  /** 0 to 2. */
  readonly temperature: number | null;
  readonly reasoning: 'low' | 'medium' | 'high' | null;
};

/** One request: everything the model is to know, newest last. */
export type ModelRequest = {
  readonly instructions: string;
  readonly input: readonly ModelInput[];
  readonly tools: readonly ToolSchema[];
  readonly toolChoice: ToolChoice;
  /** Absent for text; adapters of providers that know no schemas leave it to the instructions. */
  readonly answerSchema?: AnswerSchema;
  /** Absent: all of it is left to the model. */
  readonly sampling?: Sampling;
  /** Keys provider-side settings learned during a session, such as a parameter that the model refused. */
  readonly sessionId: string;
};

/** Tokens of one model call, as the provider counted them. */
export type ModelUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
};

/** Why a response ended. `length`: cut by a token limit; `filtered`: by the provider's content filter. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filtered' | 'refused';

/** What comes out of a model, as it comes. Exactly one `finished`, last; a failure rejects the iteration instead. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The model's refusal in its own words; shown as the answer, honestly marked by the finish reason. */
  | { readonly type: 'refusal'; readonly text: string }
  /** A call whose arguments are complete; it may be started at once, while the model still talks. */
  | { readonly type: 'call'; readonly call: ModelCall }
  | {
      readonly type: 'finished';
      readonly reason: FinishReason;
      readonly usage: ModelUsage | null;
      /** Output items to send back verbatim in the next round, in output order. */
      readonly items: readonly unknown[];
    };

/**
 * A model that can be asked. `provider` names whose `items` it understands: those of the same model behind the same wire
 * format, for signed and encrypted thoughts are of use to no other.
 */
export type Model = {
  readonly name: string;
  readonly provider: string;
  /** Set for a program of ours that poses as a model: it has no context window, needs no summary and costs nothing. */
  readonly isProgram?: true;
  /** Tokens of a picture of this size, before anybody counted them; absent for a model that looks at none. */
  readonly imageTokens?: (size: PictureSize) => number;
  /**
   * Asks the model. Contract: rejects with `ModelError` on failure; when `signal` fires the iteration rejects with
   * the signal's reason and the request is closed.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/** A model call that failed. `retryable` says whether the same request may succeed later. */
export class ModelError extends Error {
  readonly code:
    | 'RATE_LIMITED'
    | 'QUOTA'
    | 'AUTH'
    | 'BAD_REQUEST'
    | 'NO_TOOLS'
    | 'UNAVAILABLE'
    | 'BROKEN_STREAM'
    | 'PROTOCOL';
  readonly retryable: boolean;
  constructor(code: ModelError['code'], message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}
