import type { Localised } from '../../domain/text/localised.ts';

/** What a client needs to know before the first message; models are as of now. Never holds keys or addresses. */
export type CopilotConfig = {
  readonly greeting: Localised<string>;
  readonly suggestions: Localised<readonly Suggestion[]>;
  /** Models that a message may name. `available` is false where the provider is not configured. */
  readonly models: readonly {
    readonly name: string;
    readonly provider: string;
    readonly available: boolean;
    readonly supportsImages: boolean;
  }[];
  readonly defaultModel: string;
  /** In characters. */
  readonly maxMessageLength: number;
  /** Images of one message; 0 where none may be attached. */
  readonly maxImages: number;
  /** Of one image. */
  readonly maxImageBytes: number;
  /** Python modules that analyses may import. */
  readonly sandboxPackages: readonly string[];
};

/** A question to start with: a few words for a button, and the whole of it. */
export type Suggestion = { readonly label: string; readonly prompt: string };
