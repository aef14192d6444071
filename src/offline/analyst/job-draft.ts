/**
 * Recognises a request for a longer task, which is drafted as a job of an expert rather than answered. It has to
 * begin as a request: a question about a report, a plan or a cause is answered like any other.
 */
import { z } from 'zod';
import { isFound, planned, type PlannedCall, type ToolAnswer } from '../shared/tool-answers.ts';
import type { AnswerWords } from './messages.ts';
import { chipIn } from '../../domain/questions/slots.ts';

const POLITE =
  "^(?:(?:please|pls|now|then|and|hi|hello|ok(?:ay)?|so)[,!]?\\s+|(?:can|could|would|will) you\\s+(?:please\\s+)?|i(?:\\s+would|'d)?\\s+(?:like|need|want)(?:\\s+you)?\\s+(?:to\\s+)?|let'?s\\s+)*";
const english = (request: string): RegExp => new RegExp(`${POLITE}${request}`, 'iu');

/** The request of each expert, in English and Japanese. */
const REQUESTS: readonly (readonly [expertId: string, patterns: readonly RegExp[]])[] = [
  [
    'writer',
    [
      english(
        '(?:write|draft|prepare|make|create|produce|compile|generate)\\s+(?:me\\s+|us\\s+)?(?:an?\\s+|the\\s+)?(?:[\\w-]+\\s+){0,3}report\\b',
      ),
      /(?:レポート|報告書?)を.{0,8}(?:書|作|まとめて)/u,
    ],
  ],
  [
    'calibrator',
    [
      english("(?:plan|schedule)\\s+(?:out\\s+)?(?:[\\w'’]+\\s+){0,4}(?:calibrations?|measurements?)\\b"),
      english(
        '(?:make|draw up|prepare|write|propose)\\s+(?:me\\s+)?(?:an?\\s+|the\\s+)?(?:calibration|measurement)\\s+(?:plan|schedule)\\b',
      ),
      /(?:較正|校正|キャリブレーション|測定)(?:の)?(?:計画|予定|スケジュール)を.{0,6}(?:立て|たて|作|組)|(?:較正|校正|キャリブレーション)を計画して/u,
    ],
  ],
  [
    'coder',
    [
      english('(?:write|make|create)\\s+(?:me\\s+|us\\s+)?(?:an?\\s+|the\\s+)?(?:[\\w-]+\\s+){0,2}script\\b'),
      /スクリプトを.{0,6}(?:書|作)/u,
    ],
  ],
  [
    'researcher',
    [
      english('(?:investigate|research|dig into|get to the bottom of)\\b'),
      english('(?:find|look for|track down)\\s+(?:out\\s+)?the\\s+(?:root\\s+)?cause\\b'),
      /(?:原因|理由|なぜ|低下|劣化|変化).{0,12}(?:調査して|調査を(?:して|お願い)|突き止めて|究明して)/u,
    ],
  ],
];

/** Longest task of a draft. */
const LONGEST = 2_000;

/** The draft that a message asks for; null for any other message. `chips` are those of the project. */
export function jobRequestIn(question: string, chips: readonly string[]): PlannedCall | null {
  const text = question.normalize('NFKC').trim();
  const expert = REQUESTS.find(([, patterns]) => patterns.some((pattern) => pattern.test(text)));
  if (expert === undefined || text.length > LONGEST) return null;
  return planned('propose_job', {
    expert_id: expert[0],
    description: text,
    instructions: null,
    config_override: null,
    chip_id: chipIn(text, chips),
    finding: null,
  });
}

const drafted = z.object({ expert_id: z.string(), chip_id: z.string() });

/** The answer once the draft was made or refused. */
export function draftText(answer: ToolAnswer | undefined, words: AnswerWords): string {
  if (answer === undefined)
    return words.t('notDrafted', { reason: words.t('notRun', { tool: 'propose_job' }) });
  if (!isFound(answer)) return words.t('notDrafted', { reason: answer.error });
  const { expert_id: expert, chip_id: chip } = drafted.parse(answer.data);
  return words.t('drafted', { expert, chip });
}
