/** Arguments and rows that tools about runs share. */
import { z } from 'zod';
import type { Chip } from '../../domain/chip/chip.ts';
import { isCouplingId, qidLabel } from '../../domain/qid.ts';
import { compactNumber, compactOutputParameters, compactTimestamp } from '../../domain/text/compact.ts';
import { formatError } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import type { Freshness } from '../../domain/values/freshness.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { TASK_STATUSES } from '../../domain/values/task-result.ts';
import type { TaskResult, TaskStatus } from '../../domain/values/task-result.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { ToolContext } from '../tool.ts';
import { valueWords, stateData } from './words.ts';

/** Names a qubit or coupling. */
export const qidArg = z.string().describe('12, or 4-1 for a coupling');

/** How many, newest first. */
export const lastNArg = (preset: number, most: number) =>
  z.number().int().min(1).max(most).nullable().describe(`null for ${preset}`);

/** Names a status. */
export const statusArg = z.string().nullable().describe('completed, failed, running, …');

/** What {@link statusArg} means. @throws InvalidInputError naming the statuses for any other word. */
export function statusesOf(argument: string | null): readonly TaskStatus[] | null {
  if (!argument) return null;
  const status = TASK_STATUSES.find((each) => each.toLowerCase() === argument.toLowerCase());
  if (status !== undefined) return [status];
  const known = TASK_STATUSES.map((each) => each.toLowerCase()).join(', ');
  throw new InvalidInputError([{ path: ['status'], message: `${argument} is no status; use ${known}` }]);
}

/** A qubit or coupling by its stored id. */
export type Entity = {
  readonly qid: string;
  readonly label: string;
  /** Set where the values are stored under the opposite direction. */
  readonly remark: string | null;
};

/** The qubit or coupling that `written` means. @throws NotFoundError naming the existing ones. */
export async function entityOf({ services }: ToolContext, chip: Chip, written: string): Promise<Entity> {
  if (!isCouplingId(written)) {
    const { qid, label } = await services.qubits.get(chip, written);
    return { qid, label, remark: null };
  }
  const { coupling, reversed } = await services.couplings.get(chip, written);
  const label = qidLabel(coupling.couplingId, chip.size);
  const remark = reversed ? `Stored in the direction ${label}, not ${written}.` : null;
  return { qid: coupling.couplingId, label, remark };
}

/** A run as a model reads it: output values as stored, with what is needed to show them. */
export function taskResultData(result: TaskResult, now: Date): JsonObject {
  return {
    task_id: result.taskId,
    task_name: result.name,
    qid: result.qid,
    status: result.status.toLowerCase(),
    execution_id: result.executionId,
    start_at: compactTimestamp(result.startAt, now),
    end_at: compactTimestamp(result.endAt, now),
    elapsed_s: result.elapsedSeconds === null ? null : compactNumber(result.elapsedSeconds),
    output_parameters: Object.fromEntries(result.outputParameters.map(outputData)),
    ...(result.message === '' ? {} : { message: result.message }),
    ...(result.excluded ? { excluded: true, excluded_reason: result.excludedReason } : {}),
    ...(result.notes.length === 0 ? {} : { notes: result.notes }),
  };
}

function outputData(output: ParameterValue): [string, JsonObject] {
  const { name, value, text, unit, error, scale, displayUnit } = output;
  const stored = compactOutputParameters({ [name]: { value: value ?? text, unit, error } });
  return [name, { ...(stored[name] as JsonObject), scale, display_unit: displayUnit, ...stateData(output) }];
}

/** `T1 45.23 μs ± 1.20 μs`, for each output of a run. */
export function outputWords({ outputParameters }: TaskResult): readonly string[] {
  return outputParameters.map((output) => {
    const { title, displayError, displayUnit } = output;
    return `${title} ${valueWords(output)}${displayError ? ` ${formatError(displayError, displayUnit)}` : ''}`;
  });
}

/** Age of runs, by their ends. */
export const freshnessOfRuns = (
  runs: readonly { readonly startAt: Date | null; readonly endAt: Date | null }[],
): Freshness =>
  freshnessOf(
    'SNAPSHOT',
    runs.map(({ startAt, endAt }) => endAt ?? startAt),
    null,
  );

/** `2 completed, 1 failed`. */
export function statusWords(runs: readonly { readonly status: TaskStatus }[]): string {
  const counts = [...Map.groupBy(runs, ({ status }) => status)];
  return counts.map(([status, each]) => `${each.length} ${status.toLowerCase()}`).join(', ');
}
