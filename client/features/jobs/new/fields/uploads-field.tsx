import { ActionIcon, Button, Collapse, FileButton, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFileUpload, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { FieldError } from '../field-error.tsx';
import { problemText, type CheckedFieldProps, type FieldProps } from '../field.ts';
import type { JobForm } from '../form-state.ts';
import classes from '../new-job.module.css';
import { useUpload } from './use-upload.ts';

type UploadsFieldProps = CheckedFieldProps & {
  /** A file is on its way, or has come. */
  readonly onUploading: (isUploading: boolean) => void;
};

/** Files in the place of fields, for those who have them; out of the way of everybody else. */
export function UploadsField({ form, dispatch, problems, onFocusable, onUploading }: UploadsFieldProps) {
  const { newJob } = useWords();
  const hasSome = form.uploads.instructions !== null || form.uploads.config !== null;
  const [isOpen, setOpen] = useState(hasSome);
  const id = useId();
  const fold = useRef<HTMLButtonElement>(null);
  useEffect(() => onFocusable('uploads', () => fold.current?.focus()), [onFocusable]);
  const problem = problemText(problems, 'uploads');
  const field = { form, dispatch, onUploading };
  return (
    <section aria-label={newJob.advanced}>
      <UnstyledButton
        ref={fold}
        className={classes['fold']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen} />
        {newJob.advanced}
      </UnstyledButton>
      <FieldError text={problem} />
      <Collapse expanded={isOpen} id={id}>
        <Text size="xs" c="dimmed" my={4}>
          {newJob.advancedHint}
        </Text>
        <UploadField
          label={newJob.uploadInstructions}
          accept=".md,.txt,text/markdown,text/plain"
          field="instructions"
          {...field}
        />
        <UploadField label={newJob.uploadConfig} accept=".yaml,.yml" field="config" {...field} />
      </Collapse>
    </section>
  );
}

type UploadFieldProps = FieldProps &
  Pick<UploadsFieldProps, 'onUploading'> & {
    readonly label: string;
    readonly accept: string;
    readonly field: keyof JobForm['uploads'];
  };

function UploadField({ label, accept, field, form, dispatch, onUploading }: UploadFieldProps) {
  const { newJob } = useWords();
  const { upload, isUploading } = useUpload();
  const [refused, setRefused] = useState<string | null>(null);
  const taken = form.uploads[field];
  const take = async (file: File): Promise<void> => {
    setRefused(null);
    onUploading(true);
    const outcome = await upload(file);
    onUploading(false);
    if ('upload' in outcome) dispatch({ type: 'upload', field, upload: outcome.upload });
    else setRefused(outcome.refused);
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
      <FieldError text={refused} />
    </Group>
  );
}
