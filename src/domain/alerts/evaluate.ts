/**
 * Which values of a chip a rule is about, and of which of them it warns. Pure; works on what the services of health and
 * changes computed, so a value, a state or a fall means here what it means everywhere.
 *
 * A value that is not there is not fine: it is not judged, and says why. An alert of it stays open.
 */
import { compareChip, type PartValues } from '../chip/chip-comparison.ts';
import { presentOf } from '../chip/chip.ts';
import type { ChipSummary } from '../chip/chip-summary.ts';
import type { Falls } from '../chip/part-falls.ts';
import { oncePerPair, qidLabel, twinOf } from '../qid.ts';
import type { Mute } from '../records/mute.ts';
import { countOf, formatQuantity, formatTime, joinWords } from '../text/display-text.ts';
import type { MetricCatalog } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import { unitFactor } from '../values/units.ts';
import type { AlertRule, AlertTest } from './rule.ts';
import { testText } from './rule-text.ts';

/** What a verdict rests on. Numbers are in `unit`. */
export type AlertEvidence = {
  readonly value: number | null;
  readonly before: number | null;
  readonly unit: string;
  readonly measuredAt: Date | null;
  readonly taskId: string | null;
  /** `T1 of Q27 is 12.30 μs, below 20 μs; measured …` */
  readonly words: string;
};

/** A part that was judged. */
export type Verdict = {
  readonly qid: string;
  readonly label: string;
  readonly warns: boolean;
  readonly isMuted: boolean;
  /** The other direction of its pair has the same result, and stands for both. */
  readonly isTwin: boolean;
  readonly evidence: AlertEvidence;
};

export type Evaluation = {
  readonly judged: readonly Verdict[];
  /** Parts that nothing could be said of, by why. */
  readonly notJudged: ReadonlyMap<string, readonly string[]>;
  /** `2 of 64 qubits warn; 3 are not judged: …` */
  readonly words: string;
};

/** A chip at two times, for tests that compare; `falls` for those by sigma. */
export type ChangeInput = {
  readonly from: Date;
  readonly to: Date;
  readonly before: readonly PartValues[];
  readonly after: readonly PartValues[];
  readonly falls: Falls;
};

export type EvaluationInput = {
  readonly chipSize: number;
  readonly summary: Pick<ChipSummary, 'parts' | 'rows' | 'couplingRows'>;
  /** Null where there is nothing to compare with; then `whyNoChange` says why. */
  readonly change: ChangeInput | null;
  readonly whyNoChange: string;
  readonly mutes: readonly Mute[];
  readonly metrics: MetricCatalog;
  readonly now: Date;
};

/** Of one part: a verdict without its names, or why there is none. */
type Judged = { readonly warns: boolean; readonly evidence: AlertEvidence } | string;

export function evaluateRule(rule: AlertRule, input: EvaluationInput): Evaluation {
  const isMeant = (qid: string): boolean =>
    rule.qid === null || qid === rule.qid || (rule.kind === 'COUPLING' && qid === twinOf(rule.qid));
  const parts = presentOf(input.summary.parts.filter(({ kind }) => kind === rule.kind));
  const all =
    rule.test.is === 'MISSING' ? input.summary.parts.filter(({ kind }) => kind === rule.kind) : parts;
  const judge = judgeOf(rule, input);
  const judged: Verdict[] = [];
  const notJudged = new Map<string, string[]>();
  for (const { qid } of all.filter((part) => isMeant(part.qid))) {
    const label = qidLabel(qid, input.chipSize);
    const verdict = judge(qid, label);
    if (typeof verdict === 'string') notJudged.set(verdict, [...(notJudged.get(verdict) ?? []), qid]);
    else judged.push({ ...verdict, qid, label, isMuted: isMuted(rule, qid, input.mutes), isTwin: false });
  }
  const once = new Set(oncePerPair(judged, isSame));
  return {
    // Two directions of a pair with the same value are one alert; that of the other one ends.
    judged: judged.map((verdict) => (once.has(verdict) ? verdict : { ...verdict, isTwin: true })),
    notJudged,
    words: wordsOf(rule, [...once], notJudged),
  };
}

/** Whether the two directions of a pair have the same result, but for their names. */
const isSame = (a: Verdict, b: Verdict): boolean => sentenceOf(a) === sentenceOf(b);
const sentenceOf = ({ label, warns, isMuted: muted, evidence }: Verdict): string =>
  JSON.stringify([warns, muted, evidence.value, evidence.words.replaceAll(label, '')]);

/** What there is an alert of. */
export const isAlert = ({ warns, isMuted: muted, isTwin }: Verdict): boolean => warns && !muted && !isTwin;

