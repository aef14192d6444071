import { Button, Grid, Select } from '@mantine/core';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { overrideOf } from '../form-input.ts';
import { settingOf } from '../setting-paths.ts';
import { ModelField } from './model-field.tsx';
import { Presets } from './presets.tsx';
import { SettingLabel } from './setting-label.tsx';
import type { SettingsProps } from './settings-props.ts';
import { TemperatureField } from './temperature-field.tsx';
import { ToolCategories } from './tool-categories.tsx';

const LEVELS = ['none', 'low', 'medium', 'high'] as const;

/** Model, temperature, reasoning and tools, each with its way back to the expert. */
export function SettingsFields(props: SettingsProps) {
  const { form, dispatch, choices } = props;
  const { newJob } = useWords();
  const level = settingOf(form.config, ['llm', 'reasoning_level']);
  const isLocked = form.lock !== null;
  return (
    <Panel
      title={newJob.settings}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={overrideOf(form) === null || isLocked}
          onClick={() => dispatch({ type: 'reset-setting', path: null })}
        >
          {newJob.resetAll}
        </Button>
      }
    >
      <Presets form={form} dispatch={dispatch} presets={choices.configPresets} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <ModelField {...props} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <TemperatureField {...props} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <SettingLabel {...props} path={['llm', 'reasoning_level']} name={newJob.reasoning} />
          <Select
            aria-label={newJob.reasoning}
            readOnly={isLocked}
            allowDeselect={false}
            data={LEVELS.map((value) => ({ value, label: newJob.reasoningLevels[value] }))}
            value={typeof level === 'string' ? level : null}
            onChange={(value) =>
              value !== null && dispatch({ type: 'setting', path: ['llm', 'reasoning_level'], value })
            }
          />
        </Grid.Col>
      </Grid>
      <ToolCategories {...props} />
    </Panel>
  );
}
