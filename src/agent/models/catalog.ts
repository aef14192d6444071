import type { Model } from '../model.ts';

/** A model that may be named in a message. `available` is false where its provider has no key here. */
export type ModelOption = {
  readonly name: string;
  readonly provider: string;
  readonly available: boolean;
  readonly supportsImages: boolean;
};

/** The models that copilot chat offers, and the rule that picks one. */
export type ModelCatalog = {
  /** In the order of the configuration; the offline analyst, always selectable by name, comes last. */
  options(): readonly ModelOption[];
  /** Name of the model that answers when none is asked for. */
  readonly defaultName: string;
  /**
   * The model of that name, or the default for null.
   * @throws InvalidInputError for a name that is not offered, naming those that are.
   */
  resolve(name: string | null): Model;
  /** The model to fall back on when `name` fails for good; null where none is configured. Never the offline analyst. */
  fallbackOf(name: string): Model | null;
};
