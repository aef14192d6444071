import { Stack, Text } from '@mantine/core';
import type { ShownNoteFragment } from '../gql/graphql.ts';
import { useI18n } from '../lib/i18n/i18n.tsx';
import { Age } from './age.tsx';
import { Panel } from './panel.tsx';

/** What people wrote, under a heading; `empty` stands for no notes. */
export function NotesPanel({
  title: heading,
  notes,
  empty,
}: {
  readonly title: string;
  readonly notes: readonly ShownNoteFragment[];
  readonly empty: string;
}) {
  return (
    <Panel title={heading}>
      {notes.length === 0 && <Text c="dimmed">{empty}</Text>}
      <NoteList notes={notes} />
    </Panel>
  );
}

/** What people wrote. */
export function NoteList({ notes }: { readonly notes: readonly ShownNoteFragment[] }) {
  const {
    words: { qubit: words },
    format,
  } = useI18n();
  return (
    <Stack gap="sm">
      {notes.map(({ author, metric, source, title, isResolved, text, validUntil, updatedAt }) => (
        <div key={`${updatedAt} ${text}`}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Text>
          <Text size="xs" c="dimmed">
            {[
              author,
              metric,
              words.noteSources[source],
              title,
              isResolved === null ? null : isResolved ? words.resolved : words.unresolved,
              validUntil === null ? null : words.validUntil(format.time(validUntil)),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
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
  );
}
