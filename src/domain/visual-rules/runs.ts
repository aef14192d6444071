/** Lists of runs: task results with what they measured, and executions. Tables only: a run has no axis of its own. */
import { qidLabel } from '../qid.ts';
import type { Execution } from '../records/execution.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { TaskResult } from '../values/task-result.ts';
import type { TableSpec } from '../visuals.ts';
import { numberColumn, textColumn, timeColumn } from './table.ts';

/** Parameters that get a column of their own; the others stand at the results. */
const MAX_PARAMETERS = 6;

/** Task results, a row each, with a column for each of the parameters that they brought most often. */
export function taskResultsTable(title: string, chipSize: number, results: readonly TaskResult[]): TableSpec {
  const parameters = commonParameters(results);
  return {
    type: 'table',
    title,
    columns: [
      timeColumn('at', 'Run (UTC)'),
      textColumn('task', 'Task'),
      textColumn('label', 'Qubit'),
      textColumn('status', 'Status'),
      ...parameters.map(({ name, title: header, displayUnit }) =>
        numberColumn(`value:${name}`, header, displayUnit),
      ),
      textColumn('remark', 'Remark'),
      textColumn('executionId', 'Execution'),
    ],
    rows: results.map((result) => ({
      at: (result.endAt ?? result.startAt)?.toISOString() ?? null,
      task: result.name,
      label: qidLabel(result.qid, chipSize),
      status: result.excluded ? 'excluded' : result.status.toLowerCase(),
      ...Object.fromEntries(
        parameters.map(({ name, displayUnit }) => {
          const own = result.outputParameters.find((each) => each.name === name);
          return [`value:${name}`, own?.displayUnit === displayUnit ? own.displayValue : null];
        }),
      ),
      remark: result.excludedReason ?? (result.status === 'COMPLETED' ? null : result.message || null),
      executionId: result.executionId,
    })),
  };
}

function commonParameters(results: readonly TaskResult[]): readonly ParameterValue[] {
  const byName = Map.groupBy(
    results.flatMap(({ outputParameters }) => outputParameters),
    ({ name }) => name,
  );
  return [...byName.values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_PARAMETERS)
    .flatMap(([first]) => first ?? []);
}

/** Executions, a row each. */
export function executionsTable(title: string, executions: readonly Execution[]): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('executionId', 'Execution'),
      textColumn('name', 'Name'),
      textColumn('status', 'Status'),
      textColumn('tags', 'Tags'),
      timeColumn('startAt', 'Started (UTC)'),
      numberColumn('elapsedMinutes', 'Took', 'min'),
      textColumn('message', 'Message'),
    ],
    rows: executions.map(({ executionId, name, status, tags, startAt, elapsedSeconds, message }) => ({
      executionId,
      name,
      status: status.toLowerCase(),
      tags: tags.join(', '),
      startAt: startAt?.toISOString() ?? null,
      elapsedMinutes: elapsedSeconds === null ? null : elapsedSeconds / 60,
      message: message || null,
    })),
  };
}
