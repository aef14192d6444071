import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { useSubscription, type AnyVariables, type UseQueryArgs, type UseQueryState } from 'urql';
import { ChipChangedDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';

/** How often one chip is read again at most, while its results arrive one after the other. */
const QUIET_MS = 2_000;

/** Counts the times that what is shown of a chip has become old. */
const UpdatesContext = createContext(0);

/** Watches a chip for the queries below it: they ask again when a result has arrived, and when the network is back. */
export function ChipUpdates({ chipId, children }: { readonly chipId: string; readonly children: ReactNode }) {
  const [updates, setUpdates] = useState(0);
  const [arrived, setArrived] = useState(0);
  useSubscription({ query: ChipChangedDocument, variables: { chipId } }, (_before, data) => {
    setArrived((count) => count + 1);
    return data;
  });
  useEffect(() => {
    const again = (): void => setArrived((count) => count + 1);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  useEffect(() => {
    if (arrived === 0) return;
    const timer = setTimeout(() => setUpdates(arrived), QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
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
