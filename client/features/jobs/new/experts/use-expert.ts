import { notifications } from '@mantine/notifications';
import { useCallback, useRef, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { ExpertForJobDocument, type ExpertWholeFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';

/** All about an expert; null while it is loading and if there is none. */
export function useWholeExpert(expertId: string | null): ExpertWholeFragment | null {
  const [{ data }] = useQuery({
    query: ExpertForJobDocument,
    variables: { expertId: expertId ?? '' },
    pause: expertId === null,
    requestPolicy: 'cache-first',
  });
  return data?.expert?.expertId === expertId ? (data.expert ?? null) : null;
}

/** Reads whole experts, one at a time: an answer overtaken by another request is dropped. Failures are notified. */
export function useExpertReader() {
  const client = useClient();
  const { common, newJob } = useWords();
  const newest = useRef(0);
  const [loadingId, setLoadingId] = useState<string | null>(null);
  const read = useCallback(
    async (expertId: string): Promise<ExpertWholeFragment | null> => {
      newest.current += 1;
      const own = newest.current;
      setLoadingId(expertId);
      const { data, error } = await client
        .query(ExpertForJobDocument, { expertId }, { requestPolicy: 'network-only' })
        .toPromise();
      if (own !== newest.current) return null;
      setLoadingId(null);
      if (data?.expert) return data.expert;
      const message = error?.networkError ? common.noServer : (error?.message ?? newJob.problems.EXPERT_GONE);
      notifications.show({ color: 'red', message });
      return null;
    },
    [client, common, newJob],
  );
  return { read, loadingId };
}
