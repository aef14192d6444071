import { useQuery } from 'urql';
import { SharingViewerDocument } from '../../gql/graphql.ts';

/** Who looks at the page; null until it is known. Without sign-in everybody is the same one, with nobody to share with. */
export function useViewer() {
  const [{ data }] = useQuery({ query: SharingViewerDocument });
  if (!data) return null;
  const { id, role, projectId } = data.viewer;
  return { id, role, projectId, isAlone: id === 'local', mayRunJobs: role !== 'viewer' };
}
