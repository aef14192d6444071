/** The server's text around the preflight calls of a dispute. Its figures come from records and verdicts only. */
import { VERDICTS, type Verdict } from '../../domain/live/verification.ts';
import { countOf, formatMeasured, joinWords } from '../../domain/text/display-text.ts';
import type { ValueSource } from './value-sources.ts';

/** Records and qubits that are listed; the rest is counted. */
const LISTED_RECORDS = 6;
const LISTED_LABELS = 5;

/** The first sentence, in the language of the doubt; also if there is nothing to compare. */
export function acknowledgement(doubt: string, values: number): string {
  const inJapanese = /[\u3040-\u30ff]/u.test(doubt);
  if (values === 0) {
    return inJapanese
      ? 'ご指摘ありがとうございます。その回答には、比較できる測定値が含まれていません。'
      : 'Thank you for pointing this out. That answer holds no measured values that could be compared.';
  }
  return inJapanese
    ? 'ご指摘ありがとうございます。その回答の値を、制御システムの現在の値と比較します。'
    : 'Thank you for pointing this out. The values of that answer are compared with what the control system says now.';
}

/** A note if not all values are compared. */
export const cutWords = (compared: number, of: number): readonly string[] =>
  compared < of
    ? [`${compared} of ${countOf(of, 'value')} are compared; name qubits or parameters to compare others.`]
    : [];

/** A line for each record behind the values. */
export function sourceWords(sources: readonly ValueSource[]): readonly string[] {
  if (sources.length === 0) return [];
  const records = [...Map.groupBy(sources, recordOf).values()];
  const listed = records.slice(0, LISTED_RECORDS);
  const more = sources.length - listed.flat().length;
  const lines = [
    ...listed.map(recordLine),
    ...(more > 0 ? [`- and ${countOf(more, 'more value')} of other records`] : []),
  ];
  return [`Where they came from:\n\n${lines.join('\n')}`];
}

/** Groups values of one parameter that one task measured in one execution. */
const recordOf = ({ title, taskName, executionId, isLive, isReplaced }: ValueSource): string =>
  JSON.stringify([title, taskName, executionId, isLive, isReplaced]);

function recordLine(sources: readonly ValueSource[]): string {
  const [first] = sources;
  if (first === undefined) return '';
  const times = sources
    .flatMap(({ measuredAt }) => measuredAt ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const taskIds = [...new Set(sources.flatMap(({ taskId }) => taskId ?? []))];
  const named = [
    first.taskName === null ? 'task unknown' : `task ${first.taskName}`,
    ...(taskIds.length === 1 ? [`result ${taskIds.join('')}`] : []),
    first.executionId === null ? 'execution unknown' : `execution ${first.executionId}`,
  ];
  const record = [
    ...(first.isLive ? ['a live value of the control system'] : named),
    formatMeasured(times.at(0) ?? null, times.at(-1) ?? null),
  ];
  const replaced = first.isReplaced ? '. A newer value is stored since, and that one is compared' : '';
  return `- ${first.title} of ${labelWords(sources)}: ${record.join(', ')}${replaced}.`;
}

function labelWords(sources: readonly Pick<ValueSource, 'label'>[]): string {
  const labels = [...new Set(sources.map(({ label }) => label))];
  const more = labels.length - LISTED_LABELS;
  return joinWords(more > 0 ? [...labels.slice(0, LISTED_LABELS), `${more} more`] : labels);
}

export type Comparison = {
  readonly verdicts: ReadonlyMap<Verdict, number>;
  /** Why there are no live values, completing "the live source was not used"; null if there are. */
  readonly unavailable: string | null;
  /** Why a part could not be compared at all; null if all was. */
  readonly failed: string | null;
};

const VERDICT_WORDS: Readonly<Record<Verdict, readonly [ofOne: string, ofMany: string]>> = {
  MATCH: [
    'agrees with the live one within three standard deviations',
    'agree with the live ones within three standard deviations',
  ],
  DRIFT: [
    'differs from the live one by more than three standard deviations',
    'differ from the live ones by more than three standard deviations',
  ],
  STORED_STALE: [
    'differs from the live one and is older than it may be',
    'differ from the live ones and are older than they may be',
  ],
  LIVE_STALE: ['is newer than what the control system has', 'are newer than what the control system has'],
  LIVE_UNAVAILABLE: ['has no live value beside it', 'have no live values beside them'],
  NOT_COMPARABLE: ['cannot be compared', 'cannot be compared'],
};

/** The outcome of the comparison, and which measurement would settle `open`: the values that do not agree. */
export function conclusionWords(comparison: Comparison, open: readonly ValueSource[]): string {
  const { verdicts, unavailable, failed } = comparison;
  const compared = [...verdicts.values()].reduce((sum, count) => sum + count, 0);
  const isSettled = failed === null && (verdicts.get('MATCH') ?? 0) === compared;
  return [
    ...(unavailable === null
      ? verdictWords(verdicts, compared)
      : [`The live source was not used: ${unavailable}. The stored values remain unconfirmed.`]),
    ...(failed === null ? [] : [`Not everything could be compared: ${failed}.`]),
    ...(isSettled ? [] : [measureAgain(open), 'Until then both values remain, each with its own time.']),
  ].join(' ');
}

function verdictWords(verdicts: Comparison['verdicts'], compared: number): readonly string[] {
  const parts = VERDICTS.flatMap((verdict) => {
    const count = verdicts.get(verdict) ?? 0;
    const [ofOne, ofMany] = VERDICT_WORDS[verdict];
    return count === 0 ? [] : compared === 1 ? [ofOne] : [`${count} ${count === 1 ? ofOne : ofMany}`];
  });
  if (parts.length === 0) return [];
  return [
    compared === 1
      ? `The stored value ${parts.join('')}.`
      : `Of ${compared} stored values ${joinWords(parts)}.`,
  ];
}

function measureAgain(sources: readonly ValueSource[]): string {
  const tasks = [...new Set(sources.flatMap(({ taskName }) => taskName ?? []))];
  const what = tasks.length === 0 ? 'Measure' : `Run ${joinWords(tasks)}`;
  return `${what} again on ${labelWords(sources)} to settle it.`;
}
