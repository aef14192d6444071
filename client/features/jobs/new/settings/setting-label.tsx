import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { useServerText } from '../../../../lib/i18n/use-server-names.ts';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import { withoutEdit, type SettingPath } from '../job-form.ts';
import classes from '../new-job.module.css';
import { useNewJob } from '../use-job-form.ts';

type SettingProps = { readonly path: SettingPath; readonly name: string };

/** The name of a setting, and where its value comes from. */
export function SettingLabel({ path, name }: SettingProps) {
  const { newJob } = useWords();
  const textOf = useServerText();
  const { inputs, form, expert } = useNewJob();
  const layer = expert?.configSources.find((each) => each.path === path.join('.'))?.layer;
  const isChanged = form.expert !== null && inputs.isDirty(`config.${path.join('.')}`);
  return (
    <Group gap={6} h={26} wrap="nowrap">
      <Text fw={500} style={{ whiteSpace: 'nowrap' }}>
        {name}
      </Text>
      <SettingState path={path} name={name} />
      {!isChanged && (
        <Text size="xs" c="dimmed" truncate>
          {expert && layer === expert.expertId ? newJob.setBy(textOf(expert.displayName)) : newJob.inherited}
        </Text>
      )}
    </Group>
  );
}

/** That a setting was changed, by whom, and a button that resets it; nothing while it is the expert's. */
export function SettingState({ path, name }: SettingProps) {
  const { newJob } = useWords();
  const { inputs, form, isLocked, edit } = useNewJob();
  const isChanged = form.expert !== null && inputs.isDirty(`config.${path.join('.')}`);
  return (
    <>
      <AiMark place={path} />
      {isChanged && (
        <>
          <Tooltip label={newJob.modified}>
            <span className={classes['dot']} role="img" aria-label={newJob.modified} />
          </Tooltip>
          <Tooltip label={newJob.reset(name)}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={newJob.reset(name)}
              disabled={isLocked}
              onClick={() => edit((now) => withoutEdit(now, path))}
            >
              <IconArrowBackUp size={14} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </>
  );
}
