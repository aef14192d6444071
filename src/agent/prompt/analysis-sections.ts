/** The sections on a task result: the result, other runs, and current values around it. All of it is data. */
import { isCouplingId } from '../../domain/qid.ts';
import type { Execution } from '../../domain/records/execution.ts';
import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import {
  countOf,
  formatError,
  formatNumber,
  formatQuantity,
  formatTime,
} from '../../domain/text/display-text.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { statisticsOf, type ParameterStatistics, type Statistics } from '../../domain/values/statistics.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { boundedLines } from './bounded-lines.ts';
import { marked, oneLine } from './data-marks.ts';
import type { PromptSection } from './prompt-section.ts';

/** Current values of a qubit or coupling. */
export type EntityValues = { readonly label: string; readonly parameters: readonly ParameterValue[] };

/** A task result with its context. */
export type AnalysisContext = {
  readonly result: TaskResult;
  /** `Q07`, `Q04-Q01`; empty for tasks of the whole system. */
  readonly label: string;
  readonly execution: Execution | null;
  readonly knowledge: TaskKnowledge | null;
  /** The chip's current cool-down. */
  readonly currentCooldownId: string | null;
  /** Runs of the same task on the same subject, newest first; may include the result itself. */
  readonly runs: readonly TaskResult[];
  readonly hasOlderRuns: boolean;
  /** Number of runs that are listed one by one. */
  readonly shownRuns: number;
  /** Current values of the subject. */
  readonly current: readonly ParameterValue[];
  /** Statistics of the task's outputs over the current values of the chip. */
  readonly chipStatistics: readonly ParameterStatistics[];
  readonly neighbors: readonly EntityValues[];
  readonly couplings: readonly EntityValues[];
};

/** Longest texts, in characters. With the knowledge of a task they stay below a sixth of a turn's tokens. */
const LENGTH = { result: 2_400, parameters: 1_200, history: 3_000, related: 2_000, text: 300 } as const;

/** Empty sections are left out. */
export function analysisSections(
  context: AnalysisContext,
  mark: string,
  now: Date,
): readonly PromptSection[] {
  const { result, neighbors, couplings, current, label } = context;
  const set = current.filter(({ taskId }) => taskId !== result.taskId);
  const sections = [
    { id: 'task-result', lines: resultLines(context, now) },
    { id: 'history', lines: historyLines(context) },
    {
      id: 'current-values',
      lines: set.length === 0 ? [] : [`Set on ${label} now, by other runs:`, ...parameterLines(set)],
    },
    {
      id: 'neighbors',
      lines: relatedLines(
        `Qubits ${isCouplingId(result.qid) ? 'of' : 'next to'} ${label}, as set now:`,
        neighbors,
        'qubits',
      ),
    },
    { id: 'couplings', lines: relatedLines(`Couplings of ${label}, as set now:`, couplings, 'couplings') },
  ];
  return sections.flatMap(({ id, lines }) =>
    lines.length === 0 ? [] : [{ id, text: marked(mark, lines.join('\n')) }],
  );
}

/** Whether a message asks for a review with a decision, not just about the result. */
export const asksForReview = (question: string): boolean =>
  /\b(?:review|accept|approve|pass or fail|sign[- ]off)\b|レビュー|査定|合否|承認|採否/iu.test(question);

