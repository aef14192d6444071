/** What is known of each model that may be asked here, put together from all who know something. */
import type { ModelTable } from '../../config/model-table.ts';
import type { ProviderId } from '../../config/providers.ts';
import type { ModelSettings } from '../../config/settings.ts';
import { inTable, mergeFacts, type Capabilities, type Facts } from './capabilities.ts';
import type { KnownModel, ModelProvider } from './provider.ts';
import { createLessons, type Lessons } from './shared/learned.ts';

/** Gives the lessons of a model of a provider, where they are kept. */
export type LessonBook = (provider: ProviderId, host: string | null, name: string) => Lessons;

export type KnownModelsDeps = {
  readonly models: readonly ModelSettings[];
  readonly table: ModelTable;
  /** Those that are configured; the first one gives the default. */
  readonly providers: readonly ModelProvider[];
  /** Assumed where nobody knows the context window. */
  readonly unknownContextTokens: number;
  readonly lessons?: LessonBook;
};

export type KnownModels = {
  /** The same object for the same model, however often it is asked for. */
  of(provider: ProviderId, name: string): KnownModel;
};

export function createKnownModels(deps: KnownModelsDeps): KnownModels {
  const { models, table, providers, unknownContextTokens, lessons = () => createLessons() } = deps;
  const known = new Map<string, KnownModel>();
  const all: KnownModels = {
    of(id, name) {
      const key = `${id} ${name}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const provider = providers.find((each) => each.id === id) ?? null;
      const host = provider?.host ?? null;
      const settings = models.find((model) => model.name === name && model.provider === id) ?? null;
      const entry = inTable(table, settings?.like ?? name, host);
      const learned = lessons(id, host, name);
      const capabilities = (): Capabilities =>
        mergeFacts(
          [
            ['settings', settings && factsOfSettings(settings)],
            ['learned', factsOfLessons(learned)],
            ['server', provider?.factsOf(name) ?? null],
            [entry?.source ?? 'table', entry?.facts ?? null],
          ],
          unknownContextTokens,
        );
      const model = {
        name,
        capabilities,
        lessons: learned,
        named: (other: string) => all.of(id, other),
      };
      known.set(key, model);
      return model;
    },
  };
  return all;
}

const factsOfSettings = (it: ModelSettings): Facts => ({
  contextTokens: it.contextTokens ?? undefined,
  outputTokens: it.outputTokens,
  price: it.price,
  images: it.supportsImages,
  tools: it.supportsTools,
  strict: it.supportsStrict,
  temperature: it.supportsTemperature,
  efforts: it.supportsReasoning === false ? [] : it.efforts,
});

function factsOfLessons({ current }: Lessons): Facts {
  const { contextTokens, isBlind } = current();
  return { contextTokens: contextTokens ?? undefined, images: isBlind ? false : null };
}
