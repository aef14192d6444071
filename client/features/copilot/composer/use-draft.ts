import { useCallback, useEffect, useState } from 'react';

const keyOf = (sessionId: string | null): string => `qpilot.draft.${sessionId ?? 'new'}`;

/** Words that were written and not sent, kept for each conversation also over a reload. */
export function useDraft(sessionId: string | null): readonly [string, (words: string) => void] {
  const [words, setWords] = useState(() => localStorage.getItem(keyOf(sessionId)) ?? '');
  useEffect(() => setWords(localStorage.getItem(keyOf(sessionId)) ?? ''), [sessionId]);
  const change = useCallback(
    (next: string) => {
      setWords(next);
      if (next === '') localStorage.removeItem(keyOf(sessionId));
      else localStorage.setItem(keyOf(sessionId), next);
    },
    [sessionId],
  );
  return [words, change];
}
