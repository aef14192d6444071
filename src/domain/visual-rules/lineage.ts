/** Where values came from (rule C9), as tables: the versions of a parameter, and what one of them came from. */
import type { ParameterVersion, ProvenanceGraph, ProvenanceNode } from '../records/provenance.ts';
import { formatQuantity } from '../text/display-text.ts';
import type { TableSpec } from '../visuals.ts';
import { numberColumn, textColumn, timeColumn } from './table.ts';

/** Versions, newest first, as stored. */
export function versionsTable(title: string, versions: readonly ParameterVersion[]): TableSpec {
  const unit = versions[0]?.unit ?? '';
  return {
    type: 'table',
    title,
    columns: [
      numberColumn('version', 'Version', ''),
      numberColumn('value', 'Value', unit),
      numberColumn('error', 'Error', unit),
      timeColumn('validFrom', 'From (UTC)'),
      timeColumn('validUntil', 'Until (UTC)'),
      textColumn('task', 'Task'),
      textColumn('executionId', 'Execution'),
    ],
    rows: versions.map((version) => ({
      version: version.version,
      value: version.unit === unit ? (version.value ?? version.text) : null,
      error: version.unit === unit ? version.error : null,
      validFrom: version.validFrom.toISOString(),
      validUntil: version.validUntil?.toISOString() ?? null,
      task: version.taskName,
      executionId: version.executionId,
    })),
  };
}

/** `t1 of 12, version 3 of 5: 45.23 μs`, `CheckT1 on 12`. */
export function nodeWords(node: ProvenanceNode): string {
  if (node.kind === 'ACTIVITY') return `${node.activity.taskName} on ${node.activity.qid}`;
  const { parameter, qid, version, value, text, unit } = node.entity;
  const age = node.newestVersion > version ? `${version} of ${node.newestVersion}` : String(version);
  const shown = value === null ? (text ?? '–') : formatQuantity(value, unit);
  return `${parameter} of ${qid}, version ${age}: ${shown}`;
}

/** The nodes of a graph, nearest first. */
export function provenanceTable(title: string, { nodes }: ProvenanceGraph): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      numberColumn('depth', 'Steps back', ''),
      textColumn('what', 'Version or run'),
      textColumn('task', 'Task'),
      textColumn('executionId', 'Execution'),
      timeColumn('at', 'Time (UTC)'),
    ],
    rows: nodes.map((node) => {
      const record = node.kind === 'ENTITY' ? node.entity : node.activity;
      const at = node.kind === 'ENTITY' ? node.entity.validFrom : node.activity.endedAt;
      return {
        depth: node.depth,
        what: nodeWords(node),
        task: record.taskName,
        executionId: record.executionId,
        at: at?.toISOString() ?? null,
      };
    }),
  };
}
