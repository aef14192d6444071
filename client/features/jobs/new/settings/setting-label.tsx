import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import classes from '../new-job.module.css';
import { isModified, type SettingPath } from '../setting-paths.ts';
import type { SettingsProps } from './settings-props.ts';

type SettingLabelProps = Pick<SettingsProps, 'form' | 'dispatch' | 'expert'> & {
  readonly path: SettingPath;
  readonly name: string;
};

/** The name of a setting, where its value comes from, and the way back once it was changed. */
export function SettingLabel({ form, dispatch, expert, path, name }: SettingLabelProps) {
  const { newJob } = useWords();
  const layer = expert?.configSources.find((each) => each.path === path.join('.'))?.layer;
  if (form.expert === null || !isModified(form.expert.config, form.config, path)) {
    return (
      <Group gap={6} h={26}>
        <Text fw={500}>{name}</Text>
        <AiMark place={path} />
        <Text size="xs" c="dimmed">
          {expert && layer === expert.expertId ? newJob.setBy(expert.displayName) : newJob.inherited}
        </Text>
      </Group>
    );
  }
  return (
    <Group gap={6} h={26}>
      <Text fw={500}>{name}</Text>
      <AiMark place={path} />
      <Tooltip label={newJob.modified}>
        <span className={classes['dot']} role="img" aria-label={newJob.modified} />
      </Tooltip>
      <Tooltip label={newJob.reset(name)}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={newJob.reset(name)}
          disabled={form.lock !== null}
          onClick={() => dispatch({ type: 'reset-setting', path })}
        >
          <IconArrowBackUp size={14} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
