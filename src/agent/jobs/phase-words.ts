import type { JobPhaseKind } from '../../domain/jobs/job.ts';
import type { WrittenLanguage } from '../../domain/text/written-language.ts';

/** What a phase turn is asked, as it stands in the log: short, for people. What the model is told is in its prompt. */
export function phaseQuestion(kind: JobPhaseKind, number: number, language: WrittenLanguage): string {
  switch (kind) {
    case 'PLANNING':
      return language === 'ja'
        ? `フェーズ${number}: 次にすることを計画するか、終了する。`
        : `Phase ${number}: plan what comes next, or finish.`;
    case 'WORKING':
      return language === 'ja' ? `フェーズ${number}: 作業を行う。` : `Phase ${number}: work on the to-dos.`;
    default:
      return kind satisfies never;
  }
}
