import { Button, Group, Text, Tooltip } from '@mantine/core';
import type { NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { jsonObject } from '../../json-object.ts';
import type { FieldProps } from '../field.ts';
import { holdsPreset } from '../form-state.ts';
import classes from '../new-job.module.css';

type PresetsProps = FieldProps & { readonly presets: NewJobChoicesQuery['configPresets'] };

/** Why a preset cannot be used has to be read by keyboard too. */
const EVENTS = { hover: true, focus: true, touch: true } as const;

/** Settings under a name, laid over what is set. Those that cannot be used say why. */
export function Presets({ form, dispatch, presets }: PresetsProps) {
  const { newJob } = useWords();
  if (presets.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={newJob.presets} className={classes['quiet']}>
      <Text size="xs" c="dimmed">
        {newJob.presets}
      </Text>
      {presets.map((preset) => (
        <Preset key={preset.presetId} form={form} dispatch={dispatch} preset={preset} />
      ))}
    </Group>
  );
}

function Preset({
  form,
  dispatch,
  preset: { presetId, title, description, override, unavailableReason },
}: FieldProps & { readonly preset: PresetsProps['presets'][number] }) {
  const { newJob } = useWords();
  const settings = jsonObject.parse(override);
  const isChosen = form.presetId === presetId;
  const isModified = isChosen && !holdsPreset(form, settings);
  const isUseless = unavailableReason !== null || form.lock !== null;
  return (
    <Tooltip label={unavailableReason ?? description} multiline maw={280} events={EVENTS}>
      <Button
        size="compact-xs"
        variant={isChosen && !isModified ? 'filled' : isModified ? 'light' : 'default'}
        aria-pressed={isChosen}
        aria-description={unavailableReason ?? description}
        // It can still be reached, to read why it cannot be used.
        aria-disabled={isUseless}
        {...(isUseless && { 'data-disabled': true })}
        onClick={() => !isUseless && dispatch({ type: 'preset', presetId, override: settings })}
      >
        {isModified ? newJob.presetModified(title) : title}
      </Button>
    </Tooltip>
  );
}
