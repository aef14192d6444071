import { Skeleton, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { FieldError } from '../field-error.tsx';
import { problemText } from '../field.ts';
import classes from '../new-job.module.css';
import type { SettingsProps } from './settings-props.ts';
import { ToolCategory } from './tool-category.tsx';

/** What the job may use, category by category. */
export function ToolCategories(props: SettingsProps) {
  const { expert, problems, onFocusable } = props;
  const { newJob } = useWords();
  const list = useRef<HTMLUListElement>(null);
  useEffect(
    () => onFocusable('tools', () => list.current?.querySelector<HTMLElement>('input:enabled')?.focus()),
    [onFocusable],
  );
  return (
    <>
      <Title order={3} mt="md" mb="xs">
        {newJob.tools}
      </Title>
      <FieldError text={problemText(problems, 'tools')} />
      {expert === null ? (
        <Skeleton height={180} />
      ) : (
        <ul className={classes['categories']} ref={list}>
          {expert.config.tools.map((category) => (
            <ToolCategory key={category.name} {...props} category={category} />
          ))}
        </ul>
      )}
    </>
  );
}
