/**
 * Documents of a device that its source describes as a whole, again and again: each snapshot is an execution, each value
 * a task result at its own time. Knows no formats.
 */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  taskIdOf,
  type ChipDocument,
  type ChipDocuments,
} from './documents.ts';
import type { MeasuredValue } from '../domain/values/measured-value.ts';
import {
  currentValues,
  entityOf,
  executionIdOf,
  executionOf,
  resultOf,
  type ImportSource,
} from './measured-documents.ts';

/** The device that all snapshots are of. */
export type SnapshotDevice = {
  readonly projectId: string;
  readonly chipId: string;
  /** The device's own name, and the kind of its source, such as `qibolab`. */
  readonly device: string;
  readonly kind: string;
  readonly layout: ChipDocument['layout'];
};

/** A value with what the source wrote; `written` distinguishes values of one place and time. */
export type SnapshotValue = MeasuredValue & { readonly path: string; readonly written: string };

/** What a source said at a time. */
export type DeviceSnapshot = {
  readonly at: Date;
  /** The file, and its commit where it has one. */
  readonly origin: Readonly<Record<string, string>>;
  /** The qubits and couplings that it lists; those that the newest one lacks are past ones. */
  readonly qids: readonly string[];
  readonly couplingIds: readonly string[];
  readonly values: readonly SnapshotValue[];
};

/** Documents of at least one snapshot; those without values leave no execution. Pure. */
export function snapshotDocuments(
  { projectId, chipId, device, kind, layout }: SnapshotDevice,
  snapshots: readonly [DeviceSnapshot, ...DeviceSnapshot[]],
): ChipDocuments {
  const inOrder = snapshots.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const [since, until] = [(inOrder[0] ?? snapshots[0]).at, (inOrder.at(-1) ?? snapshots[0]).at];
  const common = { projectId, chipId, name: device, tags: ['import', kind] };
  const runs = snapshots
    .filter(({ values }) => values.length > 0)
    .map(({ at, origin, values }) => {
      const executionId = executionIdOf(at, chipId);
      const source: ImportSource = { ...common, executionId, since: at, until: at };
      const taskResults = values.map((value) => {
        const { qid, parameter, measuredAt, path, written } = value;
        const identity = [parameter, qid, measuredAt.toISOString(), written];
        return resultOf(value, source, {
          taskId: taskIdOf(kind, projectId, chipId, ...identity),
          description: path,
          note: { source: kind, ...origin, path, written },
        });
      });
      const execution = executionOf(source, {
        name: `Snapshot of ${device}`,
        note: { source: kind, device, ...origin },
        message: `${values.length} values`,
      });
      return { execution, taskResults };
    });
  const taskResults = runs.flatMap((run) => run.taskResults);
  const current = currentValues(taskResults);
  const entities = (
    collection: 'qubit' | 'coupling',
    listed: (snapshot: DeviceSnapshot) => readonly string[],
  ) => {
    const seen = new Map<string, Date[]>();
    for (const snapshot of inOrder) {
      for (const qid of listed(snapshot)) seen.set(qid, [...(seen.get(qid) ?? []), snapshot.at]);
    }
    return [...seen].map(([qid, at]) => {
      const span = { since: at[0] ?? since, until: at.at(-1) ?? until };
      const source: ImportSource = { ...common, executionId: '', ...span };
      return entityOf(collection, qid, current.get(qid) ?? {}, source, layout?.[qid]?.name);
    });
  };
  const qubits = entities('qubit', ({ qids }) => qids);
  return {
    chip: {
      _id: documentId('chip', projectId, chipId),
      project_id: projectId,
      username: IMPORT_USERNAME,
      chip_id: chipId,
      size: Math.max(qubits.length, Object.keys(layout ?? {}).length),
      topology_id: device,
      layout,
      source: `${kind} ${device}`,
      snapshot_at: until,
      installed_at: since,
      activity_status: 'active',
      current_cooldown_id: null,
      note: NO_NOTE,
      system_info: { created_at: since, updated_at: until },
    },
    qubits,
    couplings: entities('coupling', ({ couplingIds }) => couplingIds),
    executions: runs.map(({ execution }) => execution),
    taskResults,
    calibrationNotes: [],
    parameterVersions: [],
    provenanceRelations: [],
    provenanceActivities: [],
  };
}
