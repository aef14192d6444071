/** The server's text around the preflight calls of a dispute. Its figures come from records and verdicts only. */
import { VERDICTS, type Verdict } from '../../domain/live/verification.ts';
import type { DisputeTexts, Since } from './dispute-texts.ts';
import type { ValueSource } from './value-sources.ts';

/** Records and qubits that are listed; the rest is counted. */
const LISTED_RECORDS = 6;
const LISTED_LABELS = 5;

/** The first sentence; also if there is nothing to compare. */
export const acknowledgement = (values: number, texts: DisputeTexts): string =>
  values === 0 ? texts.nothingToCompare : texts.comparing;

/** A note if not all values are compared. */
export const cutWords = (compared: number, of: number, texts: DisputeTexts): readonly string[] =>
  compared < of ? [texts.cut(compared, of)] : [];

/** A line for each record behind the values. */
export function sourceWords(sources: readonly ValueSource[], texts: DisputeTexts): readonly string[] {
  if (sources.length === 0) return [];
  const records = [...Map.groupBy(sources, recordOf).values()];
  const listed = records.slice(0, LISTED_RECORDS);
  const more = sources.length - listed.flat().length;
  const lines = [
    ...listed.map((record) => recordLine(record, texts)),
    ...(more > 0 ? [texts.moreRecords(more)] : []),
  ];
  return [`${texts.origins}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

/** Groups values of one parameter that one task measured in one execution. */
const recordOf = (source: ValueSource): string =>
  JSON.stringify([source.title, source.taskName, source.executionId, source.isLive, sinceOf(source)]);

const sinceOf = ({ isExcluded, isReplaced }: ValueSource): Since | null =>
  isExcluded ? 'EXCLUDED' : isReplaced ? 'REPLACED' : null;

function recordLine(sources: readonly ValueSource[], texts: DisputeTexts): string {
  const [first] = sources;
  if (first === undefined) return '';
  const times = sources
    .flatMap(({ measuredAt }) => measuredAt ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const taskIds = [...new Set(sources.flatMap(({ taskId }) => taskId ?? []))];
  const record = [
    texts.task(first.taskName),
    ...(taskIds.length === 1 ? [texts.result(taskIds.join(''))] : []),
    texts.execution(first.executionId),
  ];
  const facts = [
    ...(first.isLive ? [texts.live] : record),
    texts.measured(times.at(0) ?? null, times.at(-1) ?? null),
  ];
  return texts.record(first.title, labelWords(sources, texts), facts, sinceOf(first));
}

function labelWords(sources: readonly Pick<ValueSource, 'label'>[], texts: DisputeTexts): string {
  const labels = [...new Set(sources.map(({ label }) => label))];
  const more = labels.length - LISTED_LABELS;
  return texts.join(more > 0 ? [...labels.slice(0, LISTED_LABELS), texts.moreLabels(more)] : labels);
}

export type Comparison = {
  readonly verdicts: ReadonlyMap<Verdict, number>;
  /** Why there are no live values, completing "the live source was not used"; null if there are. */
  readonly unavailable: string | null;
  /** Why a part could not be compared at all; null if all was. */
  readonly failed: string | null;
};

/** The outcome of the comparison, and which measurement would settle `open`: the values that do not agree. */
export function conclusionWords(
  comparison: Comparison,
  open: readonly ValueSource[],
  texts: DisputeTexts,
): string {
  const { verdicts, unavailable, failed } = comparison;
  const compared = [...verdicts.values()].reduce((sum, count) => sum + count, 0);
  const isSettled = failed === null && (verdicts.get('MATCH') ?? 0) === compared;
  return [
    ...(unavailable === null ? verdictWords(verdicts, compared, texts) : [texts.notLive(unavailable)]),
    ...(failed === null ? [] : [texts.failed(failed)]),
    ...(isSettled ? [] : [measureAgain(open, texts), texts.until]),
  ].join(texts.space);
}

function verdictWords(
  verdicts: Comparison['verdicts'],
  compared: number,
  texts: DisputeTexts,
): readonly string[] {
  const parts = VERDICTS.flatMap((verdict) => {
    const count = verdicts.get(verdict) ?? 0;
    const [ofOne, ofMany] = texts.verdicts[verdict];
    if (count === 0) return [];
    return compared === 1 ? [ofOne] : [texts.counted(count, count === 1 ? ofOne : ofMany)];
  });
  return parts.length === 0 ? [] : [texts.outcome(compared, parts)];
}

function measureAgain(sources: readonly ValueSource[], texts: DisputeTexts): string {
  const tasks = [...new Set(sources.flatMap(({ taskName }) => taskName ?? []))];
  return texts.measureAgain(tasks, labelWords(sources, texts));
}
