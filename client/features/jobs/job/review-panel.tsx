import { Alert, Button, Code, Group, Text, Textarea } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useUnsaved } from '../../../lib/unsaved.tsx';
import type { JobDetailFragment } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useJobActions } from '../use-job-actions.ts';

/** What the job asks a person, and the two answers: it is done, or goes back with a note. */
export function ReviewPanel({
  job: { id, run, reviewNote, reviewCall },
}: {
  readonly job: JobDetailFragment;
}) {
  const { jobs, copilot } = useWords();
  const { review } = useJobActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const [note, setNote] = useState('');
  useUnsaved(note.trim() === '' ? null : note);
  const [isMissing, setMissing] = useState(false);
  const [isSending, setSending] = useState(false);
  const send = async (verdict: 'APPROVE' | 'SEND_BACK', approveCall = false): Promise<void> => {
    if (verdict === 'SEND_BACK' && !approveCall && note.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    setSending(true);
    // Once it is accepted, the panel waits for the job to move on: the question shown is answered.
    const isAccepted = await review({ jobId: id, run, verdict, note: note.trim() || null, approveCall });
    if (!isAccepted) setSending(false);
  };
  return (
    <Alert variant="default" title={jobs.reviewTitle} icon={<IconUserQuestion size={18} />}>
      {reviewCall ? (
        <>
          <Text size="sm">{copilot.approvalText(reviewCall.serverTool, reviewCall.server)}</Text>
          <Code block my="xs">
            {JSON.stringify(reviewCall.arguments, null, 2)}
          </Code>
        </>
      ) : (
        reviewNote
      )}
      <Textarea
        ref={field}
        mt="xs"
        label={jobs.reviewNote}
        description={jobs.reviewNoteHint}
        autosize
        minRows={2}
        maxRows={8}
        value={note}
        error={isMissing && jobs.noteMissing}
        onChange={({ currentTarget }) => {
          setNote(currentTarget.value);
          setMissing(false);
        }}
      />
      <Group mt="xs" gap="xs">
        {reviewCall && (
          <Button size="xs" loading={isSending} onClick={() => void send('SEND_BACK', true)}>
            {jobs.approveCall}
          </Button>
        )}
        <Button
          size="xs"
          loading={isSending}
          variant={reviewCall ? 'default' : 'filled'}
          onClick={() => void send('APPROVE')}
        >
          {reviewCall ? jobs.finishHere : jobs.approve}
        </Button>
        <Button size="xs" variant="default" disabled={isSending} onClick={() => void send('SEND_BACK')}>
          {jobs.sendBack}
        </Button>
      </Group>
    </Alert>
  );
}
