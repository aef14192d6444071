import { Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
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
          <NoteText text={text} />
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

/** What only Markdown begins a line with, or puts around words. */
const MARKDOWN = /^(?:#{1,6} |[-*+] |\d+\. |```|\|.*\|$|> )|\*\*\S|`\S|\]\(/mu;
const MarkdownText = lazy(async () => ({
  default: (await import('../features/copilot/turn/markdown.tsx')).MarkdownText,
}));

/** A note as it was typed, or as the Markdown that QDash's notes are. */
function NoteText({ text }: { readonly text: string }) {
  const plain = (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </Text>
  );
  if (!MARKDOWN.test(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownText text={text} offset={0} numbers={NO_NUMBERS} isGrowing={false} />
    </Suspense>
  );
}

const NO_NUMBERS: readonly never[] = [];
