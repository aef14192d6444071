import { Badge, Button, ScrollArea } from '@mantine/core';
import { useId, useState } from 'react';
import { Panel } from '../../../components/panel.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './job.module.css';

/** The instructions of the job, byte for byte, and where they come from. */
export function InstructionsPanel({
  instructions: { text, source },
}: {
  readonly instructions: JobDetailFragment['effectiveInstructions'];
}) {
  const { jobs } = useWords();
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <Panel
      title={jobs.instructions}
      aside={
        <Badge size="sm" variant="light" color="gray" tt="none">
          {jobs.instructionSources[source]}
        </Badge>
      }
    >
      <Button
        size="compact-xs"
        variant="default"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? jobs.hideInstructions : jobs.showInstructions}
      </Button>
      <div id={id}>
        {isShown && (
          <ScrollArea.Autosize
            mah={480}
            mt="xs"
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': jobs.instructions }}
          >
            <pre className={classes['instructions']}>{text}</pre>
          </ScrollArea.Autosize>
        )}
      </div>
    </Panel>
  );
}