function resultLines(context: AnalysisContext, now: Date): readonly string[] {
  const { result, label, execution, currentCooldownId } = context;
  const { cooldownId, excluded, excludedReason, message, notes, qualityMetrics, runParameters } = result;
  const at = result.endAt ?? result.startAt;
  const otherCooldown =
    cooldownId !== null && currentCooldownId !== null && cooldownId !== currentCooldownId
      ? `, not the one that the chip is in now (${currentCooldownId})`
      : '';
  return boundedLines(
    [
      `Task result ${result.taskId}: ${result.name}${label === '' ? '' : ` of ${label}`} on ${result.chipId}. "This result" means it.`,
      `Status: ${result.status.toLowerCase()}. ${at === null ? 'No time is stored.' : `Measured ${formatTime(at)}, ${ageOf(at, now)}.`}`,
      ...(excluded
        ? [`Excluded from all statistics: ${foreign(excludedReason ?? 'no reason given')}`]
        : ['Not excluded.']),
      ...(cooldownId === null ? [] : [`Cool-down: ${cooldownId}${otherCooldown}.`]),
      ...(execution === null
        ? []
        : [
            `Execution ${execution.executionId} (${foreign(execution.name)}): ${execution.status.toLowerCase()}${execution.message === '' ? '' : `, ${foreign(execution.message)}`}.`,
          ]),
      ...(message === '' ? [] : [`Message: ${foreign(message)}`]),
      `Metrics of the fit: ${jsonWords(qualityMetrics) || 'none stored'}.`,
      ...titled('Outputs', result.outputParameters),
      ...titled('Inputs', result.inputParameters),
      `Run parameters: ${jsonWords(runParameters) || 'none stored'}.`,
      ...notes.map((note) => `Note of a person: ${foreign(note)}`),
    ],
    LENGTH.result,
    'lines of the result',
  );
}

const titled = (title: string, parameters: readonly ParameterValue[]): readonly string[] =>
  parameters.length === 0 ? [`${title}: none.`] : [`${title}:`, ...parameterLines(parameters)];

const parameterLines = (parameters: readonly ParameterValue[]): readonly string[] =>
  boundedLines(
    parameters.map((parameter) => `- ${parameterWords(parameter)}`),
    LENGTH.parameters,
    'parameters',
  );

/** `T1 (t1) 45.23 μs ± 1.2 μs, good`. */
function parameterWords(parameter: ParameterValue): string {
  const { name, title, rating, isStale } = parameter;
  return [
    `${title === name ? name : `${title} (${name})`} ${valueWords(parameter)}`,
    ...(rating === 'UNKNOWN' ? [] : [rating.toLowerCase()]),
    ...(isStale ? ['old'] : []),
  ].join(', ');
}

function valueWords({ displayValue, displayError, displayUnit, text, state }: ParameterValue): string {
  if (displayValue === null) return foreign(text ?? (state === 'DISABLED' ? 'disabled' : 'missing'));
  const error = displayError ? ` ${formatError(displayError, displayUnit)}` : '';
  return `${formatQuantity(displayValue, displayUnit)}${error}`;
}

function historyLines(context: AnalysisContext): readonly string[] {
  const { runs, shownRuns, hasOlderRuns, result, label } = context;
  if (runs.length === 0) return [];
  const shown = runs.slice(0, shownRuns);
  const older = hasOlderRuns ? ' and there are older ones' : '';
  return [
    `Runs of ${result.name}${label === '' ? '' : ` on ${label}`}, newest first; ${shown.length} of ${runs.length} read shown${older}:`,
    ...boundedLines(
      shown.map((run) => `- ${runWords(run, result)}`),
      LENGTH.history,
      'runs',
    ),
    ...spreadLines(context),
  ];
}

function runWords(run: TaskResult, own: TaskResult): string {
  const at = run.endAt ?? run.startAt;
  return [
    `${at === null ? 'no time' : formatTime(at)}: ${run.status.toLowerCase()}`,
    ...run.outputParameters.map((parameter) => `${parameter.name} ${valueWords(parameter)}`),
    ...(run.excluded ? [`excluded: ${foreign(run.excludedReason ?? 'no reason given')}`] : []),
    ...(run.status === 'FAILED' && run.message !== '' ? [foreign(run.message)] : []),
    ...(run.cooldownId !== own.cooldownId ? [`cool-down ${run.cooldownId ?? 'unknown'}`] : []),
    ...(run.taskId === own.taskId ? ['this result'] : []),
  ].join('; ');
}

/**
 * For each output the spread of the other valid runs and of the chip, and this result's place in both. Runs of other
 * cool-downs are left out: a warm-up changes a qubit.
 */
