/**
 * Tables of recorded things: task results, executions, notes, versions and their origins (C9), rows of uploaded
 * tables.
 */
import type { DatasetAnswer } from '../datasets/dataset-answer.ts';
import type { DatasetColumn } from '../datasets/dataset.ts';
import { qidLabel } from '../qid.ts';
import type { Execution } from '../records/execution.ts';
import type { HumanNote } from '../records/notes.ts';
import type { ParameterVersion, ProvenanceGraph, ProvenanceNode } from '../records/provenance.ts';
import { formatQuantity } from '../text/display-text.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { TaskResult } from '../values/task-result.ts';
import type { TableColumn, TableSpec } from '../visuals.ts';
import { noDataNote, numberColumn, tableOf, textColumn, timeColumn } from './table.ts';

/** Parameters that get a column of their own; the others are shown with the single results. */
const MAX_PARAMETERS = 6;

/** Task results, a row each, with a column for each of the parameters that they brought most often. */
export function taskResultsTable(title: string, chipSize: number, results: readonly TaskResult[]): TableSpec {
  return tableOf(title, results, [
    [timeColumn('at', 'Run (UTC)'), ({ startAt, endAt }) => endAt ?? startAt],
    [textColumn('task', 'Task'), ({ name }) => name],
    [textColumn('label', 'Qubit'), ({ qid }) => qidLabel(qid, chipSize)],
    [
      textColumn('status', 'Status'),
      (result) => (result.excluded ? 'excluded' : result.status.toLowerCase()),
    ],
    ...commonParameters(results).map(
      ({ name, title: header, displayUnit }) =>
        [
          numberColumn(`value:${name}`, header, displayUnit),
          ({ outputParameters }: TaskResult) => {
            const own = outputParameters.find((each) => each.name === name);
            return own?.displayUnit === displayUnit ? own.displayValue : null;
          },
        ] as const,
    ),
    [
      textColumn('remark', 'Remark'),
      ({ excludedReason, status, message }) =>
        excludedReason ?? (status === 'COMPLETED' ? null : message || null),
    ],
    [textColumn('executionId', 'Execution'), ({ executionId }) => executionId],
  ]);
}

function commonParameters(results: readonly TaskResult[]): readonly ParameterValue[] {
  const outputs = results.flatMap(({ outputParameters }) => outputParameters);
  return [...Map.groupBy(outputs, ({ name }) => name).values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_PARAMETERS)
    .flatMap(([first]) => first ?? []);
}

/** Executions, a row each. */
export const executionsTable = (title: string, executions: readonly Execution[]): TableSpec =>
  tableOf(title, executions, [
    [textColumn('executionId', 'Execution'), ({ executionId }) => executionId],
    [textColumn('name', 'Name'), ({ name }) => name],
    [textColumn('status', 'Status'), ({ status }) => status.toLowerCase()],
    [textColumn('tags', 'Tags'), ({ tags }) => tags.join(', ')],
    [timeColumn('startAt', 'Started (UTC)'), ({ startAt }) => startAt],
    [
      numberColumn('elapsedMinutes', 'Duration', 'min'),
      ({ elapsedSeconds }) => (elapsedSeconds === null ? null : elapsedSeconds / 60),
    ],
    [textColumn('message', 'Message'), ({ message }) => message || null],
  ]);

/** What people wrote, newest first. */
export const humanNotesTable = (title: string, chipSize: number, notes: readonly HumanNote[]): TableSpec =>
  tableOf(title, notes, [
    [textColumn('about', 'About'), (note) => noteAbout(note, chipSize)],
    [textColumn('text', 'Note'), ({ text }) => text],
    [textColumn('author', 'Author'), ({ author }) => author],
    [timeColumn('updatedAt', 'Written (UTC)'), ({ updatedAt }) => updatedAt],
  ]);

