import type { Localised } from '../../domain/text/language.ts';

/** What a client needs before the first message. Models are current. Never contains keys or addresses. */
export type CopilotConfig = {
  readonly greeting: Localised<string>;
  readonly suggestions: Localised<readonly Suggestion[]>;
  /** Models that a message may name. `available` is false if the provider is not configured. */
  readonly models: readonly OfferedModel[];
  readonly defaultModel: string;
  readonly builderModel: OfferedModel;
  /** In characters. */
  readonly maxMessageLength: number;
  /** Images per message; 0 if none may be attached. */
  readonly maxImages: number;
  /** Size of one image. */
  readonly maxImageBytes: number;
  /** Python modules that analyses may import. */
  readonly sandboxPackages: readonly string[];
};

/** A model that answers here. */
type OfferedModel = {
  readonly name: string;
  readonly provider: string;
  readonly available: boolean;
  readonly supportsImages: boolean;
  /** Null for a program of this server. */
  readonly capabilities: ModelCapabilities | null;
};

/** A question to start with: a short label for a button, and the full text. */
export type Suggestion = { readonly label: string; readonly prompt: string };

/** What a model can do, as far as anybody knows. */
type ModelCapabilities = {
  readonly contextTokens: number;
  readonly outputTokens: number | null;
  readonly tools: boolean | null;
  readonly reasons: boolean | null;
  readonly efforts: readonly string[] | null;
  /** USD per million tokens. */
  readonly price: { readonly input: number; readonly cachedInput: number; readonly output: number } | null;
  readonly source: 'settings' | 'server' | 'learned' | 'table' | 'newer' | 'assumed';
};
