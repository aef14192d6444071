import type { CombinedError } from 'urql';
import { SharingViewerDocument } from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';

/** Without sign-in everybody is the same one, with nobody to share with. */
export type KnownViewer = {
  readonly id: string;
  readonly role: string;
  readonly projectId: string;
  readonly isAlone: boolean;
  readonly mayRunJobs: boolean;
};

/** Who looks at the page; null until it is known. */
export const useViewer = (): KnownViewer | null => useKnownViewer().viewer;

/** The same, with why it is not known. */
export function useKnownViewer(): {
  readonly viewer: KnownViewer | null;
  readonly error: CombinedError | undefined;
  readonly again: () => void;
} {
  const [{ data, error }, execute] = useKeptQuery({ query: SharingViewerDocument });
  const again = (): void => execute({ requestPolicy: 'network-only' });
  if (!data) return { viewer: null, error, again };
  const { id, role, projectId } = data.viewer;
  return {
    viewer: { id, role, projectId, isAlone: id === 'local', mayRunJobs: role !== 'viewer' },
    error,
    again,
  };
}
