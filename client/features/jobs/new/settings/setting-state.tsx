import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import classes from '../new-job.module.css';
import { isModified, type SettingPath } from '../setting-paths.ts';
import type { SettingsProps } from './settings-props.ts';

type SettingStateProps = Pick<SettingsProps, 'form' | 'dispatch'> & {
  readonly path: SettingPath;
  readonly name: string;
};

/** Whether a setting was changed, by whom, and its way back to the expert. Nothing for one that is as the expert has it. */
export function SettingState({ form, dispatch, path, name }: SettingStateProps) {
  const { newJob } = useWords();
  const isChanged = form.expert !== null && isModified(form.expert.config, form.config, path);
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
              disabled={form.lock !== null}
              onClick={() => dispatch({ type: 'reset-setting', path })}
            >
              <IconArrowBackUp size={14} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </>
  );
}
