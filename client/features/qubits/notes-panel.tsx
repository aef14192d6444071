import { Stack, Text } from '@mantine/core';
import { Age } from '../../components/age.tsx';
import { Panel } from '../../components/panel.tsx';
import type { QubitOverviewQuery } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

type Notes = NonNullable<QubitOverviewQuery['qubit']>['chip']['humanNotes'];

/** What people wrote about the qubit. */
export function NotesPanel({ notes }: { readonly notes: Notes }) {
  const { qubit } = useWords();
  return (
    <Panel title={qubit.notes}>
      {notes.length === 0 && <Text c="dimmed">{qubit.noNotes}</Text>}
      <Stack gap="sm">
        {notes.map(({ author, metric, text, updatedAt }) => (
          <div key={`${updatedAt} ${text}`}>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
            <Text size="xs" c="dimmed">
              {[author, metric].filter((part) => part !== null).join(' · ')}
              {updatedAt !== null && (
                <>
                  {' · '}
                  <Age at={updatedAt} />
                </>
              )}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
