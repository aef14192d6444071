import { useCallback, useRef, useState } from 'react';
import { useClient } from 'urql';
import { ExpertForJobDocument, type ExpertWholeFragment } from '../../../../gql/graphql.ts';

/** Reads whole experts, one at a time: an answer that another request has overtaken is dropped. */
export function useExpertReader() {
  const client = useClient();
  const newest = useRef(0);
  const [loadingId, setLoadingId] = useState<string | null>(null);
  const read = useCallback(
    async (expertId: string): Promise<ExpertWholeFragment | null> => {
      newest.current += 1;
      const own = newest.current;
      setLoadingId(expertId);
      const { data } = await client
        .query(ExpertForJobDocument, { expertId }, { requestPolicy: 'network-only' })
        .toPromise();
      if (own !== newest.current) return null;
      setLoadingId(null);
      return data?.expert ?? null;
    },
    [client],
  );
  return { read, loadingId };
}
