import type { Step } from '@qpilot/client/view';
import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CopilotDecideDocument } from '../../../gql/graphql.ts';
import { refusalOf } from '../../../lib/graphql/refusal.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useViewer } from '../../sharing/use-viewer.ts';

/** The calls of a turn that wait for a person: what would be called, with what, and the two answers. */
export function Approvals({
  steps,
  mayWrite,
}: {
  readonly steps: readonly Step[];
  readonly mayWrite: boolean;
}) {
  return steps.map(({ callId, status, approval }) =>
    status === 'RUNNING' && approval?.state === 'WAITING' ? (
      <ApprovalCard key={callId} approval={approval} mayWrite={mayWrite} />
    ) : null,
  );
}

function ApprovalCard({
  approval: { toolCallId, server, serverTool, arguments: given, until },
  mayWrite,
}: {
  readonly approval: NonNullable<Step['approval']>;
  readonly mayWrite: boolean;
}) {
  const { words, format } = useI18n();
  const { copilot } = words;
  const viewer = useViewer();
  const [{ fetching }, decide] = useMutation(CopilotDecideDocument);
  const [refused, setRefused] = useState<string | null>(null);
  const isEditor = viewer?.mayRunJobs === true;
  const send = async (approve: boolean): Promise<void> => {
    const { data, error } = await decide({ input: { toolCallId, approve } });
    setRefused(refusalOf(data?.decideToolCall, error));
  };
  return (
    <Alert
      variant="default"
      my="xs"
      role="group"
      aria-label={copilot.approvalTitle}
      title={copilot.approvalTitle}
      icon={<IconHandStop size={18} aria-hidden />}
    >
      <Text size="sm">{copilot.approvalText(serverTool, server)}</Text>
      <Code block my="xs" aria-label={copilot.arguments}>
        {JSON.stringify(given, null, 2)}
      </Code>
      <Text size="xs" c="dimmed">
        {copilot.approvalUntil(format.time(until))}
      </Text>
      {mayWrite && isEditor && (
        <Group mt="xs" gap="xs">
          <Button size="xs" loading={fetching} onClick={() => void send(true)}>
            {copilot.approveCall}
          </Button>
          <Button size="xs" variant="default" disabled={fetching} onClick={() => void send(false)}>
            {copilot.declineCall}
          </Button>
        </Group>
      )}
      {mayWrite && viewer !== null && !isEditor && (
        <Text size="xs" mt="xs">
          {copilot.approvalNeedsEditor}
        </Text>
      )}
      {refused !== null && (
        <Text size="xs" mt="xs" c="red" role="alert">
          {refused === '' ? copilot.notDecided : refused}
        </Text>
      )}
    </Alert>
  );
}
