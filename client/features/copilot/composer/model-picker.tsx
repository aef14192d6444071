import { Select } from '@mantine/core';
import type { CopilotSetupQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';

type Models = CopilotSetupQuery['copilotConfig']['models'];

/** Who is to answer, grouped by provider; null is the default. */
export function ModelPicker({
  models,
  defaultModel,
  model,
  onModel,
}: {
  readonly models: Models;
  readonly defaultModel: string;
  readonly model: string | null;
  readonly onModel: (model: string | null) => void;
}) {
  const { copilot } = useWords();
  if (models.length < 2) return null;
  const groups = Map.groupBy(models, ({ provider }) => provider);
  return (
    <Select
      size="xs"
      w={150}
      aria-label={copilot.model}
      allowDeselect={false}
      data={[...groups].map(([group, items]) => ({
        group,
        items: items.map(({ name, available }) => ({ value: name, label: name, disabled: !available })),
      }))}
      value={model ?? defaultModel}
      onChange={(name) => onModel(name === defaultModel ? null : name)}
    />
  );
}
