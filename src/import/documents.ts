/**
 * Documents in the shapes of a QDash database, with its field names. Ids are computed from content, so that the same
 * measurement imported twice is the same document.
 */
import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { IMPORTER } from '../domain/records/notes.ts';

/** Who wrote a document, in the field that QDash keeps for its users. */
export const IMPORT_USERNAME = IMPORTER;

/** A value of `qubit.data`, `coupling.data` and `output_parameters`. `value` is in `unit`; times are BSON dates. */
export type ParameterDocument = {
  readonly parameter_name: string;
  readonly qid_role: '' | 'self' | 'control' | 'target' | 'coupling';
  readonly value: number;
  readonly value_type: 'float' | 'int';
  /** One standard deviation in `unit`; 0 where the source gives none. */
  readonly error: number;
  readonly unit: string;
  readonly description: string;
  readonly calibrated_at: Date;
  readonly execution_id: string;
  readonly task_id: string;
};

/** Parameters by name. */
export type ParameterMap = Readonly<Record<string, ParameterDocument>>;

/** A remark of a person; `updated_at` null means that there is none. */
export type NoteDocument = {
  readonly content: string;
  readonly updated_by: string;
  readonly updated_at: Date | null;
};

/** No note. */
export const NO_NOTE: NoteDocument = { content: '', updated_by: '', updated_at: null };

type SystemInfo = { readonly created_at: Date; readonly updated_at: Date };
type Owned = { readonly _id: ObjectId; readonly project_id: string; readonly username: string };

/** Row of `project`. */
export type ProjectDocument = {
  readonly _id: ObjectId;
  readonly project_id: string;
  readonly owner_username: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly system_info: SystemInfo;
};

/** Row of `chip`. `layout` and `source` are ours; QDash ignores fields that it does not know. */
export type ChipDocument = Owned & {
  readonly chip_id: string;
  readonly size: number;
  readonly topology_id: string | null;
  /**
   * Places of the qubits where the source names them; `topology_id` then names no file. Zero-based. `name` is the
   * device's own name of a qubit, such as `3_2`.
   */
  readonly layout: Readonly<
    Record<string, { readonly row: number; readonly col: number; readonly name?: string }>
  > | null;
  /** The device behind the chip id, so that two devices cannot be mixed up under one. */
  readonly source: string;
  /** Newest snapshot, of devices that are imported whole: parts that it lacks are past ones. */
  readonly snapshot_at?: Date;
  readonly installed_at: Date;
  readonly activity_status: 'active';
  readonly current_cooldown_id: string | null;
  readonly note: NoteDocument;
  readonly system_info: SystemInfo;
};

/** Row of `qubit` and of `coupling`; `qid` of a coupling is `control-target`. */
export type EntityDocument = Owned & {
  readonly chip_id: string;
  readonly qid: string;
  /** The device's own name of a qubit, where it has one. */
  readonly name?: string;
  readonly status: string;
  /** Current value of each parameter. */
  readonly data: ParameterMap;
  readonly note: NoteDocument;
  readonly system_info: SystemInfo;
};

/** Row of `task_result_history`. */
export type TaskResultDocument = Owned & {
  readonly task_id: string;
  readonly name: string;
  readonly upstream_id: string;
  readonly status: 'completed' | 'failed';
  readonly message: string;
  readonly stack_trace: string;
  readonly input_parameters: ParameterMap;
  readonly output_parameters: ParameterMap;
  readonly output_parameter_names: readonly string[];
  readonly run_parameters: Readonly<Record<string, unknown>>;
  readonly quality_metrics: Readonly<Record<string, number>>;
  readonly note: Readonly<Record<string, unknown>>;
  readonly user_note: NoteDocument;
  /** Why the importer doubts the value, empty if it does not. Ours; such results are tagged `import-doubt`. */
  readonly import_doubt: string;
  /** A language model's review; absent where there is none. */
  readonly ai_review_note?: NoteDocument;
  readonly figure_path: readonly string[];
  readonly json_figure_path: readonly string[];
  readonly raw_data_path: readonly string[];
  readonly start_at: Date;
  readonly end_at: Date;
  /** Seconds; null where the source does not give a duration. */
  readonly elapsed_time: number | null;
  readonly task_type: 'qubit' | 'coupling';
  readonly qid: string;
  readonly execution_id: string;
  readonly tags: readonly string[];
  readonly chip_id: string;
  readonly cooldown_id: string;
  readonly source_task_id: null;
  readonly excluded: boolean;
  readonly excluded_reason: string;
  readonly excluded_by: string;
  readonly excluded_at: Date | null;
  readonly system_info: SystemInfo;
};

