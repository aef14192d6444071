import { Autocomplete, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { problemText } from '../field.ts';
import { settingOf } from '../setting-paths.ts';
import { SettingLabel } from './setting-label.tsx';
import type { SettingsProps } from './settings-props.ts';

const PATH = ['llm', 'model'] as const;

/** Models by provider to choose from, or any other name; nothing is the expert's own. */
export function ModelField(props: SettingsProps) {
  const { form, dispatch, expert, choices, problems, onFocusable } = props;
  const { newJob } = useWords();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => onFocusable('model', () => field.current?.focus()), [onFocusable]);
  const value = settingOf(form.config, PATH);
  const name = typeof value === 'string' ? value : '';
  const models = choices.modelCatalog.flatMap((group) => group.models);
  const change = (typed: string): void =>
    dispatch(
      typed === '' ? { type: 'reset-setting', path: PATH } : { type: 'setting', path: PATH, value: typed },
    );
  return (
    <>
      <SettingLabel {...props} path={PATH} name={newJob.model} />
      <Autocomplete
        ref={field}
        aria-label={newJob.model}
        readOnly={form.lock !== null}
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
        error={problemText(problems, 'model')}
        description={hintOf(newJob, models, name.trim())}
      />
    </>
  );
}

function hintOf(
  words: { readonly modelHint: string; readonly modelUnknown: string; readonly modelUnavailable: string },
  models: readonly { readonly name: string; readonly available: boolean }[],
  name: string,
): string {
  if (name === '') return words.modelHint;
  const known = models.find((model) => model.name === name);
  if (known === undefined) return words.modelUnknown;
  return known.available ? words.modelHint : words.modelUnavailable;
}
