import type { ResourceStack } from '../../base/resource-stack.ts';
import type { ProviderConfig, ProviderId } from '../../config/providers.ts';
import type { Model } from '../model.ts';
import type { Capabilities, Facts } from './capabilities.ts';
import type { Lessons } from './shared/learned.ts';

/** A provider, whether it is configured here or not. What configures it is its row of `src/config/providers.ts`. */
export type ProviderDefinition<Id extends ProviderId> = {
  /** The model that writes instructions where none is named; null: the default model. */
  readonly builderModel: string | null;
  /**
   * Opens the configured provider; `resources` closes it. Never rejects. It imports the SDK, which takes a sixth of the
   * time of a start, so that only configured providers load theirs.
   */
  readonly open: (
    config: NonNullable<ProviderConfig[Id]>,
    limit: OutputLimit,
    resources: ResourceStack,
  ) => Promise<ModelProvider>;
};

/** A model by its name, and what is known of it, which may change while the process runs. */
export type KnownModel = {
  readonly name: string;
  readonly capabilities: () => Capabilities;
  readonly lessons: Lessons;
  /** Another model of the same provider, for a name that stands for whichever it lists first. */
  readonly named: (name: string) => KnownModel;
};

/** A provider that is configured here. */
export type ModelProvider = {
  readonly id: ProviderId;
  /** For operators; never an address. */
  readonly title: string;
  /** Whether models of any name may be behind it, as behind a gateway or a local server. */
  readonly servesAnyName: boolean;
  /** The model that answers where none is named. */
  readonly defaultModel: () => string;
  /**
   * Models to offer in addition to those of the settings, as the server last listed them; empty for most
   * providers.
   */
  readonly listed: () => readonly string[];
  /**
   * Asks the server which models it has, which costs nothing: the doctor's probe. Null where it keeps no list.
   * @throws ModelError when it cannot be reached; the signal's reason when that fires.
   */
  readonly list: (signal: AbortSignal) => Promise<readonly string[] | null>;
  /** What the server last said of a model; null where it says nothing of it. */
  readonly factsOf: (name: string) => Facts | null;
  /** Host of its address, which decides whether a maker's prices hold there; never shown. */
  readonly host: string | null;
  readonly createModel: (model: KnownModel) => Model;
};

/** Bound on one response of any model, reasoning included. */
export type OutputLimit = { readonly maxOutputTokens: number };
