/**
 * Which model answers. One rule for all of copilot chat: the name asked for, else `COPILOT_MODEL`, else the provider's
 * default, else, only where no provider is configured at all, the offline analyst. A failing model is never silently
 * replaced by the analyst.
 */
import { InvalidInputError, StartupError } from '../../errors.ts';
import type { ModelSettings } from '../../settings.ts';
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

/** OpenAI's model where nothing else is said. */
const OPENAI_DEFAULT = 'gpt-4.1';

/** What a catalogue is made from. */
export type CatalogDeps = {
  readonly models: readonly ModelSettings[];
  /** `COPILOT_MODEL`: the default's name; it may be one that the settings do not list. */
  readonly preferred: string | null;
  readonly fallbackModel: string | null;
  /** Makes a model of OpenAI's provider; null where that provider has neither key nor address. */
  readonly openai: ((name: string) => Model) | null;
  readonly offlineAnalyst: Model;
};

/** @throws StartupError when `COPILOT_MODEL` or the fallback names a model that cannot be asked here. */
export function createModelCatalog(deps: CatalogDeps): ModelCatalog {
  const { openai, offlineAnalyst } = deps;
  const options = listOptions(deps);
  const cache = new Map<string, Model>([[offlineAnalyst.name, offlineAnalyst]]);

  const find = (name: string): Model | null => {
    const option = options.find((each) => each.name === name);
    if (option === undefined || !option.available) return null;
    const known = cache.get(name);
    if (known !== undefined || openai === null) return known ?? null;
    const made = openai(name);
    cache.set(name, made);
    return made;
  };

  const defaultName = deps.preferred ?? (openai === null ? offlineAnalyst.name : OPENAI_DEFAULT);
  if (find(defaultName) === null) {
    throw new StartupError(
      `COPILOT_MODEL=${defaultName} has no provider here: set OPENAI_API_KEY or OPENAI_BASE_URL, or COPILOT_MODEL=${offlineAnalyst.name}`,
    );
  }
  if (deps.fallbackModel === offlineAnalyst.name || !isListed(options, deps.fallbackModel)) {
    throw new StartupError(
      `copilot.fallbackModel is ${deps.fallbackModel}: it must be one of the settings' models, or null`,
    );
  }

  return {
    options: () => options,
    defaultName,
    resolve(name) {
      const model = find(name ?? defaultName);
      if (model !== null) return model;
      throw new InvalidInputError([{ path: ['input', 'model'], message: unavailable(name, options) }]);
    },
    fallbackOf: (name) =>
      deps.fallbackModel === null || deps.fallbackModel === name || name === offlineAnalyst.name
        ? null
        : find(deps.fallbackModel),
  };
}

function listOptions({ models, preferred, openai, offlineAnalyst }: CatalogDeps): readonly ModelOption[] {
  const available = openai !== null;
  const named = preferred === null && available ? OPENAI_DEFAULT : preferred;
  const unlisted =
    named === null || named === offlineAnalyst.name || models.some(({ name }) => name === named)
      ? []
      : [{ name: named, provider: 'openai', supportsImages: false }];
  return [
    ...[...unlisted, ...models].map(({ name, provider, supportsImages }) => ({
      name,
      provider,
      available,
      supportsImages,
    })),
    { name: offlineAnalyst.name, provider: 'offline', available: true, supportsImages: false },
  ];
}

const isListed = (options: readonly ModelOption[], name: string | null): boolean =>
  name === null || options.some((option) => option.name === name);

function unavailable(name: string | null, options: readonly ModelOption[]): string {
  const offered = options.filter(({ available }) => available).map((option) => option.name);
  const known = isListed(options, name);
  const problem = known ? 'has no provider configured here' : 'is not a model of this server';
  return `${name} ${problem}; choose one of ${offered.join(', ')}`;
}
