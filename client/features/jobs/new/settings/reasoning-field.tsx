import { Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { problemText } from '../field.ts';
import { settingOf } from '../setting-paths.ts';
import { SettingLabel } from './setting-label.tsx';
import type { SettingsProps } from './settings-props.ts';

const PATH = ['llm', 'reasoning_level'] as const;
const LEVELS = ['none', 'low', 'medium', 'high'] as const;

/** How much the model thinks before it answers. */
export function ReasoningField(props: SettingsProps) {
  const { form, dispatch, problems, onFocusable } = props;
  const { newJob } = useWords();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => onFocusable('reasoning', () => field.current?.focus()), [onFocusable]);
  const level = settingOf(form.config, PATH);
  return (
    <>
      <SettingLabel {...props} path={PATH} name={newJob.reasoning} />
      <Select
        ref={field}
        aria-label={newJob.reasoning}
        readOnly={form.lock !== null}
        allowDeselect={false}
        data={LEVELS.map((value) => ({ value, label: newJob.reasoningLevels[value] }))}
        value={typeof level === 'string' ? level : null}
        error={problemText(problems, 'reasoning')}
        onChange={(value) => value !== null && dispatch({ type: 'setting', path: PATH, value })}
      />
    </>
  );
}
