/** The fields that need little: description and chip, datasources, context. */
import { Badge, Button, Checkbox, Code, Grid, Group, Select, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { AiMark } from '../../builder/marks/ai-mark.tsx';
import { useNewJob } from './use-job-form.ts';

/** What the job is to do, in short, and on which chip. */
export function DescriptionField() {
  const { newJob } = useWords();
  const { inputs, choices } = useNewJob();
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, sm: 9 }}>
        <Textarea
          label={newJob.description}
          description={
            <>
              {newJob.descriptionHint} <AiMark place="description" />
            </>
          }
          withAsterisk
          autosize
          minRows={1}
          maxRows={6}
          {...inputs.getInputProps('description')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 3 }}>
        <Select
          label={newJob.chip}
          description={'\u00a0'}
          placeholder={newJob.noChip}
          clearable
          clearButtonProps={{ 'aria-label': newJob.noChip }}
          data={choices.chips.map(({ chipId }) => chipId)}
          {...inputs.getInputProps('chipId')}
        />
      </Grid.Col>
    </Grid>
  );
}

/** What else the job may read. */
export function DatasourcesField() {
  const { newJob } = useWords();
  const { inputs, form, choices } = useNewJob();
  return (
    <Panel title={newJob.datasources}>
      {choices.datasources.length === 0 ? (
        <Text c="dimmed">{newJob.noDatasources}</Text>
      ) : (
        <Checkbox.Group
          description={newJob.datasourcesHint}
          value={form.datasourceIds}
          onChange={(ids) => inputs.setFieldValue('datasourceIds', ids)}
        >
          {choices.datasources.map(({ id, name, type, readOnly }) => (
            <Group key={id} gap="xs" mt="xs">
              <Checkbox value={id} label={name} />
              {[newJob.datasourceTypes[type], ...(readOnly ? [newJob.readOnly] : [])].map((fact) => (
                <Badge key={fact} size="xs" variant="light" color="gray" tt="none">
                  {fact}
                </Badge>
              ))}
            </Group>
          ))}
        </Checkbox.Group>
      )}
    </Panel>
  );
}

/** Facts that the job starts from, if it was filled from something that has some. */
export function ContextField() {
  const { newJob } = useWords();
  const { form, isLocked, edit } = useNewJob();
  if (form.context === null) return null;
  return (
    <Panel
      title={newJob.context}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={isLocked}
          onClick={() => edit((now) => ({ ...now, context: null }))}
        >
          {newJob.dropContext}
        </Button>
      }
    >
      <Code block tabIndex={0}>
        {JSON.stringify(form.context, null, 2)}
      </Code>
    </Panel>
  );
}

/** The error of a field that cannot show it itself. */
export function FieldError({ children }: { readonly children: ReactNode }) {
  if (children == null) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" my={4} role="alert">
      {children}
    </Text>
  );
}