function spreadLines({ runs, result, chipStatistics }: AnalysisContext): readonly string[] {
  const { taskId: ownId, cooldownId } = result;
  const others = runs.filter(
    (run) =>
      run.taskId !== ownId && run.status === 'COMPLETED' && !run.excluded && run.cooldownId === cooldownId,
  );
  const which = cooldownId === null ? '' : ' of this cool-down';
  return chipStatistics.flatMap((overChip) => {
    const { name, displayUnit, display } = overChip;
    const values = others.flatMap(({ outputParameters }) =>
      outputParameters.flatMap((value) =>
        value.name === name && value.displayUnit === displayUnit ? (value.displayValue ?? []) : [],
      ),
    );
    const own = result.outputParameters.find((parameter) => parameter.name === name) ?? null;
    const ownValue = own?.displayUnit === displayUnit ? own.displayValue : null;
    return [
      `Spread of ${name} over the ${countOf(values.length, 'other valid run')}${which}: ${statisticsWords(statisticsOf(values), displayUnit)}.${placeWords(ownValue, statisticsOf(values))}`,
      ...(display.count === 0 ? [] : [chipWords(overChip, ownValue)]),
    ];
  });
}

const chipWords = (
  { name, display, displayUnit, missing }: ParameterStatistics,
  own: number | null,
): string =>
  `Spread of ${name} over the chip as set now (${display.count} have it, ${missing} do not): ${statisticsWords(display, displayUnit)}.${placeWords(own, display)}`;

function statisticsWords({ count, median, mean, stdev, min, max }: Statistics, unit: string): string {
  if (median === null || mean === null) return 'nothing to compare with';
  const spread = stdev === null ? '' : `, standard deviation ${formatQuantity(stdev, unit)}`;
  return count === 1
    ? formatQuantity(median, unit)
    : `median ${formatQuantity(median, unit)}, mean ${formatQuantity(mean, unit)}${spread}, ${formatQuantity(min, unit)} to ${formatQuantity(max, unit)}`;
}

/** Fewer than three values have no meaningful spread. */
function placeWords(own: number | null, { count, mean, stdev }: Statistics): string {
  if (own === null || mean === null || stdev === null || stdev === 0 || count < 3) return '';
  const distance = (own - mean) / stdev;
  return ` This result lies ${Math.abs(distance).toFixed(1)} standard deviations ${distance < 0 ? 'below' : 'above'} the mean.`;
}

const relatedLines = (title: string, entities: readonly EntityValues[], noun: string): readonly string[] =>
  entities.length === 0
    ? []
    : [
        title,
        ...boundedLines(
          entities.map(
            ({ label, parameters }) =>
              `- ${label}: ${parameters.map(parameterWords).join('; ') || 'nothing set'}`,
          ),
          LENGTH.related,
          noun,
        ),
      ];

/** `r2 0.981, shots 1024`: numbers and texts of a stored object, in any of the stored forms. */
function jsonWords(given: JsonObject): string {
  const words = Object.entries(given).map(([name, value]) => {
    const isRich = typeof value === 'object' && value !== null && 'value' in value;
    const plain: unknown = isRich ? value.value : value;
    const unit = isRich && 'unit' in value && typeof value.unit === 'string' ? value.unit : '';
    const isMeasured = typeof plain === 'number' && !Number.isInteger(plain);
    const text = isMeasured ? formatNumber(plain, unit) : jsonText(plain);
    return oneLine(`${name} ${text} ${unit}`, 120);
  });
  return boundedLines(words, LENGTH.parameters, 'entries').join(', ');
}

const jsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const foreign = (text: string): string => oneLine(text, LENGTH.text);

/** `3.5 hours ago`, `12 days ago`. */
function ageOf(at: Date, now: Date): string {
  const hours = (now.getTime() - at.getTime()) / 3_600_000;
  if (hours < 0) return 'in the future';
  return hours < 48 ? `${formatNumber(hours)} hours ago` : `${Math.round(hours / 24)} days ago`;
}
