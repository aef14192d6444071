import type { Db, Document } from 'mongodb';
import type { ProvenanceRelationKind, StoredVersion } from '../../domain/records/provenance.ts';
import { readStoredParameter } from '../../domain/values/stored-parameter.ts';
import { readDate, readNumber, readText } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, ChipScope } from '../calibration-store.ts';
import { newestOfEach } from './newest-of-each.ts';
import { chipFilter, ONE_REPLY, oneOf, writtenAt } from './read-helpers.ts';
import { readStatus } from './task-status.ts';

/** QDash's names of the relations to sources; it stores no others. */
const RELATIONS: ReadonlyMap<unknown, ProvenanceRelationKind> = new Map([
  ['wasGeneratedBy', 'WAS_GENERATED_BY'],
  ['used', 'USED'],
  ['wasDerivedFrom', 'WAS_DERIVED_FROM'],
]);

const VERSION_FIELDS = {
  project_id: 1,
  chip_id: 1,
  entity_id: 1,
  parameter_name: 1,
  qid: 1,
  version: 1,
  value: 1,
  unit: 1,
  error: 1,
  execution_id: 1,
  task_id: 1,
  task_name: 1,
  valid_from: 1,
};

/** Versions of parameters and their sources. */
export function provenanceReads(
  db: Db,
): Pick<
  CalibrationStore,
  'parameterVersions' | 'versionsById' | 'newestVersions' | 'provenanceRelations' | 'activitiesById'
> {
  const versions = db.collection('parameter_versions');
  /** Over the index (project_id, parameter_name, qid, version desc), which the chip is not in. */
  const newestVersionsOf = async (
    { projectId, chipIds }: ChipScope,
    parameters: readonly string[],
    qids: readonly string[],
    { limit, fields }: { readonly limit: number; readonly fields: Document },
  ): Promise<Document[]> => {
    const ofChips = chipIds.map((chip_id) =>
      newestOfEach(versions, {
        same: parameters.map((parameter_name) => ({ project_id: projectId, parameter_name })),
        key: 'qid',
        wanted: oneOf(qids),
        newestBy: 'version',
        only: { chip_id },
        limit,
        fields,
      }),
    );
    return (await Promise.all(ofChips)).flat();
  };
  return {
    async parameterVersions({ parameter, qids, limit, ...scope }) {
      const rows = await newestVersionsOf(scope, [parameter], qids, { limit, fields: VERSION_FIELDS });
      return rows.map(versionOf).toSorted((a, b) => b.version - a.version);
    },

    // Index (entity_id), unique.
    async versionsById(scope, entityIds) {
      const rows = await versions
        .find({ ...chipFilter(scope), entity_id: oneOf(entityIds) }, ONE_REPLY)
        .toArray();
      return rows.map(versionOf);
    },

    async newestVersions({ parameters, qids, ...scope }) {
      const fields = { _id: 0, parameter_name: 1, qid: 1, version: 1 };
      const rows = await newestVersionsOf(scope, parameters, qids, { limit: 1, fields });
      return rows.map((row) => ({
        parameter: readText(row['parameter_name']) ?? '',
        qid: readText(row['qid']) ?? '',
        version: readNumber(row['version']) ?? 0,
      }));
    },

    // Index (project_id, source_type, source_id, relation_type).
    async provenanceRelations(projectId, sourceIds) {
      const rows = await db
        .collection('provenance_relations')
        .find(
          {
            project_id: projectId,
            source_type: { $in: ['entity', 'activity'] },
            source_id: oneOf(sourceIds),
            relation_type: { $in: [...RELATIONS.keys()] },
          },
          { projection: { _id: 0, relation_type: 1, source_id: 1, target_id: 1 }, ...ONE_REPLY },
        )
        .toArray();
      return rows.flatMap((row) => {
        const relation = RELATIONS.get(row['relation_type']);
        const [sourceId, targetId] = [readText(row['source_id']), readText(row['target_id'])];
        return relation && sourceId && targetId ? [{ relation, sourceId, targetId }] : [];
      });
    },

    // Index (activity_id), unique.
    async activitiesById(scope, activityIds) {
      const rows = await db
        .collection('provenance_activities')
        .find({ ...chipFilter(scope), activity_id: oneOf(activityIds) }, ONE_REPLY)
        .toArray();
      return rows.map((row) => ({
        activityId: readText(row['activity_id']) ?? '',
        qid: readText(row['qid']) ?? '',
        taskName: readText(row['task_name']) ?? '',
        executionId: readText(row['execution_id']) ?? '',
        taskId: readText(row['task_id']) ?? '',
        status: readStatus(row['status']),
        startedAt: readDate(row['started_at']),
        endedAt: readDate(row['ended_at']),
      }));
    },
  };
}

function versionOf(row: Document): StoredVersion {
  const { value, text, unit, error } = readStoredParameter('', row);
  return {
    projectId: readText(row['project_id']) ?? '',
    chipId: readText(row['chip_id']) ?? '',
    entityId: readText(row['entity_id']) ?? '',
    parameter: readText(row['parameter_name']) ?? '',
    qid: readText(row['qid']) ?? '',
    version: readNumber(row['version']) ?? 0,
    value,
    text,
    unit,
    error,
    executionId: readText(row['execution_id']) ?? '',
    taskId: readText(row['task_id']) ?? '',
    taskName: readText(row['task_name']) ?? '',
    validFrom: readDate(row['valid_from']) ?? writtenAt(row),
  };
}
