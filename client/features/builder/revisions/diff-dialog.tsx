import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadError } from '../../../components/load-error.tsx';
import { BuilderRevisionDiffDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { DiffView } from '../review/diff-view.tsx';

/** What differs between two revisions. */
export function DiffDialog({
  sessionId,
  from,
  to,
  onClose,
}: {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
  readonly onClose: () => void;
}) {
  const { builder: words, common } = useWords();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={words.compare(from, to)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <RevisionDiff sessionId={sessionId} from={from} to={to} />
    </Modal>
  );
}

/** The difference itself. Revisions never change, so what was read once is not read again. */
export function RevisionDiff({
  sessionId,
  from,
  to,
}: {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
}) {
  const [{ data, error }, execute] = useQuery({
    query: BuilderRevisionDiffDocument,
    variables: { id: sessionId, from, to },
    requestPolicy: 'cache-first',
  });
  if (error) return <LoadError error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
  if (!data?.builderSession) return <Skeleton h={120} />;
  return <DiffView diff={data.builderSession.artifactDiff} />;
}
