import { VisuallyHidden } from '@mantine/core';
import { isFinal, textOf, type TurnView } from '@qpilot/client/view';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useActivityText } from '../turn/use-activity-text.ts';
import { sentencesToSay } from '../text/sentences.ts';

/** Tells a screen reader what happens: what a turn is busy with, and its answer by whole sentences, never by tokens. */
export function Announcer({ turn }: { readonly turn: TurnView | null }) {
  const { copilot } = useWords();
  const busyWith = useActivityText(turn?.activity ?? null);
  const watched = useRef<{ readonly id: string | null; announced: number }>({ id: null, announced: 0 });
  const [sentence, setSentence] = useState('');
  const isDone = turn === null || isFinal(turn);
  const text = turn === null ? '' : textOf(turn.parts);
  useEffect(() => {
    if (turn === null) return;
    // An answer that was there before is not read out.
    if (watched.current.id !== turn.id)
      watched.current = { id: turn.id, announced: isDone ? text.length : 0 };
    const { words, announced } = sentencesToSay(
      text,
      Math.min(watched.current.announced, text.length),
      isDone,
    );
    watched.current.announced = announced;
    if (words !== '') setSentence(words);
  }, [turn, text, isDone]);
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        {isDone ? (turn ? copilot.announced[turn.status] : '') : busyWith}
      </VisuallyHidden>
      <VisuallyHidden role="log" aria-live="polite">
        {sentence}
      </VisuallyHidden>
    </>
  );
}
