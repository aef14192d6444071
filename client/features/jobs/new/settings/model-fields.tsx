import { Autocomplete, Group, NumberInput, Select, Slider, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { Words } from '../../../../lib/i18n/words.ts';
import { settingOf, withoutEdit, withSetting, type SettingPath } from '../job-form.ts';
import { HOTTEST } from '../job-input.ts';
import { useNewJob } from '../use-job-form.ts';
import { SettingLabel } from './setting-label.tsx';

/** A setting of the model: its value, its input's props, and a change; an empty one resets it to the expert's. */
function useSetting(path: SettingPath) {
  const { inputs, form, edit } = useNewJob();
  return {
    value: settingOf(form.config, path),
    input: inputs.getInputProps(`config.${path.join('.')}`),
    change: (next: string | number) =>
      edit((now) => (next === '' ? withoutEdit(now, path) : withSetting(now, path, next))),
  };
}

const MODEL = ['llm', 'model'] as const;

/** Models by provider to choose from, or any other name. */
export function ModelField() {
  const { newJob } = useWords();
  const { expert, choices } = useNewJob();
  const { value, input, change } = useSetting(MODEL);
  const name = typeof value === 'string' ? value : '';
  const models = choices.modelCatalog.flatMap((group) => group.models);
  return (
    <>
      <SettingLabel path={MODEL} name={newJob.model} />
      <Autocomplete
        {...input}
        aria-label={newJob.model}
        maxDropdownHeight={280}
        placeholder={expert ? newJob.modelDefault(expert.config.llm.model) : ''}
        data={choices.modelCatalog.map(({ title, models: ofGroup }) => ({
          group: title,
          items: ofGroup.map((model) => model.name),
        }))}
        renderOption={({ option }) => (
          <Group justify="space-between" w="100%" gap="xs">
            <Text size="sm">{option.value}</Text>
            {models.some((model) => model.name === option.value && !model.available) && (
              <Text size="xs" c="dimmed">
                {newJob.notConfigured}
              </Text>
            )}
          </Group>
        )}
        value={name}
        onChange={change}
        onBlur={() => name !== name.trim() && change(name.trim())}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={modelHint(newJob, models, name.trim())}
      />
    </>
  );
}

function modelHint(
  words: Words['newJob'],
  models: readonly { readonly name: string; readonly available: boolean }[],
  name: string,
): string {
  if (name === '') return words.modelHint;
  const known = models.find((model) => model.name === name);
  if (known === undefined) return words.modelUnknown;
  return known.available ? words.modelHint : words.modelUnavailable;
}

const TEMPERATURE = ['llm', 'temperature'] as const;
/** End of the slider; the number field next to it accepts up to {@link HOTTEST}. */
const WARMEST = 1;

/** How random answers are: a slider for usual values, a number for the others. */
export function TemperatureField() {
  const { newJob } = useWords();
  const { isLocked } = useNewJob();
  const { value: stored, input, change: set } = useSetting(TEMPERATURE);
  const value = typeof stored === 'number' ? stored : 0;
  // An emptied field means the expert's value, which appears when the field is left.
  const [isEmpty, setEmpty] = useState(false);
  const change = (next: number | string): void => {
    setEmpty(next === '');
    if (typeof next === 'number' || next === '') set(next);
  };
  return (
    <>
      <SettingLabel path={TEMPERATURE} name={newJob.temperature} />
      <Group gap="sm" wrap="nowrap">
        <Slider
          flex={1}
          min={0}
          max={WARMEST}
          step={0.05}
          label={null}
          disabled={isLocked}
          thumbLabel={newJob.temperature}
          value={Math.min(value, WARMEST)}
          onChange={change}
        />
        <NumberInput
          {...input}
          w={80}
          min={0}
          max={HOTTEST}
          clampBehavior="none"
          step={0.1}
          decimalScale={2}
          aria-label={newJob.temperatureValue}
          value={isEmpty ? '' : value}
          onBlur={() => setEmpty(false)}
          onChange={change}
        />
      </Group>
    </>
  );
}

const REASONING = ['llm', 'reasoning_level'] as const;
const LEVELS = ['none', 'low', 'medium', 'high'] as const;

/** How much the model thinks before it answers. */
export function ReasoningField() {
  const { newJob } = useWords();
  const { value, input, change } = useSetting(REASONING);
  return (
    <>
      <SettingLabel path={REASONING} name={newJob.reasoning} />
      <Select
        {...input}
        aria-label={newJob.reasoning}
        allowDeselect={false}
        data={LEVELS.map((level) => ({ value: level, label: newJob.reasoningLevels[level] }))}
        value={typeof value === 'string' ? value : null}
        onChange={(level: string | null) => level !== null && change(level)}
      />
    </>
  );
}