/** `Q45`, `t1 of Q27`, `a result of Q05`, `the chip`, `the project`. */
export function noteAbout({ subject, qid, metric }: HumanNote, chipSize: number): string {
  if (subject === 'PROJECT') return 'the project';
  const who = qid === null ? 'the chip' : qidLabel(qid, chipSize);
  if (subject === 'TASK_RESULT') return `a result of ${who}`;
  return metric === null ? who : `${metric} of ${who}`;
}

/** Versions of a parameter, newest first, as stored. */
export function versionsTable(title: string, versions: readonly ParameterVersion[]): TableSpec {
  const unit = versions[0]?.unit ?? '';
  return tableOf(title, versions, [
    [numberColumn('version', 'Version', ''), ({ version }) => version],
    [numberColumn('value', 'Value', unit), (each) => (each.unit === unit ? (each.value ?? each.text) : null)],
    [numberColumn('error', 'Error', unit), (each) => (each.unit === unit ? each.error : null)],
    [timeColumn('validFrom', 'From (UTC)'), ({ validFrom }) => validFrom],
    [timeColumn('validUntil', 'Until (UTC)'), ({ validUntil }) => validUntil],
    ...(versions.some(({ excluded }) => excluded) ? [[textColumn('remark', 'Remark'), markOf] as const] : []),
    [textColumn('task', 'Task'), ({ taskName }) => taskName],
    [textColumn('executionId', 'Execution'), ({ executionId }) => executionId],
  ]);
}

/** `t1 of 12, version 3 of 5: 45.23 μs`, `CheckT1 on 12 (excluded)`. */
export function nodeWords(node: ProvenanceNode): string {
  const excluded = node.excluded ? ' (excluded)' : '';
  if (node.kind === 'ACTIVITY') return `${node.activity.taskName} on ${node.activity.qid}${excluded}`;
  const { parameter, qid, version, value, text, unit } = node.entity;
  const age = node.newestVersion > version ? `${version} of ${node.newestVersion}` : String(version);
  const shown = value === null ? (text ?? '–') : formatQuantity(value, unit);
  return `${parameter} of ${qid}, version ${age}: ${shown}${excluded}`;
}

const markOf = ({ excluded }: ParameterVersion): string | null => (excluded ? 'excluded' : null);

/** The nodes of a graph, nearest first. */
export function provenanceTable(title: string, { nodes }: ProvenanceGraph): TableSpec {
  const recordOf = (node: ProvenanceNode) => (node.kind === 'ENTITY' ? node.entity : node.activity);
  return tableOf(title, nodes, [
    [numberColumn('depth', 'Steps back', ''), ({ depth }) => depth],
    [textColumn('what', 'Version or run'), nodeWords],
    [textColumn('task', 'Task'), (node) => recordOf(node).taskName],
    [textColumn('executionId', 'Execution'), (node) => recordOf(node).executionId],
    [
      timeColumn('at', 'Time (UTC)'),
      (node) => (node.kind === 'ENTITY' ? node.entity.validFrom : node.activity.endedAt),
    ],
  ]);
}

/** Rows of an uploaded table that are shown; the rest can be charted and analysed. */
const MAX_DATASET_ROWS = 200;

/** The first rows of an answer; `what` describes them. No rule knows what they mean, so none draws a chart of them. */
export function datasetTable(what: string, { columns, rows, total }: DatasetAnswer): TableSpec {
  if (rows.length === 0) return noDataNote(what, what);
  const shown = rows.slice(0, MAX_DATASET_ROWS);
  return {
    type: 'table',
    title: shown.length < total ? `${what} (${shown.length} of ${total} rows)` : what,
    columns: columns.map(datasetColumn),
    rows: shown,
  };
}

function datasetColumn({ name, type, unit }: Pick<DatasetColumn, 'name' | 'type' | 'unit'>): TableColumn {
  switch (type) {
    case 'number':
      return numberColumn(name, name, unit ?? '');
    case 'text':
      return textColumn(name, name);
    case 'datetime':
      return timeColumn(name, `${name} (UTC)`);
  }
}
