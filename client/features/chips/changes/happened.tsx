import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Age } from '../../../components/age.tsx';
import { LoadError } from '../../../components/load-error.tsx';
import { NoteList } from '../../../components/notes-panel.tsx';
import { ChipHappeningsDocument } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { recordPath } from '../../../lib/part-path.ts';
import classes from '../chip.module.css';
import { useChipQuery } from '../chip-updates.tsx';
import { Explain, Lines } from './lines.tsx';
import { PartName } from '../part-name.tsx';

/** Runs that failed, jobs that ended and notes that were written since then. */
export function Happened({ chipId, from }: { readonly chipId: string; readonly from: string }) {
  const { words } = useI18n();
  const { changes } = words.chip;
  const { data, error, retry } = useChipQuery({
    query: ChipHappeningsDocument,
    variables: { chipId, from },
  });
  const isSince = (at: string | null): boolean => at !== null && Date.parse(at) >= Date.parse(from);
  const notes = data?.chip?.humanNotes.filter(({ updatedAt }) => isSince(updatedAt)) ?? [];
  const jobs =
    data?.jobs.nodes.filter(({ finishedAt, chip }) => isSince(finishedAt) && chip?.chipId === chipId) ?? [];
  if (error && !data) return <LoadError error={error} onRetry={retry} />;
  return (
    <>
      <Lines of={data?.chip?.taskResults.nodes ?? []} text={changes.failed}>
        {({ id, taskId, qid, label, name, message, startAt }) => (
          <li key={id}>
            {qid !== '' && <PartName chipId={chipId} label={label} partId={qid} />}
            <Anchor component={Link} to={recordPath(taskId)} size="sm">
              {name}
            </Anchor>
            <Text span size="xs" c="dimmed" className={classes['grow'] ?? ''} title={message}>
              {message}
            </Text>
            {startAt !== null && (
              <Text span size="xs" c="dimmed">
                <Age at={startAt} />
              </Text>
            )}
            <Explain
              name={changes.explainRun(name, label)}
              draft={changes.whyFailed(name, label)}
              about={{ taskId }}
            />
          </li>
        )}
      </Lines>
      <Lines of={jobs} text={changes.jobs}>
        {({ id, description, status, finishedAt }) => (
          <li key={id}>
            <Anchor
              component={Link}
              to={`/jobs/${encodeURIComponent(id)}`}
              size="sm"
              className={classes['grow'] ?? ''}
            >
              {description}
            </Anchor>
            <Text span size="xs" c="dimmed">
              {words.jobs.status[status]} {finishedAt !== null && <Age at={finishedAt} />}
            </Text>
          </li>
        )}
      </Lines>
      {notes.length > 0 && (
        <>
          <Text size="sm" fw={600} mt={6} mb={4}>
            {changes.notes(notes.length)}
          </Text>
          <NoteList notes={notes} />
        </>
      )}
    </>
  );
}
