import type { PROVIDER_IDS } from '../../config/settings.ts';
import type { Model } from '../model.ts';

/** Who serves a model, as settings name it. */
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Stands for whichever model Ollama lists first, while that is not known. */
export const ANY_OLLAMA_MODEL = 'ollama';

/** A provider that is configured here. */
export type ModelProvider = {
  readonly id: ProviderId;
  /** As an operator knows it; never an address. */
  readonly title: string;
  /** Whether models of any name may be behind it, as behind a server of one's own or a gateway. */
  readonly servesAnyName: boolean;
  /** The model that answers where none is named. */
  readonly defaultModel: () => string;
  /** Models to offer beside those of the settings, as the server listed them last; most providers are not asked. */
  readonly listed: () => readonly string[];
  /**
   * Asks the server which models it has, which costs nothing; null where it keeps no list.
   * @throws ModelError when it cannot be asked; the signal's reason when that fires.
   */
  readonly list: (signal: AbortSignal) => Promise<readonly string[] | null>;
  readonly createModel: (name: string, supportsImages: boolean) => Model;
};

/** Bound on one response of any model, thoughts included. */
export type OutputLimit = { readonly maxOutputTokens: number };
