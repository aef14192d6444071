import { Button, Group, Text, Tooltip } from '@mantine/core';
import type { NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { jsonObject } from '../../json-object.ts';
import type { FieldProps } from '../field.ts';

type PresetsProps = FieldProps & { readonly presets: NewJobChoicesQuery['configPresets'] };

/** Settings under a name, laid over what is set. Those that cannot be used say why. */
export function Presets({ form, dispatch, presets }: PresetsProps) {
  const { newJob } = useWords();
  if (presets.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={newJob.presets}>
      <Text size="xs" c="dimmed">
        {newJob.presets}
      </Text>
      {presets.map(({ presetId, title, description, override, unavailableReason }) => (
        <Tooltip key={presetId} label={unavailableReason ?? description} multiline maw={280}>
          <Button
            size="compact-xs"
            variant={form.presetId === presetId ? 'filled' : 'default'}
            aria-pressed={form.presetId === presetId}
            aria-description={unavailableReason ?? description}
            aria-disabled={unavailableReason !== null || form.lock !== null}
            {...((unavailableReason !== null || form.lock !== null) && { 'data-disabled': true })}
            onClick={() => {
              if (unavailableReason !== null) return;
              dispatch({ type: 'preset', presetId, override: jsonObject.parse(override) });
            }}
          >
            {title}
          </Button>
        </Tooltip>
      ))}
    </Group>
  );
}
