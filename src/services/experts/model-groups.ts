import type { CopilotConfig } from '../copilot/copilot-config.ts';

type Option = CopilotConfig['models'][number];

/** Models of one provider. */
export type ModelGroup = {
  readonly provider: string;
  readonly title: string;
  readonly models: readonly Option[];
};

const OFFLINE = { offline: { title: 'Without a model' } };

/** Models by provider, both in the order in which they were given; `providers` have a title each. */
export function groupModels(
  models: readonly Option[],
  providers: Readonly<Record<string, { readonly title: string }>>,
): readonly ModelGroup[] {
  const titled = new Map(Object.entries({ ...providers, ...OFFLINE }));
  return [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, own]) => ({
    provider,
    title: titled.get(provider)?.title ?? provider,
    models: own,
  }));
}
