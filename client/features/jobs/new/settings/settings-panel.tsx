import { Button, Grid, Group, Text, Tooltip } from '@mantine/core';
import { isSameJson } from '../../../../../src/domain/artifacts/config-merge.ts';
import { Panel } from '../../../../components/panel.tsx';
import type { NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { jsonObject } from '../../json-object.ts';
import {
  holdsPreset,
  overrideOf,
  ownSettings,
  settingOf,
  withoutEdits,
  withPreset,
  type JobForm,
} from '../job-form.ts';
import classes from '../new-job.module.css';
import { useNewJob, useUndoableEdit } from '../use-job-form.ts';
import { ModelField, ReasoningField, TemperatureField } from './model-fields.tsx';
import { ToolCategories } from './tool-categories.tsx';

/** Model, temperature, reasoning and tools, each of which can be reset to the expert's. */
export function SettingsPanel() {
  const { newJob } = useWords();
  const { form, isLocked, choices } = useNewJob();
  const editUndoably = useUndoableEdit();
  return (
    <Panel
      title={newJob.settings}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes['quiet']}
          disabled={overrideOf(form) === null || isLocked}
          onClick={() => editUndoably(withoutEdits, newJob.settingsReset)}
        >
          {newJob.resetAll}
        </Button>
      }
    >
      {choices.configPresets.length > 0 && (
        <Group gap="xs" mb="sm" role="group" aria-label={newJob.presets} className={classes['quiet']}>
          <Text size="xs" c="dimmed">
            {newJob.presets}
          </Text>
          {choices.configPresets.map((preset) => (
            <Preset key={preset.presetId} preset={preset} />
          ))}
        </Group>
      )}
      <Grid gap="md">
        {[ModelField, TemperatureField, ReasoningField].map((Field, index) => (
          <Grid.Col key={index} span={{ base: 12, sm: 6, lg: 4 }}>
            <Field />
          </Grid.Col>
        ))}
      </Grid>
      <ToolCategories />
    </Panel>
  );
}

/** Keyboard users have to be able to read why a preset cannot be used, too. */
const EVENTS = { hover: true, focus: true, touch: true } as const;

/** Named settings, merged into those of the form. Unusable ones show the reason. */
function Preset({
  preset: { presetId, title, description, override, unavailableReason },
}: {
  readonly preset: NewJobChoicesQuery['configPresets'][number];
}) {
  const { newJob } = useWords();
  const textOf = useServerText();
  const { form, isLocked, edit, choices } = useNewJob();
  const editUndoably = useUndoableEdit();
  const settings = jsonObject.parse(override);
  const isChosen = form.presetId === presetId;
  const isModified = isChosen && !holdsPreset(form, settings);
  const isDisabled = unavailableReason !== null || isLocked;
  const take = (): void => {
    if (isDisabled) return;
    const change = (now: JobForm): JobForm => withPreset(now, presetId, settings);
    const last = choices.configPresets.find((preset) => preset.presetId === form.presetId);
    const replaced = ownSettings(form, jsonObject.parse(last?.override ?? {})).filter(
      (path) => !isSameJson(settingOf(form.config, path), settingOf(change(form).config, path)),
    );
    if (replaced.length === 0) edit(change);
    else {
      const names = replaced.map((path) => path.join('.')).join(', ');
      editUndoably(change, newJob.presetReplaced(textOf(title), names));
    }
  };
  return (
    <Tooltip label={textOf(unavailableReason ?? description)} multiline maw={280} events={EVENTS}>
      <Button
        size="compact-xs"
        variant={isChosen && !isModified ? 'filled' : isModified ? 'light' : 'default'}
        aria-pressed={isChosen}
        aria-description={textOf(unavailableReason ?? description)}
        // It stays focusable, so that the reason can be read.
        aria-disabled={isDisabled}
        {...(isDisabled && { 'data-disabled': true })}
        onClick={take}
      >
        {isModified ? newJob.presetModified(textOf(title)) : textOf(title)}
      </Button>
    </Tooltip>
  );
}
