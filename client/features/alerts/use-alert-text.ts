import { alertSentences } from '../../lib/i18n/ja/alert-sentences.ts';
import { useSentences } from '../../lib/i18n/use-server-names.ts';

const SENTENCES = { ja: alertSentences };

/** Rules, what they warn of, and what is wrong with them, in the language of the pages. */
export const useAlertText = (): ((text: string) => string) => useSentences(SENTENCES);
