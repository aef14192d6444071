import { useState } from 'react';
import { useQuery, type AnyVariables, type UseQueryArgs, type UseQueryResponse } from 'urql';

/**
 * A query whose answer stays when the same question cannot be answered again: urql forgets it then. `error`
 * reports the failure either way, so components check for data first.
 */
export function useKeptQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Data, Variables> {
  const [state, execute] = useQuery(args);
  const [kept, keep] = useState<{ readonly question: number | undefined; readonly data: Data } | null>(null);
  const { data, operation } = state;
  if (data != null && data !== kept?.data) keep({ question: operation?.key, data });
  if (data != null || kept === null || kept.question !== operation?.key) return [state, execute];
  return [{ ...state, data: kept.data }, execute];
}
