import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../../builder/session/builder-provider.tsx';
import classes from './new-job.module.css';
import { useNewJob } from './use-job-form.ts';

type SubmitBarProps = { readonly isUploading: boolean; readonly onDiscard: () => void };

/** Sends the form or discards its draft; stays in view wherever the page is scrolled. */
export function SubmitBar({ isUploading, onDiscard }: SubmitBarProps) {
  const { newJob } = useWords();
  const { lock } = useNewJob().form;
  return (
    <div className={classes['submit']}>
      <Errors />
      <Group gap="sm">
        <Button
          type="submit"
          loading={lock === 'SUBMIT'}
          disabled={lock === 'BUILDER' || isUploading}
          leftSection={<IconPlayerPlay size={16} />}
        >
          {newJob.submit}
        </Button>
        {lock === 'BUILDER' ? (
          <Locked />
        ) : (
          <>
            <Button variant="subtle" color="gray" disabled={lock === 'SUBMIT'} onClick={onDiscard}>
              {newJob.discard}
            </Button>
            <Text size="xs" c="dimmed">
              {isUploading ? newJob.uploading : newJob.kept}
            </Text>
          </>
        )}
      </Group>
    </div>
  );
}

/** Errors of no field in full; for the others, that they are shown at their fields. */
function Errors() {
  const { newJob } = useWords();
  const errors = Object.entries(useNewJob().inputs.errors);
  if (errors.length === 0) return null;
  const ofForm = errors.filter(([path]) => path.startsWith('form.'));
  return (
    <Alert color="red" title={newJob.notSent} role="alert" mb="xs" py="xs">
      {[...ofForm, ...(ofForm.length < errors.length ? [['fields', newJob.seeFields] as const] : [])].map(
        ([path, text]) => (
          <Text key={path} size="sm">
            {text}
          </Text>
        ),
      )}
    </Alert>
  );
}

/** On a narrow page the builder may be out of view, so it can be stopped here too. */
function Locked() {
  const { newJob, builder } = useWords();
  const { writing, stop } = useBuilder();
  return (
    <>
      {writing !== null && (
        <Button
          variant="default"
          leftSection={<IconPlayerStopFilled size={14} />}
          onClick={() => void stop()}
        >
          {builder.stopWriting}
        </Button>
      )}
      <Text size="xs" c="dimmed" role="status">
        {newJob.lockedByBuilder}
      </Text>
    </>
  );
}
