import { Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { CopilotProposedJobDocument } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { Step } from '../model/session-view.ts';

const PROPOSING_TOOL = 'propose_job';

/** The jobs that an answer drafted: each opens in the form, where a person may submit it. */
export function ProposedJobs({ steps }: { readonly steps: readonly Step[] }) {
  return steps.map(({ tool, status, recordId }) =>
    tool === PROPOSING_TOOL && status === 'OK' && recordId !== null ? (
      <ProposedJob key={recordId} callId={recordId} />
    ) : null,
  );
}

function ProposedJob({ callId }: { readonly callId: string }) {
  const { copilot } = useWords();
  const [{ data }] = useQuery({ query: CopilotProposedJobDocument, variables: { id: callId } });
  const draft = data?.node && 'jobDraft' in data.node ? data.node.jobDraft : null;
  if (!draft) return null;
  return (
    <Button
      component={Link}
      to={`/jobs/new?draft=${encodeURIComponent(draft.id)}`}
      variant="light"
      size="xs"
      my="xs"
      leftSection={<IconListCheck size={16} />}
      title={draft.description}
    >
      {copilot.openDraft(draft.expert?.displayName ?? null)}
    </Button>
  );
}