/** Row of `execution_history`. */
export type ExecutionDocument = Owned & {
  readonly name: string;
  readonly execution_id: string;
  readonly calib_data_path: string;
  readonly note: Readonly<Record<string, unknown>>;
  readonly status: 'completed' | 'failed';
  readonly tags: readonly string[];
  readonly chip_id: string;
  readonly start_at: Date;
  readonly end_at: Date;
  readonly elapsed_time: number | null;
  readonly message: string;
  readonly system_info: SystemInfo;
};

/** Row of `calibration_note`: machine parameters, by type and qubit label. */
export type CalibrationNoteDocument = Owned & {
  readonly chip_id: string;
  readonly execution_id: string;
  readonly task_id: string;
  readonly note: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly timestamp: Date;
  readonly system_info: SystemInfo;
};

/** Row of `parameter_versions`; `valid_until` null marks the current version. */
export type ParameterVersionDocument = {
  readonly _id: ObjectId;
  readonly entity_id: string;
  readonly parameter_name: string;
  readonly qid: string;
  readonly value: number;
  readonly value_type: 'float';
  readonly unit: string;
  readonly error: number;
  readonly version: number;
  readonly valid_from: Date;
  readonly valid_until: Date | null;
  readonly execution_id: string;
  readonly task_id: string;
  readonly task_name: string;
  readonly project_id: string;
  readonly chip_id: string;
};

/** Row of `provenance_relations`. */
export type ProvenanceRelationDocument = {
  readonly _id: ObjectId;
  readonly relation_id: string;
  readonly relation_type: 'wasGeneratedBy' | 'used' | 'wasDerivedFrom';
  readonly source_type: 'entity' | 'activity';
  readonly source_id: string;
  readonly target_type: 'entity' | 'activity';
  readonly target_id: string;
  readonly created_at: Date;
  readonly project_id: string;
  readonly execution_id: string;
};

/** Row of `provenance_activities`. */
export type ProvenanceActivityDocument = {
  readonly _id: ObjectId;
  readonly activity_id: string;
  readonly execution_id: string;
  readonly task_id: string;
  readonly task_name: string;
  readonly task_type: string;
  readonly qid: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly status: string;
  readonly project_id: string;
  readonly chip_id: string;
};

/** Documents of an import whose task results are made one by one while they are written, each id once. */
export type ChipImport = Omit<ChipDocuments, 'taskResults'> & {
  readonly taskResults: Iterable<TaskResultDocument>;
};

/** What people wrote elsewhere than on a chip, its parts and results: rows by collection. */
export type RemarkDocuments = Readonly<
  Record<
    'cooldown' | 'target_note' | 'metric_note' | 'issue' | 'issue_knowledge' | 'forum_post',
    readonly (Pick<Owned, '_id' | 'project_id'> & Readonly<Record<string, unknown>>)[]
  >
>;

/** All documents of one import of one chip. */
export type ChipDocuments = {
  readonly chip: ChipDocument;
  readonly qubits: readonly EntityDocument[];
  readonly couplings: readonly EntityDocument[];
  readonly executions: readonly ExecutionDocument[];
  readonly taskResults: readonly TaskResultDocument[];
  readonly calibrationNotes: readonly CalibrationNoteDocument[];
  readonly parameterVersions: readonly ParameterVersionDocument[];
  readonly provenanceRelations: readonly ProvenanceRelationDocument[];
  readonly provenanceActivities: readonly ProvenanceActivityDocument[];
  /** Only the demo has them. */
  readonly remarks?: RemarkDocuments;
};

/** `_id` computed from what the document is about; the same parts give the same id on every machine. */
export function documentId(...parts: readonly string[]): ObjectId {
  return new ObjectId(digest(parts).subarray(0, 12));
}

/** A `task_id` in the form of a UUID, computed like {@link documentId}. */
export const taskIdOf = (...parts: readonly string[]): string => uuidOf(taskIdBytes(...parts));

/** {@link taskIdOf} as its 16 bytes, which are in the same order as the texts. */
export const taskIdBytes = (...parts: readonly string[]): Buffer => digest(parts).subarray(0, 16);

/** 16 bytes in the form of a UUID. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

const digest = (parts: readonly string[]): Buffer =>
  createHash('sha256').update(parts.join('\u0000')).digest();
