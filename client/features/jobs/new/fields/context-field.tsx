import { Button, Code } from '@mantine/core';
import { Panel } from '../../../../components/panel.tsx';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import type { FieldProps } from '../field.ts';

/** Facts that the job starts from, where it was filled by something that has some. */
export function ContextField({ form, dispatch }: FieldProps) {
  const { newJob } = useWords();
  if (form.context === null) return null;
  return (
    <Panel
      title={newJob.context}
      aside={
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={form.lock !== null}
          onClick={() => dispatch({ type: 'drop-context' })}
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
