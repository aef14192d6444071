import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useClient } from 'urql';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { OpenSharedDocument } from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Opens what a link shares: `/shared/:key`. */
export function OpenedLinkPage() {
  const { sharing } = useWords();
  const { key = '' } = useParams();
  const client = useClient();
  const navigate = useNavigate();
  const refusal = useRefusal();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let isLeft = false;
    void client
      .mutation(OpenSharedDocument, { input: { key } })
      .toPromise()
      .then(({ data, error }) => {
        if (isLeft) return;
        const opened = data?.openShared;
        const message = refusal(opened, error);
        if (message !== null || opened?.__typename !== 'OpenSharedPayload') return setFailure(message ?? '');
        const { session, job, board } = opened;
        const place = job ? `/jobs/${job.id}` : `/copilot/${session?.id ?? ''}`;
        void navigate(board ? `/boards/${board.id}` : place, { replace: true });
      });
    return () => void (isLeft = true);
  }, [client, key, navigate, refusal]);
  if (failure === null) return <PageSkeleton title={sharing.opening} />;
  return (
    <Stack p="md" align="flex-start">
      <PageTitle>{sharing.linkEnded}</PageTitle>
      <Title order={1}>{sharing.linkEnded}</Title>
      <Text>{failure}</Text>
      <Anchor component={Link} to="/copilot" underline="always">
        {sharing.toCopilot}
      </Anchor>
    </Stack>
  );
}
