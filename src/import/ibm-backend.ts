/**
 * IBM-style backend snapshots as QDash documents. One snapshot is one execution; every value is a task result
 * with its own date. Snapshots repeat values that were not remeasured: a value's identity is what was
 * measured, when, so a repeated one is the same task result, and the order of importing does not matter.
 */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  taskIdOf,
  type ChipDocument,
  type ChipDocuments,
  type TaskResultDocument,
} from './documents.ts';
import type { IbmSnapshot } from '../sources/ibm/ibm-json.ts';
import { valuesOf, type IbmValue } from '../sources/ibm/ibm-values.ts';
import {
  currentValues,
  entityOf,
  executionIdOf,
  executionOf,
  resultOf,
  type ImportSource,
} from './measured-documents.ts';

/** A snapshot as documents, and remarks for people. */
export type IbmImport = {
  readonly documents: ChipDocuments;
  /** Kept as measured, in doubt: one plain sentence each. */
  readonly doubts: readonly string[];
  /** Gates that the vendor marks as disabled. */
  readonly disabled: readonly string[];
  /** Kept, but excluded from every figure. */
  readonly excluded: readonly string[];
  /** Not in the file as a usable number. */
  readonly leftOut: readonly string[];
  /** Own dates of the values. */
  readonly oldestAt: Date;
  readonly newestAt: Date;
};

/** Turns a checked snapshot into documents of `projectId` and `chipId`. Pure. */
export function importIbmSnapshot(snapshot: IbmSnapshot, projectId: string, chipId: string): IbmImport {
  const snapshotAt = new Date(snapshot.properties.last_update_date);
  const device = snapshot.properties.backend_name;
  const source: ImportSource = {
    projectId,
    chipId,
    executionId: executionIdOf(snapshotAt, chipId),
    name: device,
    tags: ['import', 'ibm'],
    since: snapshotAt,
    until: snapshotAt,
  };
  const { values, leftOut } = valuesOf(snapshot.properties);
  const taskResults = values.map((value) => taskResult(value, source));
  const current = currentValues(taskResults);
  const entity = (collection: 'qubit' | 'coupling') => (qid: string) =>
    entityOf(collection, qid, current.get(qid) ?? {}, source);
  const execution = executionOf(source, {
    name: `Snapshot of ${device}`,
    note: { source: 'ibm-backend', device },
    message: `${values.length} values, each measured at its own time`,
  });
  const times = values.map((value) => value.measuredAt).sort((a, b) => a.getTime() - b.getTime());
  return {
    documents: {
      chip: chipDocument(snapshot, source),
      qubits: snapshot.properties.qubits.map((_, index) => entity('qubit')(String(index))),
      couplings: couplingIds(snapshot).map(entity('coupling')),
      executions: [execution],
      taskResults,
      calibrationNotes: [],
      parameterVersions: [],
      provenanceRelations: [],
      provenanceActivities: [],
    },
    doubts: values.flatMap(({ doubt, parameter, qid }) =>
      doubt ? [`${parameter} of ${qid}: ${doubt}`] : [],
    ),
    disabled: values.flatMap(({ origin, value, parameter, qid }) =>
      origin.gate && value <= 0 ? [`${parameter} of ${qid}: a gate error of ${origin.value}`] : [],
    ),
    excluded: values.flatMap(({ unusable, parameter, qid }) =>
      unusable ? [`${parameter} of ${qid}: ${unusable}`] : [],
    ),
    leftOut,
    oldestAt: times.at(0) ?? snapshotAt,
    newestAt: times.at(-1) ?? snapshotAt,
  };
}

function chipDocument(snapshot: IbmSnapshot, source: ImportSource): ChipDocument {
  const { projectId, chipId, until: snapshotAt, name: device } = source;
  const online = new Date(snapshot.configuration.online_date ?? Number.NaN);
  return {
    _id: documentId('chip', projectId, chipId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    chip_id: chipId,
    size: snapshot.configuration.n_qubits,
    topology_id: device,
    layout: layoutOf(snapshot),
    source: device,
    installed_at: Number.isNaN(online.getTime()) ? snapshotAt : online,
    activity_status: 'active',
    current_cooldown_id: null,
    note: NO_NOTE,
    system_info: { created_at: snapshotAt, updated_at: snapshotAt },
  };
}

/** `coords` are `[x, y]` with an origin of the vendor's choice, x to the right and y downwards. */
function layoutOf({ configuration }: IbmSnapshot): ChipDocument['layout'] {
  const coords = configuration.coords;
  if (!coords || coords.length !== configuration.n_qubits) return null;
  const left = Math.min(...coords.map(([x]) => x));
  const top = Math.min(...coords.map(([, y]) => y));
  return Object.fromEntries(coords.map(([x, y], index) => [String(index), { row: y - top, col: x - left }]));
}

/** Directed pairs of the coupling map; where there is none, those that two-qubit gates were measured on. */
function couplingIds({ properties, configuration }: IbmSnapshot): readonly string[] {
  const measuredPairs = properties.gates.map(({ qubits }) => qubits).filter(({ length }) => length === 2);
  const pairs = [...(configuration.coupling_map ?? []), ...measuredPairs];
  return [...new Set(pairs.map((pair) => pair.join('-')))];
}

function taskResult(value: IbmValue, source: ImportSource): TaskResultDocument {
  const { qid, parameter, measuredAt, origin } = value;
  const { projectId, chipId } = source;
  const gate = origin.gate ?? '';
  const identity = [gate, parameter, qid, measuredAt.toISOString(), String(origin.value)];
  return resultOf(value, source, {
    taskId: taskIdOf('ibm', projectId, chipId, ...identity),
    description: gate === '' ? origin.record : `${gate} ${origin.record}`,
    note: { source: 'ibm-backend', ...origin },
  });
}
