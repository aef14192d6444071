import { useCallback } from 'react';
import { useSubjectPart, type PageSubject } from './page-subject.tsx';
import { useSidePanel } from './side-panel.tsx';

/**
 * Opens the copilot beside the page for a question that begins with `words`: about all that the page is about, or about
 * the `part` that is given.
 */
export function useAsk(): (words: string, part?: Partial<PageSubject>) => void {
  const { open } = useSidePanel();
  const setPart = useSubjectPart();
  return useCallback(
    (words, part = {}) => {
      setPart(part);
      open(words);
    },
    [open, setPart],
  );
}
