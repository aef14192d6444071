/**
 * The preflight of a dispute: acknowledge it, list the records behind the disputed values, compare these with live
 * ones and report the outcome. All of it is decided here from stored facts; the model only explains it afterwards.
 */
import type { AnswerValue } from '../../domain/conversation/answer-values.ts';
import type { Verdict } from '../../domain/live/verification.ts';
import { writtenLanguage } from '../../domain/text/language.ts';
import type { Preflight } from '../loop/preflight-calls.ts';
import type { CallEnding } from '../loop/tool-call.ts';
import { verifiedData } from '../tools/verify-against-live.ts';
import { DISPUTE_TEXTS, type DisputeTexts } from './dispute-texts.ts';
import { acknowledgement, conclusionWords, cutWords, sourceWords } from './dispute-words.ts';
import { planComparison } from './disputed-values.ts';
import { sourcesOf, type SourceReads, type ValueSource } from './value-sources.ts';

/** The user's doubt, the text of the doubted answer, and the values behind it. */
export type Dispute = {
  readonly doubt: string;
  readonly answer: string;
  readonly values: readonly AnswerValue[];
};

export async function disputePreflight(dispute: Dispute, reads: SourceReads): Promise<Preflight> {
  const { values, of, calls } = planComparison(dispute.values, dispute);
  const sources = await sourcesOf(values, reads);
  const texts = DISPUTE_TEXTS[writtenLanguage(dispute.doubt)];
  const words = [
    acknowledgement(values.length, texts),
    ...cutWords(values.length, of, texts),
    ...sourceWords(sources, texts),
  ];
  return {
    phase: 'VERIFYING',
    status: 'Comparing with the live source',
    words: words.join('\n\n'),
    calls,
    conclude: (endings) => conclude(endings, sources, texts),
  };
}

function conclude(
  endings: readonly CallEnding[],
  sources: readonly ValueSource[],
  texts: DisputeTexts,
): string {
  const compared = endings.flatMap(({ result }) => (result === null ? [] : verifiedData.parse(result.data)));
  const verdicts = new Map<Verdict, number>();
  for (const { verdict, count } of compared.flatMap((each) => each.verdicts)) {
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count);
  }
  const unavailable = compared.flatMap(({ fallback }) => fallback?.message ?? [])[0] ?? null;
  const failed = endings.flatMap(({ error }) => error?.message ?? [])[0] ?? null;
  const agreeing = new Set(
    compared
      .flatMap(({ rows }) => rows)
      .flatMap(({ qid, parameter, verdict }) => (verdict === 'MATCH' ? [`${qid} ${parameter}`] : [])),
  );
  const open = sources.filter(({ qid, parameter }) => !agreeing.has(`${qid} ${parameter}`));
  return conclusionWords({ verdicts, unavailable, failed }, open, texts);
}
