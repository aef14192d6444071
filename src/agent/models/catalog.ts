/**
 * Which model answers. One rule for all of copilot chat: the name asked for, else `COPILOT_MODEL`, else the default of
 * the first provider, else, only where no provider is configured at all, the offline analyst. A failing model is never
 * silently replaced by the analyst.
 */
import { InvalidInputError, StartupError } from '../../base/errors.ts';
import { PROVIDERS, type ProviderId } from '../../config/providers.ts';
import type { Model } from '../model.ts';
import { ANY_OLLAMA_MODEL } from './ollama/any-model.ts';
import type { Capabilities } from './capabilities.ts';
import { createKnownModels, type KnownModels, type KnownModelsDeps } from './known-models.ts';
import { providerOf } from './providers.ts';

/**
 * A model that may be named in a message. `available` is false where its provider has no key here, or does not
 * answer. `capabilities` is null for the offline analyst.
 */
export type ModelOption = {
  readonly name: string;
  readonly provider: ProviderId | 'offline';
  readonly available: boolean;
  /** Also where nobody knows: a model that refuses a picture is asked again without it, with a note that says so. */
  readonly supportsImages: boolean;
  readonly capabilities: Capabilities | null;
};

/** The models that copilot chat offers, and the rule that picks one. What a server lists may change at any time. */
export type ModelCatalog = {
  /**
   * In the order of the configuration, then those that a server lists itself; the offline analyst, always selectable
   * by name, comes last.
   */
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
  /** What is known of a model now; of any name. */
  capabilitiesOf(name: string): Capabilities;
  /** Whether pictures may be sent to that model; false for a name that is not offered. */
  supportsImages(name: string): boolean;
};

/** Input of {@link createModelCatalog}. */
export type CatalogDeps = KnownModelsDeps & {
  /** `COPILOT_MODEL`: the default's name; it may be one that the settings do not list. */
  readonly preferred: string | null;
  readonly fallbackModel: string | null;
  readonly offlineAnalyst: Model;
};

/** @throws StartupError when `COPILOT_MODEL` or the fallback names a model that cannot be asked here. */
export function createModelCatalog(deps: CatalogDeps): ModelCatalog {
  const { offlineAnalyst, preferred, providers, fallbackModel } = deps;
  const known = createKnownModels(deps);
  const cache = new Map<string, Model>([[offlineAnalyst.name, offlineAnalyst]]);

  const make = ({ name, provider: id }: ModelOption): Model | null => {
    const made = cache.get(name);
    if (made !== undefined) return made;
    const provider = providers.find((each) => each.id === id);
    if (provider === undefined) return null;
    const created = provider.createModel(known.of(provider.id, name));
    cache.set(name, created);
    return created;
  };
  const capabilitiesOf = (name: string) => known.of(providerOf(name, deps), name).capabilities();
  const options = () => listOptions(deps, known);
  const find = (name: string): Model | null => {
    const option = options().find((each) => each.name === name);
    // The default may be asked while its server is down: the error then explains it.
    const isOffered = option?.available === true || name === defaultName();
    return option !== undefined && isOffered ? make(option) : null;
  };
  const defaultName = () => preferred ?? providers[0]?.defaultModel() ?? offlineAnalyst.name;

  if (find(defaultName()) === null) {
    const variables = PROVIDERS[providerOf(defaultName(), deps)].variables;
    throw new StartupError(
      `COPILOT_MODEL=${defaultName()} has no provider here: set ${variables}, or COPILOT_MODEL=${offlineAnalyst.name}`,
    );
  }
  if (fallbackModel !== null && !deps.models.some(({ name }) => name === fallbackModel)) {
    throw new StartupError(
      `copilot.fallbackModel is ${fallbackModel}: it must be one of the settings' models, or null`,
    );
  }

  return {
    options,
    get defaultName() {
      return defaultName();
    },
    resolve(name) {
      const asked = name ?? defaultName();
      const model = find(asked);
      if (model !== null) return model;
      throw new InvalidInputError([{ path: ['input', 'model'], message: unavailable(asked, options()) }]);
    },
    fallbackOf: (name) =>
      fallbackModel === null || fallbackModel === name || name === offlineAnalyst.name
        ? null
        : find(fallbackModel),
    supportsImages: (asked) => options().some(({ name, supportsImages }) => name === asked && supportsImages),
    capabilitiesOf,
  };
}

/** @throws InvalidInputError, naming those that can, where the model (null: the default) cannot look at pictures. */
export function assertSeesImages(models: ModelCatalog, name: string | null): void {
  const asked = name ?? models.defaultName;
  if (models.supportsImages(asked)) return;
  const able = models
    .options()
    .flatMap((option) => (option.available && option.supportsImages ? [option.name] : []));
  const instead = able.length === 0 ? 'no model of this server can' : `choose one of ${able.join(', ')}`;
  throw new InvalidInputError([
    { path: ['input', 'images'], message: `${asked} cannot look at pictures; ${instead}` },
  ]);
}

/** @throws InvalidInputError where the model (null: the default) is a program of this server, which writes prose only. */
export function assertWritesDocuments(models: ModelCatalog, name: string | null): void {
  const asked = models.resolve(name);
  if (!asked.isProgram) return;
  const able = models
    .options()
    .flatMap(({ name: other, available }) => (available && !models.resolve(other).isProgram ? [other] : []));
  const instead =
    able.length === 0
      ? 'this server has no language model; leave answerSchema out'
      : `choose one of ${able.join(', ')} as model, or leave answerSchema out`;
  const message = `${asked.name} answers in words only; ${instead}`;
  throw new InvalidInputError([{ path: ['input', 'answerSchema'], message }]);
}

function listOptions(deps: CatalogDeps, known: KnownModels): readonly ModelOption[] {
  const { models, providers, offlineAnalyst } = deps;
  const listed = providers.flatMap(({ id, listed }) => listed().map((name) => ({ name, provider: id })));
  const own = unlistedDefault(deps);
  const all = [...(own === null ? [] : [own]), ...models, ...listed].map(({ name, provider }) => {
    const capabilities = known.of(provider, name).capabilities();
    return {
      name,
      provider,
      available: name !== ANY_OLLAMA_MODEL && providers.some(({ id }) => id === provider),
      supportsImages: capabilities.images !== false,
      capabilities,
    };
  });
  const { name } = offlineAnalyst;
  return [
    ...all.filter((option, at) => all.findIndex((other) => other.name === option.name) === at),
    { name, provider: 'offline', available: true, supportsImages: false, capabilities: null },
  ];
}

/** The default, where the settings do not list it. */
function unlistedDefault(deps: CatalogDeps): { readonly name: string; readonly provider: ProviderId } | null {
  const { models, preferred, providers, offlineAnalyst } = deps;
  const [first] = providers;
  const name = preferred ?? first?.defaultModel() ?? offlineAnalyst.name;
  if (name === offlineAnalyst.name || models.some((model) => model.name === name)) return null;
  return { name, provider: preferred === null && first !== undefined ? first.id : providerOf(name, deps) };
}

function unavailable(asked: string, options: readonly ModelOption[]): string {
  const offered = options.filter(({ available }) => available).map(({ name }) => name);
  const option = options.find(({ name }) => name === asked);
  const problem =
    option === undefined || option.provider === 'offline'
      ? 'is not a model of this server'
      : `has no provider configured here (${PROVIDERS[option.provider].variables})`;
  return `${asked} ${problem}; choose one of ${offered.join(', ')}`;
}
