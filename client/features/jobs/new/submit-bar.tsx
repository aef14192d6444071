import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../../builder/session/builder-provider.tsx';
import type { ShownProblem } from './field.ts';
import classes from './new-job.module.css';

type SubmitBarProps = {
  readonly isSending: boolean;
  readonly isLocked: boolean;
  readonly isUploading: boolean;
  /** Why the last attempt made no job; empty for none. */
  readonly problems: readonly ShownProblem[];
  readonly onDiscard: () => void;
};

/** Sends the form, or throws its draft away; in sight wherever the page is scrolled. */
export function SubmitBar({ isSending, isLocked, isUploading, problems, onDiscard }: SubmitBarProps) {
  const { newJob } = useWords();
  return (
    <div className={classes['submit']}>
      <Refusal problems={problems} />
      <Group gap="sm">
        <Button
          type="submit"
          loading={isSending}
          disabled={isLocked || isUploading}
          leftSection={<IconPlayerPlay size={16} />}
        >
          {newJob.submit}
        </Button>
        {isLocked ? (
          <Locked />
        ) : (
          <>
            <Button variant="subtle" color="gray" disabled={isSending} onClick={onDiscard}>
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

/** What has no field is said here; of the rest, that it is said there. */
function Refusal({ problems }: { readonly problems: readonly ShownProblem[] }) {
  const { newJob } = useWords();
  if (problems.length === 0) return null;
  const texts = problems.filter(({ field }) => field === null).map(({ text }) => text);
  const hasFields = texts.length < problems.length;
  return (
    <Alert color="red" title={newJob.notSent} role="alert" mb="xs" py="xs">
      {[...texts, ...(hasFields ? [newJob.seeFields] : [])].map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </Alert>
  );
}

/** The builder may be out of sight on a narrow page, so it can be stopped here too. */
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
