import { useQuery } from 'urql';
import { ExpertForJobDocument, type ExpertWholeFragment } from '../../../../gql/graphql.ts';

/** Everything about an expert; null while it is on its way, or when there is none. */
export function useWholeExpert(expertId: string | null): ExpertWholeFragment | null {
  const [{ data }] = useQuery({
    query: ExpertForJobDocument,
    variables: { expertId: expertId ?? '' },
    pause: expertId === null,
    requestPolicy: 'cache-first',
  });
  return data?.expert?.expertId === expertId ? (data.expert ?? null) : null;
}
