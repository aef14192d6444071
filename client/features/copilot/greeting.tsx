import { Button, SimpleGrid, Text, Title } from '@mantine/core';
import type { CopilotSetupQuery } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** An empty conversation: first words, and questions to start with. */
export function Greeting({
  setup: { copilotConfig },
  onAsk,
}: {
  readonly setup: CopilotSetupQuery;
  readonly onAsk: (question: string) => void;
}) {
  const { copilot } = useWords();
  return (
    <div style={{ paddingTop: 'min(12vh, 96px)' }}>
      <Title order={2} size="h1" mb={6}>
        {copilot.title}
      </Title>
      <Text size="sm" c="dimmed" mb="lg">
        {copilotConfig.greeting}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" aria-label={copilot.suggestions} role="group">
        {copilotConfig.suggestions.map(({ label, prompt }) => (
          <Button
            key={label}
            variant="default"
            justify="flex-start"
            fw={450}
            title={prompt}
            onClick={() => onAsk(prompt)}
          >
            {label}
          </Button>
        ))}
      </SimpleGrid>
    </div>
  );
}
