import { ActionIcon, Button, Collapse, FileButton, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFileUpload, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useClient } from 'urql';
import { ARTIFACT_LIMITS } from '../../../../src/domain/artifacts/artifacts.ts';
import { UploadTextDocument } from '../../../gql/graphql.ts';
import { uploadContext } from '../../../lib/graphql/project.ts';
import { useRefusal } from '../../../lib/graphql/refusal.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { FieldError } from './fields.tsx';
import type { JobForm, UploadedText } from './job-form.ts';
import classes from './new-job.module.css';
import { useNewJob } from './use-job-form.ts';

type UploadsFieldProps = { readonly onUploading: (isUploading: boolean) => void };

/** Files instead of fields, folded away because few need them. */
export function UploadsField({ onUploading }: UploadsFieldProps) {
  const { newJob } = useWords();
  const { inputs, form } = useNewJob();
  const [isOpen, setOpen] = useState(form.uploads.instructions !== null || form.uploads.config !== null);
  const id = useId();
  return (
    <section aria-label={newJob.advanced}>
      <UnstyledButton
        data-path="uploads"
        className={classes['fold']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen} />
        {newJob.advanced}
      </UnstyledButton>
      <FieldError>{inputs.errors['uploads']}</FieldError>
      <Collapse expanded={isOpen} id={id}>
        <Text size="xs" c="dimmed" my={4}>
          {newJob.advancedHint}
        </Text>
        <UploadField
          label={newJob.uploadInstructions}
          accept=".md,.txt,text/markdown,text/plain"
          field="instructions"
          onUploading={onUploading}
        />
        <UploadField
          label={newJob.uploadConfig}
          accept=".yaml,.yml"
          field="config"
          onUploading={onUploading}
        />
      </Collapse>
    </section>
  );
}

type UploadFieldProps = UploadsFieldProps & {
  readonly label: string;
  readonly accept: string;
  readonly field: keyof JobForm['uploads'];
};

function UploadField({ label, accept, field, onUploading }: UploadFieldProps) {
  const { newJob } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const { inputs, form } = useNewJob();
  const [isUploading, setUploading] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const taken = form.uploads[field];
  const set = (upload: UploadedText | null): void =>
    inputs.setFieldValue('uploads', (uploads: JobForm['uploads']) => ({ ...uploads, [field]: upload }));
  const take = async (file: File): Promise<void> => {
    if (file.size > ARTIFACT_LIMITS.instructionsBytes) return setRefused(newJob.fileTooLarge(file.name));
    setRefused(null);
    setUploading(true);
    onUploading(true);
    const { data, error } = await client
      .mutation(UploadTextDocument, { input: { kind: 'TEXT', file } }, uploadContext())
      .toPromise();
    setUploading(false);
    onUploading(false);
    const result = data?.createUpload;
    if (result && 'upload' in result) set(result.upload);
    else setRefused(refusal(result, error));
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
            onClick={() => set(null)}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      )}
      <FieldError>{refused}</FieldError>
    </Group>
  );
}
