import { Group, NumberInput, Slider } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { problemText } from '../field.ts';
import { settingOf } from '../setting-paths.ts';
import { SettingLabel } from './setting-label.tsx';
import type { SettingsProps } from './settings-props.ts';

const PATH = ['llm', 'temperature'] as const;
/** Of the slider; the number beside it goes on to {@link HOTTEST}. */
const WARMEST = 1;
const HOTTEST = 2;

/** How much chance there is in an answer: a slider for what is usual, a number for the rest. */
export function TemperatureField(props: SettingsProps) {
  const { form, dispatch, problems, onFocusable } = props;
  const { newJob } = useWords();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => onFocusable('temperature', () => field.current?.focus()), [onFocusable]);
  const stored = settingOf(form.config, PATH);
  const value = typeof stored === 'number' ? stored : 0;
  // A field that was emptied stands for the expert's value, and shows it when it is left.
  const [isEmpty, setEmpty] = useState(false);
  const isLocked = form.lock !== null;
  const change = (next: number | string): void => {
    setEmpty(next === '');
    if (typeof next === 'number') dispatch({ type: 'setting', path: PATH, value: next });
    else if (next === '') dispatch({ type: 'reset-setting', path: PATH });
  };
  return (
    <>
      <SettingLabel {...props} path={PATH} name={newJob.temperature} />
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
          ref={field}
          w={80}
          min={0}
          max={HOTTEST}
          clampBehavior="none"
          step={0.1}
          decimalScale={2}
          readOnly={isLocked}
          aria-label={newJob.temperatureValue}
          value={isEmpty ? '' : value}
          onBlur={() => setEmpty(false)}
          error={problemText(problems, 'temperature')}
          onChange={change}
        />
      </Group>
    </>
  );
}
