/**
 * Scores the grounding on labelled sentences: how well it flags what has no source, and whether it names the right
 * one.
 */
import { groundNumbers } from '../../../src/domain/grounding/ground.ts';
import type { GroundedNumber } from '../../../src/domain/grounding/grounded-number.ts';
import type { Metric } from '../../../src/domain/values/metric.ts';
import type { ChipData } from './chip-data.ts';
import type { Family, Label, LabelledCase } from './labelled.ts';

/** Precision and recall of one decision, with the counts behind them. */
export type Rates = {
  readonly precision: number;
  readonly recall: number;
  readonly right: number;
  readonly claimed: number;
  readonly due: number;
};

/** How the set was answered. */
export type Score = DecisionRates & {
  readonly sentences: number;
  readonly numbers: number;
  /** Share of labels with the right status. */
  readonly status: number;
  /** What went wrong, one line each. */
  readonly mistakes: readonly string[];
  readonly byFamily: ReadonlyMap<string, DecisionRates>;
};

/** Both decisions over the same sentences: the flag `UNSOURCED`, and `SOURCED` with the record that the label names. */
export type DecisionRates = { readonly flag: Rates; readonly source: Rates };

type Judged = {
  readonly label: Label | null;
  readonly found: GroundedNumber | null;
  readonly family: string;
  readonly text: string;
};

/** Grounds every sentence of the families for every chip. */
export function score(
  families: readonly Family[],
  chips: readonly ChipData[],
  metrics: readonly Metric[],
  now: Date,
): Score {
  const cases = chips.flatMap((data) =>
    families.flatMap((family) => family(data).map((each) => ({ data, each }))),
  );
  const judged = cases.flatMap(({ data, each }) => judge(each, data, metrics, now));
  const wrong = judged.filter((each) => !isRight(each));
  const judgedByFamily = Map.groupBy(judged, ({ family }) => family);
  return {
    ...decisions(judged),
    sentences: cases.length,
    numbers: judged.filter(({ label }) => label !== null).length,
    status: judged.filter(({ label, found }) => label?.status === found?.status).length / judged.length,
    mistakes: wrong.map(describe),
    byFamily: new Map([...judgedByFamily].map(([name, all]) => [name, decisions(all)])),
  };
}

function decisions(judged: readonly Judged[]): DecisionRates {
  const isFlag = (found: GroundedNumber | null): boolean => found?.status === 'UNSOURCED';
  const isDue = (label: Label | null): boolean => label?.status === 'UNSOURCED';
  const sourced = judged.filter(({ found }) => found?.status === 'SOURCED');
  const dueSource = judged.filter(({ label }) => label?.status === 'SOURCED');
  return {
    flag: ratesOf(
      judged.filter(({ label, found }) => isFlag(found) && isDue(label)).length,
      judged.filter(({ found }) => isFlag(found)).length,
      judged.filter(({ label }) => isDue(label)).length,
    ),
    source: ratesOf(dueSource.filter(isRight).length, sourced.length, dueSource.length),
  };
}

const ratesOf = (right: number, claimed: number, due: number): Rates => ({
  precision: claimed === 0 ? 1 : right / claimed,
  recall: due === 0 ? 1 : right / due,
  right,
  claimed,
  due,
});

/** Labels beside what was found at their place, and what was found where no label is. */
function judge(
  each: LabelledCase,
  { calls }: ChipData,
  metrics: readonly Metric[],
  now: Date,
): readonly Judged[] {
  const { text, labels, family, userTexts } = each;
  const found = groundNumbers(text, { calls: each.calls.map((key) => calls[key]), userTexts, metrics, now });
  const byOffset = new Map(found.map((number) => [number.offset, number]));
  const due = labels.map((label) => ({ label, found: byOffset.get(label.offset) ?? null, family, text }));
  const offsets = new Set(labels.map(({ offset }) => offset));
  const extra = found.filter(({ offset }) => !offsets.has(offset));
  return [...due, ...extra.map((number) => ({ label: null, found: number, family, text }))];
}

function isRight({ label, found }: Judged): boolean {
  if (label === null || found === null || label.status !== found.status || label.shown !== found.text)
    return false;
  if (label.record === null) return true;
  return (
    found.recordId === label.record.recordId && found.measuredAt?.getTime() === label.record.at.getTime()
  );
}

function describe({ label, found, family, text }: Judged): string {
  const due =
    label === null
      ? 'no number'
      : `${label.shown} ${label.status}${label.record === null ? '' : ` of ${label.record.recordId}`}`;
  const got =
    found === null ? 'nothing' : `${found.text} ${found.status} of ${found.recordId} (${found.callId})`;
  return `${family}: “${text.replaceAll('\n', '⏎')}”: ${due}, found ${got}`;
}
