import { useMemo } from 'react';
import { answerSentences } from '../../lib/i18n/ja/answer-sentences.ts';
import { useSentences } from '../../lib/i18n/use-server-names.ts';
import { visualReader, type VisualReader } from './visual-words.ts';

const SENTENCES = { ja: answerSentences };

/** What steps of answers look up and find, and headings of what they show, in the language of the pages. */
export const useAnswerText = (): ((text: string) => string) => useSentences(SENTENCES);

/** Charts and tables of the server in the language of the pages. */
export function useVisualWords(): VisualReader {
  const read = useAnswerText();
  return useMemo(() => visualReader(read), [read]);
}
