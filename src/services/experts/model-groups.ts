import type { CopilotConfig } from '../copilot/copilot-config.ts';

type Option = CopilotConfig['models'][number];

/** Models of one provider. */
export type ModelGroup = {
  readonly provider: string;
  readonly title: string;
  readonly models: readonly Option[];
};

const TITLES: ReadonlyMap<string, string> = new Map([
  ['openai', 'OpenAI and compatible servers'],
  ['anthropic', 'Anthropic'],
  ['ollama', 'Ollama'],
  ['offline', 'Without a model'],
]);

/** Models by provider, both in the order in which they were given. */
export function groupModels(models: readonly Option[]): readonly ModelGroup[] {
  return [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, own]) => ({
    provider,
    title: TITLES.get(provider) ?? provider,
    models: own,
  }));
}
