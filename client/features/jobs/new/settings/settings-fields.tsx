import { Button, Grid } from '@mantine/core';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { overrideOf } from '../form-input.ts';
import classes from '../new-job.module.css';
import { ModelField } from './model-field.tsx';
import { Presets } from './presets.tsx';
import { ReasoningField } from './reasoning-field.tsx';
import type { SettingsProps } from './settings-props.ts';
import { TemperatureField } from './temperature-field.tsx';
import { ToolCategories } from './tool-categories.tsx';

/** Model, temperature, reasoning and tools, each with its way back to the expert. */
export function SettingsFields(props: SettingsProps) {
  const { form, dispatch, choices } = props;
  const { newJob } = useWords();
  const isLocked = form.lock !== null;
  return (
    <Panel
      title={newJob.settings}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes['quiet']}
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
          <ReasoningField {...props} />
        </Grid.Col>
      </Grid>
      <ToolCategories {...props} />
    </Panel>
  );
}