const isMuted = ({ parameter }: AlertRule, qid: string, mutes: readonly Mute[]): boolean =>
  mutes.some(
    (mute) =>
      (mute.partId === qid || mute.partId === twinOf(qid)) &&
      (mute.parameter === null || mute.parameter === parameter),
  );

function judgeOf(rule: AlertRule, input: EvaluationInput): (qid: string, label: string) => Judged {
  const { test } = rule;
  const values = currentOf(rule, input.summary);
  switch (test.is) {
    case 'DISABLED':
    case 'MISSING':
    case 'DOUBTFUL':
      return stateJudge(rule, test.is, input.summary);
    case 'BELOW':
    case 'ABOVE':
      return (qid, label) => levelOf(rule, test, values.get(qid), label);
    case 'OLDER':
      return (qid, label) => ageOf(rule, test, values.get(qid), { label, now: input.now });
    case 'FALLS':
    case 'RISES':
    case 'WORSENS':
      return changeJudge(rule, test, input);
  }
}

const currentOf = (
  { kind, parameter }: AlertRule,
  { rows, couplingRows }: EvaluationInput['summary'],
): ReadonlyMap<string, ParameterValue> =>
  new Map(
    (kind === 'QUBIT' ? rows : couplingRows).flatMap(({ qid, parameters }) =>
      parameters.flatMap((value) => (value.name === parameter ? [[qid, value] as const] : [])),
    ),
  );

function stateJudge(
  { kind, parameter }: AlertRule,
  wanted: 'DISABLED' | 'MISSING' | 'DOUBTFUL',
  { parts, rows, couplingRows }: EvaluationInput['summary'],
): (qid: string, label: string) => Judged {
  const states = new Map(parts.flatMap((part) => (part.kind === kind ? [[part.qid, part] as const] : [])));
  const values = new Map(
    (kind === 'QUBIT' ? rows : couplingRows).map(({ qid, parameters }) => [qid, parameters]),
  );
  return (qid, label) => {
    const part = states.get(qid);
    if (part === undefined) return 'no state is known';
    // A part lists what is not simply enabled, missing parameters included.
    const own = part.parameters.find(({ name }) => name === parameter);
    const value = own ?? values.get(qid)?.find(({ name }) => name === parameter);
    if (parameter !== null && value === undefined) return `no ${parameter} was ever recorded`;
    const { state, stateReason } = value ?? part;
    const name = value === undefined ? label : `${value.title} of ${label}`;
    return {
      warns: state === wanted,
      evidence: {
        ...evidenceOf(value),
        words: `${name} is ${state.toLowerCase()}${stateReason === null ? '' : `: ${stateReason}`}`,
      },
    };
  };
}

function levelOf(
  { parameter }: AlertRule,
  { is, limit, unit }: Extract<AlertTest, { readonly is: 'BELOW' | 'ABOVE' }>,
  value: ParameterValue | undefined,
  label: string,
): Judged {
  if (value?.displayValue == null) return noValue(parameter, value);
  const factor = unitFactor(unit, value.displayUnit);
  if (factor === null) return `${value.title} is in ${value.displayUnit}, not in ${unit}`;
  const shown = limit * factor;
  const warns = is === 'BELOW' ? value.displayValue < shown : value.displayValue > shown;
  const against = warns
    ? `${is.toLowerCase()} ${limit} ${unit}`.trim()
    : `not ${is.toLowerCase()} ${limit} ${unit}`.trim();
  return {
    warns,
    evidence: { ...evidenceOf(value), words: `${sentence(value, label)}, ${against}${measured(value)}` },
  };
}

const noValue = (parameter: string | null, value: ParameterValue | undefined): string =>
  value === undefined
    ? `no ${parameter ?? 'value'} was ever recorded`
    : value.state === 'ENABLED' || value.state === 'DOUBTFUL'
      ? `${value.title} has no number`
      : `${value.title} is ${value.state.toLowerCase()}`;

function ageOf(
  { parameter }: AlertRule,
  { hours }: Extract<AlertTest, { readonly is: 'OLDER' }>,
  value: ParameterValue | undefined,
  { label, now }: { readonly label: string; readonly now: Date },
): Judged {
  if (value === undefined) return noValue(parameter, value);
  if (value.calibratedAt === null) return `${value.title} has no time`;
  const age = (now.getTime() - value.calibratedAt.getTime()) / 3_600_000;
  const old = age < 48 ? countOf(Math.floor(age), 'hour') : countOf(Math.floor(age / 24), 'day');
  return {
    warns: age > hours,
    evidence: { ...evidenceOf(value), words: `${value.title} of ${label} is ${old} old${measured(value)}` },
  };
}

