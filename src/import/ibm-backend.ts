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
  type CalibrationNoteDocument,
  type ChipDocument,
  type ChipDocuments,
  type TaskResultDocument,
} from './documents.ts';
import { snapshotTime, type IbmSnapshot } from '../sources/ibm/ibm-json.ts';
import type { IbmValue, LayerFidelity, LeftOut } from '../sources/ibm/ibm-record.ts';
import { couplingIdsOf, valuesOf } from '../sources/ibm/ibm-values.ts';
import {
  currentValues,
  entityOf,
  executionIdOf,
  executionOf,
  resultOf,
  type ImportSource,
} from './measured-documents.ts';

/** A snapshot as documents, and what of it is remarkable. */
export type IbmImport = {
  readonly documents: ChipDocuments;
  readonly values: readonly IbmValue[];
  /** Kept in the machine note of the execution: they belong to no single qubit or coupling. */
  readonly layers: readonly LayerFidelity[];
  readonly leftOut: readonly LeftOut[];
  /** Pairs of the coupling map that name qubits which the chip does not have. */
  readonly impossiblePairs: readonly string[];
};

/** Turns a checked snapshot into documents of `projectId` and `chipId`. Pure. */
export function importIbmSnapshot(
  snapshot: IbmSnapshot,
  projectId: string,
  chipId: string,
  now: Date,
): IbmImport {
  const snapshotAt = snapshotTime(snapshot.properties);
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
  const { values, layers, leftOut } = valuesOf(snapshot.properties, now);
  const taskResults = values.map((value) => taskResult(value, source));
  const current = currentValues(taskResults);
  const entity = (collection: 'qubit' | 'coupling') => (qid: string) =>
    entityOf(collection, qid, current.get(qid) ?? {}, source);
  // Marks of disabled gates may be dated some minutes after the snapshot that they are in.
  const until = new Date(
    Math.max(...[snapshotAt, ...values.map(({ measuredAt }) => measuredAt)].map(Number)),
  );
  const execution = executionOf(
    { ...source, until },
    {
      name: `Snapshot of ${device}`,
      note: { source: 'ibm-backend', device },
      message: [`${values.length} values, each measured at its own time`, ...layerWords(layers)].join('; '),
    },
  );
  const { couplingIds, impossiblePairs } = couplingsOf(snapshot);
  return {
    documents: {
      chip: chipDocument(snapshot, source),
      qubits: snapshot.properties.qubits.map((_, index) => entity('qubit')(String(index))),
      couplings: couplingIds.map(entity('coupling')),
      executions: [execution],
      taskResults,
      calibrationNotes: layers.length > 0 ? [layerNote(layers, source)] : [],
      parameterVersions: [],
      provenanceRelations: [],
      provenanceActivities: [],
    },
    values,
    layers,
    leftOut,
    impossiblePairs,
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
    snapshot_at: snapshotAt,
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

/** Directed pairs of the coupling map, and those that two-qubit gates were measured on. */
function couplingsOf({ properties, configuration }: IbmSnapshot) {
  const listed = configuration.coupling_map ?? [];
  const isPossible = ([a, b]: readonly [number, number]) =>
    a !== b && Math.max(a, b) < configuration.n_qubits;
  const ids = listed.filter(isPossible).map((pair) => pair.join('-'));
  return {
    couplingIds: [...new Set([...ids, ...couplingIdsOf(properties)])],
    impossiblePairs: listed.filter((pair) => !isPossible(pair)).map((pair) => pair.join('-')),
  };
}

function taskResult(value: IbmValue, source: ImportSource): TaskResultDocument {
  const { qid, parameter, measuredAt, origin, mark } = value;
  const { projectId, chipId } = source;
  const gate = origin.gate ?? '';
  const identity = [gate, parameter, qid, measuredAt.toISOString(), String(origin.value)];
  return resultOf(value, source, {
    taskId: taskIdOf('ibm', projectId, chipId, ...identity),
    description: gate === '' ? origin.record : `${gate} ${origin.record}`,
    note: { source: 'ibm-backend', ...origin },
    remark: mark,
  });
}

/** The shortest and the longest chain; the machine note holds all. */
function layerWords(layers: readonly LayerFidelity[]): readonly string[] {
  const byLength = layers.toSorted((a, b) => a.qubits.length - b.qubits.length);
  const [shortest, longest] = [byLength.at(0), byLength.at(-1)];
  if (shortest === undefined || longest === undefined) return [];
  const words = ({ value, qubits }: LayerFidelity) => `${value.toPrecision(3)} on ${qubits.length} qubits`;
  return [
    `layer fidelity of ${layers.length} chains in its machine note, ${words(shortest)}, ${words(longest)}`,
  ];
}

/** Layer fidelities as the machine note of the whole execution, by the number of qubits of their chain. */
function layerNote(layers: readonly LayerFidelity[], source: ImportSource): CalibrationNoteDocument {
  const { projectId, chipId, executionId, until } = source;
  return {
    _id: documentId('calibration_note', projectId, executionId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    chip_id: chipId,
    execution_id: executionId,
    task_id: 'master',
    note: {
      layer_fidelity: Object.fromEntries(
        layers.map(({ record, value, measuredAt, qubits }) => [
          record,
          { value, measured_at: measuredAt.toISOString(), qubits: qubits.join('-') },
        ]),
      ),
    },
    version: 1,
    timestamp: until,
    system_info: { created_at: until, updated_at: until },
  };
}
