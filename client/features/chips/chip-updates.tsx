import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useSubscription, type AnyVariables, type UseQueryArgs, type UseQueryState } from 'urql';
import { ChipChangedDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useSoon } from '../../lib/use-soon.ts';

/** How often one chip is read again at most, while its results arrive one after the other. */
const QUIET_MS = 2_000;

/** Counts the times that what is shown of a chip has become old. */
const UpdatesContext = createContext(0);

/** Watches a chip for the queries below it: they ask again when a result has arrived, and when the network is back. */
export function ChipUpdates({ chipId, children }: { readonly chipId: string; readonly children: ReactNode }) {
  const [updates, setUpdates] = useState(0);
  const count = useCallback(() => setUpdates((before) => before + 1), []);
  const changed = useSoon(count, QUIET_MS);
  useSubscription({ query: ChipChangedDocument, variables: { chipId } }, (_before, data) => {
    changed();
    return data;
  });
  useEffect(() => {
    addEventListener('online', changed);
    return () => removeEventListener('online', changed);
  }, [changed]);
  return <UpdatesContext value={updates}>{children}</UpdatesContext>;
}

/** Changes whenever the displayed data of the watched chip has become stale. */
export const useChipUpdates = (): number => use(UpdatesContext);

/** A query about the chip that is watched; what was shown stays until there is a new answer. */
export function useChipQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryState<Data, Variables> & { readonly retry: () => void } {
  const updates = useChipUpdates();
  const [state, execute] = useKeptQuery(args);
  useEffect(() => {
    if (updates > 0) execute({ requestPolicy: 'network-only' });
  }, [updates, execute]);
  return { ...state, retry: () => execute({ requestPolicy: 'network-only' }) };
}
