/**
 * Recognises a request for a longer task, which is drafted as a job of an expert rather than answered. It has to
 * begin as a request: a question about a report, a plan or a cause is answered like any other.
 */
import { z } from 'zod';
import { isFound, planned, type PlannedCall, type ToolAnswer } from '../shared/tool-answers.ts';
import type { AnswerWords } from './messages.ts';
import { chipIn } from '../../domain/questions/slots.ts';
import words from './words.json' with { type: 'json' };

/** By expert, how its jobs are requested. */
const REQUESTS = Object.entries(words.jobs).map(([expert, { english, japanese }]) => ({
  expert,
  patterns: [...english.map((request) => `${words.polite}${request}`), ...japanese].map(
    (source) => new RegExp(source, 'iu'),
  ),
}));

/** Longest task of a draft. */
const LONGEST = 2_000;

/** The draft that a message asks for; null for any other message. `chips` are those of the project. */
export function jobRequestIn(question: string, chips: readonly string[]): PlannedCall | null {
  const text = question.normalize('NFKC').trim();
  const found = REQUESTS.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  if (found === undefined || text.length > LONGEST) return null;
  return planned('propose_job', {
    expert_id: found.expert,
    description: text,
    chip_id: chipIn(text, chips),
  });
}

const drafted = z.object({ expert_id: z.string(), chip_id: z.string() });

/** The answer once the draft was made or refused. */
export function draftText(answer: ToolAnswer | undefined, { t }: AnswerWords): string {
  if (answer === undefined) return t('notDrafted', { reason: t('notRun', { tool: 'propose_job' }) });
  if (!isFound(answer)) return t('notDrafted', { reason: answer.error });
  const { expert_id: expert, chip_id: chip } = drafted.parse(answer.data);
  return t('drafted', { expert, chip });
}
