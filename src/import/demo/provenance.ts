/**
 * Where current values came from, in the way QDash records it (W3C PROV): one activity a task run, one version an
 * output, `used` from activity to input version, `wasGeneratedBy` from output to activity, `wasDerivedFrom` from
 * output to input.
 */
import {
  documentId,
  type ParameterDocument,
  type ParameterVersionDocument,
  type ProvenanceActivityDocument,
  type ProvenanceRelationDocument,
  type TaskResultDocument,
} from '../documents.ts';

/** Collects provenance while results come in, oldest first. */
export type ProvenanceRecorder = {
  record(result: TaskResultDocument): void;
  finish(): {
    readonly parameterVersions: readonly ParameterVersionDocument[];
    readonly provenanceRelations: readonly ProvenanceRelationDocument[];
    readonly provenanceActivities: readonly ProvenanceActivityDocument[];
  };
};

/** An empty recorder. */
export function createProvenanceRecorder(): ProvenanceRecorder {
  const current = new Map<string, ParameterVersionDocument>();
  const closed: ParameterVersionDocument[] = [];
  const provenanceRelations: ProvenanceRelationDocument[] = [];
  const provenanceActivities: ProvenanceActivityDocument[] = [];

  const addVersion = (result: TaskResultDocument, output: ParameterDocument): ParameterVersionDocument => {
    const key = `${output.parameter_name}:${result.qid}`;
    const previous = current.get(key);
    if (previous !== undefined) closed.push({ ...previous, valid_until: result.end_at });
    const version = versionOf(result, output, (previous?.version ?? 0) + 1);
    current.set(key, version);
    return version;
  };

  return {
    record: (result) => {
      const activity = activityOf(result);
      provenanceActivities.push(activity);
      const inputs = Object.keys(result.input_parameters).flatMap(
        (name) => current.get(`${name}:${result.qid}`) ?? [],
      );
      const outputs = Object.values(result.output_parameters).map((output) => addVersion(result, output));
      for (const input of inputs) {
        provenanceRelations.push(relation('used', result, activity.activity_id, input.entity_id));
      }
      for (const output of outputs) {
        provenanceRelations.push(relation('wasGeneratedBy', result, output.entity_id, activity.activity_id));
        for (const input of inputs) {
          provenanceRelations.push(relation('wasDerivedFrom', result, output.entity_id, input.entity_id));
        }
      }
    },
    finish: () => ({
      parameterVersions: [...closed, ...current.values()],
      provenanceRelations,
      provenanceActivities,
    }),
  };
}

function versionOf(
  result: TaskResultDocument,
  output: ParameterDocument,
  version: number,
): ParameterVersionDocument {
  const entityId = `${output.parameter_name}:${result.qid}:${result.execution_id}:${result.task_id}`;
  return {
    _id: documentId('version', result.project_id, entityId),
    entity_id: entityId,
    parameter_name: output.parameter_name,
    qid: result.qid,
    value: output.value,
    value_type: 'float',
    unit: output.unit,
    error: output.error,
    version,
    valid_from: result.end_at,
    valid_until: null,
    execution_id: result.execution_id,
    task_id: result.task_id,
    task_name: result.name,
    project_id: result.project_id,
    chip_id: result.chip_id,
  };
}

function activityOf(result: TaskResultDocument): ProvenanceActivityDocument {
  const activityId = `${result.execution_id}:${result.task_id}`;
  return {
    _id: documentId('activity', result.project_id, activityId),
    activity_id: activityId,
    execution_id: result.execution_id,
    task_id: result.task_id,
    task_name: result.name,
    task_type: result.task_type,
    qid: result.qid,
    started_at: result.start_at,
    ended_at: result.end_at,
    status: result.status,
    project_id: result.project_id,
    chip_id: result.chip_id,
  };
}

function relation(
  type: ProvenanceRelationDocument['relation_type'],
  result: TaskResultDocument,
  source: string,
  target: string,
): ProvenanceRelationDocument {
  const relationId = `${type}:${source}:${target}`;
  return {
    _id: documentId('relation', result.project_id, relationId),
    relation_id: relationId,
    relation_type: type,
    source_type: type === 'used' ? 'activity' : 'entity',
    source_id: source,
    target_type: type === 'wasGeneratedBy' ? 'activity' : 'entity',
    target_id: target,
    created_at: result.end_at,
    project_id: result.project_id,
    execution_id: result.execution_id,
  };
}
