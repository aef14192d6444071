import { useCallback, useEffect, useState } from 'react';
import { keyInProject } from '../../../lib/graphql/project.ts';

const keyOf = (sessionId: string | null): string =>
  sessionId === null ? keyInProject('qpilot.draft.new') : `qpilot.draft.${sessionId}`;
const read = (sessionId: string | null): string => localStorage.getItem(keyOf(sessionId)) ?? '';

function keep(sessionId: string | null, words: string): void {
  if (words === '') localStorage.removeItem(keyOf(sessionId));
  else localStorage.setItem(keyOf(sessionId), words);
}

/**
 * Words that were written and not sent, kept for each conversation also over a reload.
 * @param begunId the conversation that began here with what was sent last: what was written meanwhile goes along into
 * it
 */
export function useDraft(
  sessionId: string | null,
  begunId: string | null = null,
): readonly [string, (words: string) => void] {
  const [draft, setDraft] = useState(() => ({ sessionId, words: read(sessionId) }));
  const isBegun = sessionId !== null && sessionId === begunId;
  if (draft.sessionId !== sessionId) {
    const goesAlong = isBegun && draft.sessionId === null;
    setDraft({ sessionId, words: goesAlong ? draft.words : read(sessionId) });
  }
  useEffect(() => {
    if (!isBegun) return;
    keep(null, '');
    keep(draft.sessionId, draft.words);
  }, [isBegun, draft]);
  const change = useCallback(
    (words: string) => {
      keep(sessionId, words);
      // What comes late, as the words of a message that was not taken, may be of a conversation that was left.
      setDraft((now) => (now.sessionId === sessionId ? { sessionId, words } : now));
    },
    [sessionId],
  );
  return [draft.words, change];
}
