/** The end of a turn whose answer is a document for a program: shown when it fits, asked for once more when not. */
import type { DocumentCheck } from '../../domain/conversation/answer-schema.ts';
import type { TurnError } from '../../domain/conversation/session.ts';
import { redactSecrets } from '../../base/redaction/redact.ts';
import type { Answer } from '../answer/answer.ts';
import type { StepEnd } from './model-step.ts';

const OUTSIDE: Partial<Readonly<Record<StepEnd['reason'], string>>> = {
  refused: 'the model declined to answer',
  filtered: "the provider's content filter held back the answer",
  length: 'the model reached its output limit within the answer',
};

/** A further request to the model, or the end of the turn; nothing for a response without words. */
type Settled = { readonly request: string } | { readonly error: TurnError | null };

export function createDocumentAnswer(check: (words: string) => DocumentCheck) {
  let mayAskAgain = true;
  return {
    /** Decides about a response without calls. */
    settle(reason: StepEnd['reason'], answer: Pick<Answer, 'stepWords' | 'addParagraph'>): Settled | null {
      const words = redactSecrets(answer.stepWords);
      if (words.trim() === '' && reason !== 'refused') return null;
      const checked = check(words);
      if ('json' in checked && reason !== 'refused') {
        answer.addParagraph(checked.json);
        return { error: null };
      }
      const outside = OUTSIDE[reason];
      const problems = outside ?? ('problems' in checked ? checked.problems.join('; ') : '');
      if (outside === undefined && mayAskAgain) {
        mayAskAgain = false;
        const request = `Your answer does not satisfy the JSON schema: ${problems}. Answer again with the whole JSON document and nothing else.`;
        return { request };
      }
      answer.addParagraph(words);
      const message = `the answer does not satisfy answerSchema: ${problems}`;
      return { error: { code: 'ANSWER_SCHEMA_MISMATCH', message, retryable: true } };
    },
  };
}
