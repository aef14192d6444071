import { Code, Loader, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { CopilotToolCallDocument } from '../../../gql/graphql.ts';
import { LoadError } from '../../../components/load-error.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';

const MOST_CHARACTERS = 20_000;

/** Arguments of a tool call, and its result if it has one, read when they are asked for. */
export function StepRecord({ id }: { readonly id: string }) {
  const { copilot } = useWords();
  const [{ data, error }, again] = useQuery({
    query: CopilotToolCallDocument,
    variables: { id },
    requestPolicy: 'cache-first',
  });
  if (error) return <LoadError error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  if (!data?.node || !('arguments' in data.node)) return <Loader size="xs" />;
  const { arguments: args, result } = data.node;
  return (
    <>
      <Json value={args} label={copilot.arguments} />
      {result != null && <Json value={result} label={copilot.result} />}
    </>
  );
}

function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <>
      <Text size="xs" fw={550} mt={4}>
        {label}
      </Text>
      <Code
        block
        fz={11}
        mah={280}
        style={{ overflow: 'auto' }}
        tabIndex={0}
        aria-label={label}
        role="region"
      >
        {text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text}
      </Code>
    </>
  );
}
