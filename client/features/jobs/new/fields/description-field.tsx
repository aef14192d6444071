import { Grid, Select, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { AiMark } from '../../../builder/marks/ai-mark.tsx';
import { problemText, type CheckedFieldProps } from '../field.ts';

type DescriptionFieldProps = CheckedFieldProps & { readonly chips: NewJobChoicesQuery['chips'] };

/** What is to be done, in short, and on which chip. */
export function DescriptionField({ form, dispatch, chips, problems, onFocusable }: DescriptionFieldProps) {
  const { newJob } = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => onFocusable('description', () => field.current?.focus()), [onFocusable]);
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, sm: 9 }}>
        <Textarea
          ref={field}
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
          readOnly={form.lock !== null}
          value={form.description}
          error={problemText(problems, 'description')}
          onChange={({ currentTarget }) => dispatch({ type: 'description', text: currentTarget.value })}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 3 }}>
        <Select
          label={newJob.chip}
          description={'\u00a0'}
          placeholder={newJob.noChip}
          clearable
          clearButtonProps={{ 'aria-label': newJob.noChip }}
          data={chips.map(({ chipId }) => chipId)}
          value={form.chipId}
          error={problemText(problems, 'chip')}
          onChange={(chipId) => dispatch({ type: 'chip', chipId })}
        />
      </Grid.Col>
    </Grid>
  );
}
