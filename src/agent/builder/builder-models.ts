/**
 * Chooses the model of a builder session: the requested name, else `BUILDER_MODEL`, else the builder's default of a
 * provider: `BUILDER_LLM_PROVIDER`, else that of `COPILOT_MODEL`, else the first configured one; only without any
 * provider, the offline builder. A server with models of its own has no such default: there `COPILOT_MODEL` writes.
 * A name belongs to `BUILDER_LLM_PROVIDER` if set, else its own provider.
 */
import type { Model } from '../model.ts';
import type { Capabilities } from '../models/capabilities.ts';
import type { ModelOption } from '../models/catalog.ts';
import { createKnownModels, type KnownModelsDeps } from '../models/known-models.ts';
import type { ModelProvider } from '../models/provider.ts';
import { PROVIDER_DEFINITIONS, providerOf } from '../models/providers.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { ModelTable } from '../../config/model-table.ts';
import { PROVIDERS, type ProviderId } from '../../config/providers.ts';
import type { ModelSettings } from '../../config/settings.ts';

export type BuilderModelRules = {
  /** `BUILDER_LLM_PROVIDER`. */
  readonly provider: ProviderId | null;
  /** `BUILDER_MODEL`. */
  readonly model: string | null;
  /** `COPILOT_MODEL`. */
  readonly copilotModel: string | null;
  /** Models of the settings, with their providers. */
  readonly models: readonly Pick<ModelSettings, 'name' | 'provider'>[];
  readonly table: ModelTable;
  /** Configured providers, in their order. */
  readonly providers: readonly Pick<ModelProvider, 'id' | 'servesAnyName' | 'listed' | 'defaultModel'>[];
  /** Name of the offline builder. */
  readonly offline: string;
};

/** The chosen model; `isSetUp` is false if its provider has no key or address here. */
export type BuilderChoice =
  | { readonly type: 'offline' }
  | {
      readonly type: 'model';
      readonly provider: ProviderId;
      readonly name: string;
      readonly isSetUp: boolean;
    };

export function chooseBuilderModel(rules: BuilderModelRules, asked: string | null): BuilderChoice {
  const { provider, providers, copilotModel, offline } = rules;
  const named = asked ?? rules.model;
  if (named === offline) return { type: 'offline' };
  if (named !== null) return choice(rules, provider ?? providerOf(named, rules), named);
  // `COPILOT_MODEL` may name a program, which writes no instructions.
  const owner = copilotModel === null ? null : providerOf(copilotModel, rules);
  const ofCopilot = providers.find(({ id }) => id === owner)?.id;
  const id = provider ?? ofCopilot ?? providers[0]?.id;
  if (id === undefined) return { type: 'offline' };
  return choice(rules, id, defaultOf(id, rules, id === ofCopilot ? copilotModel : null));
}

export type BuilderModels = ReturnType<typeof createBuilderModels>;

type BuilderModelsDeps = Omit<BuilderModelRules, 'offline' | 'providers' | 'models'> &
  KnownModelsDeps & { readonly offlineBuilder: Model };

/** The models of builder sessions. Creates each model once. */
export function createBuilderModels(deps: BuilderModelsDeps) {
  const { providers, offlineBuilder } = deps;
  const known = createKnownModels(deps);
  const cache = new Map<string, Model>();
  return {
    /** Accepts any name. @throws InvalidInputError if its provider is not configured here. */
    resolve(asked: string | null): Model {
      const chosen = chooseBuilderModel({ ...deps, offline: offlineBuilder.name }, asked);
      if (chosen.type === 'offline') return offlineBuilder;
      const key = `${chosen.provider} ${chosen.name}`;
      const provider = providers.find(({ id }) => id === chosen.provider);
      const model = cache.get(key) ?? provider?.createModel(known.of(provider.id, chosen.name));
      if (model === undefined) {
        const variables = PROVIDERS[chosen.provider].variables;
        const message = `${chosen.name} has no provider here (MISSING_API_KEY): set ${variables}, or choose ${offlineBuilder.name}`;
        throw new InvalidInputError([{ path: ['input', 'model'], message }]);
      }
      cache.set(key, model);
      return model;
    },
    /** The model of messages that name none. */
    default(): ModelOption {
      const chosen = chooseBuilderModel({ ...deps, offline: offlineBuilder.name }, null);
      if (chosen.type === 'offline') {
        const { name } = offlineBuilder;
        return { name, provider: 'offline', available: true, supportsImages: false, capabilities: null };
      }
      const { name, provider, isSetUp: available } = chosen;
      const capabilities = known.of(provider, name).capabilities();
      // The builder is sent no pictures.
      return { name, provider, available, supportsImages: false, capabilities };
    },
    /** What is known of that model. */
    capabilitiesOf: (asked: string): Capabilities =>
      known.of(deps.provider ?? providerOf(asked, deps), asked).capabilities(),
  };
}

const choice = ({ providers }: BuilderModelRules, provider: ProviderId, name: string): BuilderChoice => ({
  type: 'model',
  provider,
  name,
  isSetUp: providers.some(({ id }) => id === provider),
});

/** Behind an address of the user's own any models may be, so the builder's own default may be none of them. */
function defaultOf(id: ProviderId, { providers }: BuilderModelRules, copilotModel: string | null): string {
  const provider = providers.find((each) => each.id === id);
  const { builderModel } = PROVIDER_DEFINITIONS[id];
  if (copilotModel !== null && (builderModel === null || provider?.servesAnyName === true))
    return copilotModel;
  return builderModel ?? provider?.defaultModel() ?? '';
}
