import { ActionIcon, Button, Collapse, FileButton, Group, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronRight, IconFileUpload, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { FieldProps } from '../field.ts';
import type { JobForm } from '../form-state.ts';
import classes from '../new-job.module.css';
import { useUpload } from './use-upload.ts';

/** Files in the place of fields, for those who have them; out of the way of everybody else. */
export function UploadsField({ form, dispatch }: FieldProps) {
  const { newJob } = useWords();
  const hasSome = form.uploads.instructions !== null || form.uploads.config !== null;
  const [isOpen, setOpen] = useState(hasSome);
  const id = useId();
  return (
    <section aria-label={newJob.advanced}>
      <UnstyledButton
        className={classes['fold']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen} />
        {newJob.advanced}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <Text size="xs" c="dimmed" my={4}>
          {newJob.advancedHint}
        </Text>
        <UploadField
          label={newJob.uploadInstructions}
          accept=".md,.txt,text/markdown,text/plain"
          field="instructions"
          form={form}
          dispatch={dispatch}
        />
        <UploadField
          label={newJob.uploadConfig}
          accept=".yaml,.yml"
          field="config"
          form={form}
          dispatch={dispatch}
        />
      </Collapse>
    </section>
  );
}

type UploadFieldProps = FieldProps & {
  readonly label: string;
  readonly accept: string;
  readonly field: keyof JobForm['uploads'];
};

function UploadField({ label, accept, field, form, dispatch }: UploadFieldProps) {
  const { newJob } = useWords();
  const { upload, isUploading } = useUpload();
  const taken = form.uploads[field];
  const take = async (file: File): Promise<void> => {
    const outcome = await upload(file);
    if ('upload' in outcome) dispatch({ type: 'upload', field, upload: outcome.upload });
    else notifications.show({ color: 'red', message: outcome.refused });
  };
  return (
    <Group gap="sm" my={6}>
      <Text size="sm" w={230}>
        {label}
      </Text>
      {taken === null ? (
        <FileButton
          accept={accept}
          onChange={(file) => file && void take(file)}
          inputProps={{ 'aria-label': label }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={isUploading}
              leftSection={<IconFileUpload size={14} />}
              aria-label={`${label}: ${newJob.chooseFile}`}
            >
              {newJob.chooseFile}
            </Button>
          )}
        </FileButton>
      ) : (
        <Group gap={4}>
          <Text size="sm">{taken.name}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${label}: ${newJob.removeFile}`}
            onClick={() => dispatch({ type: 'upload', field, upload: null })}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}
