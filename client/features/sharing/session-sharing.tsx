import { Group } from '@mantine/core';
import { useQuery } from 'urql';
import { SharingOfSessionDocument } from '../../gql/graphql.ts';
import { ShareButton, SharedBy } from './share-button.tsx';

/** Above a conversation: who may read it, or whose it is. */
export function SessionSharing({ sessionId }: { readonly sessionId: string }) {
  const [{ data }] = useQuery({ query: SharingOfSessionDocument, variables: { id: sessionId } });
  const session = data?.copilotSession;
  if (!session || session.id !== sessionId) return null;
  const { id, visibility, shareLink, sharedBy } = session;
  return (
    <Group justify="flex-end" px="md" py={4}>
      {sharedBy ? (
        <SharedBy name={sharedBy.name} />
      ) : (
        <ShareButton kind="session" id={id} visibility={visibility} shareLink={shareLink ?? null} />
      )}
    </Group>
  );
}
