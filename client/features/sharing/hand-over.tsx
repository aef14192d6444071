import { Button, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserShare } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useClient, useQuery } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { HandOverJobDocument, SharingMembersDocument } from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useViewer } from './use-viewer.ts';

/** Gives a job of the viewer to another member who may run jobs. */
export function HandOver({ jobId }: { readonly jobId: string }) {
  const { sharing, common } = useWords();
  const [isOpen, dialog] = useDisclosure();
  const viewer = useViewer();
  if (viewer === null || viewer.isAlone || !viewer.mayRunJobs) return null;
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconUserShare size={14} />} onClick={dialog.open}>
        {sharing.handOver}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={sharing.handOverTitle}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <Form jobId={jobId} me={viewer.id} />
      </Modal>
    </>
  );
}

function Form({ jobId, me }: { readonly jobId: string; readonly me: string }) {
  const { sharing } = useWords();
  const client = useClient();
  const navigate = useNavigate();
  const refusal = useRefusal();
  const [{ data, error: unread }, read] = useQuery({ query: SharingMembersDocument });
  const [userId, setUserId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const able = (data?.members ?? []).filter((member) => member.role !== 'VIEWER' && member.userId !== me);
  const send = async (): Promise<void> => {
    if (userId === null) return;
    setSending(true);
    const { data: done, error } = await client
      .mutation(HandOverJobDocument, { input: { jobId, userId } })
      .toPromise();
    setSending(false);
    const message = refusal(done?.handOverJob, error);
    setFailure(message);
    if (message === null) await navigate('/jobs');
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{sharing.handOverText}</Text>
      {!data && unread && (
        <LoadError error={unread} onRetry={() => read({ requestPolicy: 'network-only' })} />
      )}
      {data && able.length === 0 && <Text size="sm">{sharing.nobodyToTake}</Text>}
      <Select
        size="xs"
        label={sharing.handOverTo}
        data={able.map(({ userId: value, name }) => ({ value, label: name }))}
        value={userId}
        onChange={setUserId}
        error={failure}
      />
      <Button size="xs" disabled={userId === null} loading={isSending} onClick={() => void send()}>
        {sharing.handOver}
      </Button>
    </Stack>
  );
}
