import { Group, Text } from '@mantine/core';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { isModified, type SettingPath } from '../setting-paths.ts';
import { SettingState } from './setting-state.tsx';
import type { SettingsProps } from './settings-props.ts';

type SettingLabelProps = Pick<SettingsProps, 'form' | 'dispatch' | 'expert'> & {
  readonly path: SettingPath;
  readonly name: string;
};

/** The name of a setting, and where its value comes from. */
export function SettingLabel({ form, dispatch, expert, path, name }: SettingLabelProps) {
  const { newJob } = useWords();
  const layer = expert?.configSources.find((each) => each.path === path.join('.'))?.layer;
  const isOfExpert = form.expert === null || !isModified(form.expert.config, form.config, path);
  return (
    <Group gap={6} h={26} wrap="nowrap">
      <Text fw={500} style={{ whiteSpace: 'nowrap' }}>
        {name}
      </Text>
      <SettingState form={form} dispatch={dispatch} path={path} name={name} />
      {isOfExpert && (
        <Text size="xs" c="dimmed" truncate>
          {expert && layer === expert.expertId ? newJob.setBy(expert.displayName) : newJob.inherited}
        </Text>
      )}
    </Group>
  );
}