function changeJudge(
  rule: AlertRule,
  test: Extract<AlertTest, { readonly is: 'FALLS' | 'RISES' | 'WORSENS' }>,
  { change, whyNoChange, metrics }: EvaluationInput,
): (qid: string, label: string) => Judged {
  if (change === null) return () => whyNoChange;
  const { from, to, before, after, falls } = change;
  const of = (parts: readonly PartValues[]): ReadonlyMap<string, ParameterValue> =>
    new Map(
      parts.flatMap(({ scope, qid, parameters }) =>
        parameters.flatMap((value) =>
          scope === rule.kind && value.name === rule.parameter ? [[qid, value] as const] : [],
        ),
      ),
    );
  const [earlier, later] = [of(before), of(after)];
  const { changes } = compareChip({ from, to, before, after, metrics });
  const moved = new Map(
    changes.flatMap((each) =>
      each.scope === rule.kind && each.parameter === rule.parameter ? [[each.qid, each] as const] : [],
    ),
  );
  const fallen = new Map(
    falls.falls.flatMap((fall) =>
      fall.kind === rule.kind && fall.parameter === rule.parameter ? [[fall.qid, fall] as const] : [],
    ),
  );
  return (qid, label) => {
    const [was, is] = [earlier.get(qid), later.get(qid)];
    if (is?.displayValue == null) return noValue(rule.parameter, is);
    if (was?.displayValue == null) return `no value from before ${formatTime(from)}`;
    if (was.displayUnit !== is.displayUnit) return `${is.title} changed its unit`;
    const evidence = { ...evidenceOf(is), before: was.displayValue };
    const against = `${formatQuantity(was.displayValue, was.displayUnit)} at ${formatTime(was.calibratedAt ?? from)}`;
    const words = `${sentence(is, label)} against ${against}${measured(is)}`;
    if (test.is !== 'WORSENS') {
      if (was.displayValue === 0) return 'the earlier value is 0, of which nothing is a share';
      const percent = (100 * (moved.get(qid)?.difference ?? 0)) / Math.abs(was.displayValue);
      const warns = test.is === 'FALLS' ? -percent >= test.percent : percent >= test.percent;
      return { warns, evidence: { ...evidence, words } };
    }
    const fall = fallen.get(qid);
    if (
      fall === undefined &&
      falls.notJudged.includes(is.title) &&
      moved.get(qid)?.better === false &&
      moved.get(qid)?.sigma == null
    )
      return `of ${is.title} neither errors nor enough earlier changes are recorded`;
    const size =
      fall === undefined
        ? ''
        : `, worse by ${fall.sigma.toFixed(1)} ${fall.basis === 'ERRORS' ? 'sigma' : 'usual changes'}`;
    return {
      warns: (fall?.sigma ?? 0) >= test.sigma,
      evidence: { ...evidence, words: words.replace(';', `${size};`) },
    };
  };
}

const sentence = ({ title, displayValue, displayUnit }: ParameterValue, label: string): string =>
  `${title} of ${label} is ${formatQuantity(displayValue, displayUnit)}`;
const measured = ({ calibratedAt }: ParameterValue): string =>
  `; ${calibratedAt === null ? 'of an unknown time' : `measured ${formatTime(calibratedAt)}`}`;

const evidenceOf = (value: ParameterValue | undefined): Omit<AlertEvidence, 'words'> => ({
  value: value?.displayValue ?? null,
  before: null,
  unit: value?.displayUnit ?? '',
  measuredAt: value?.calibratedAt ?? null,
  taskId: value?.taskId ?? null,
});

/** Most labels that a sentence lists. */
const LISTED = 8;

function wordsOf(
  rule: AlertRule,
  judged: readonly Verdict[],
  notJudged: ReadonlyMap<string, readonly string[]>,
): string {
  const noun = rule.kind === 'QUBIT' ? 'qubit' : 'coupling';
  const open = [...notJudged].map(([why, qids]) => `${countOf(qids.length, noun)} not judged: ${why}`);
  if (judged.length === 0)
    return open.length === 0
      ? `nothing to judge: the chip has no such ${noun}`
      : `nothing to judge: ${open.join('; ')}`;
  const warned = judged.filter(({ warns, isMuted: muted }) => warns && !muted);
  const muted = judged.filter(({ warns, isMuted: is }) => warns && is).length;
  const labels = warned.slice(0, LISTED).map(({ label }) => label);
  const more = warned.length - labels.length;
  const found =
    warned.length === 0
      ? `no alert: none of ${countOf(judged.length, noun)} ${testText(rule.test)}`
      : `${countOf(warned.length, 'alert')} of ${countOf(judged.length, noun)}: ${joinWords(more > 0 ? [...labels, `${more} more`] : labels)}`;
  return [found, ...(muted === 0 ? [] : [`${muted} muted`]), ...open].join('; ');
}
