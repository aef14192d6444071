import type { Collection, Db, Document } from 'mongodb';
import type { MetricScope } from '../../domain/values/metric.ts';
import { readStoredParameters } from '../../domain/values/stored-parameter.ts';
import { readDate, readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, EntityId } from '../calibration-store.ts';
import { chipFilter, documentIdOf, ONE_REPLY, oneOf } from './read-helpers.ts';

const COLLECTIONS: Readonly<Record<MetricScope, string>> = { QUBIT: 'qubit', COUPLING: 'coupling' };

/**
 * Qubits and couplings with their current values. Both collections have the indexes (project_id, chip_id) and
 * (project_id, chip_id, qid, username); whole chips use the first, single qids the second.
 */
export function currentValueReads(
  db: Db,
): Pick<CalibrationStore, 'entityIds' | 'entities' | 'currentValues'> {
  const collectionOf = (kind: MetricScope): Collection => db.collection(COLLECTIONS[kind]);
  return {
    async entityIds(kind, scope) {
      const rows = await collectionOf(kind)
        .find(chipFilter(scope), { projection: { _id: 0, chip_id: 1, qid: 1 }, ...ONE_REPLY })
        .toArray();
      return rows.map(idOf);
    },

    async entities(kind, scope) {
      // Names only: the values stay in the database.
      const data = { $cond: [{ $eq: [{ $type: '$data' }, 'object'] }, '$data', {}] };
      const names = { $map: { input: { $objectToArray: data }, in: '$$this.k' } };
      const rows = await collectionOf(kind)
        .aggregate(
          [
            { $match: chipFilter(scope) },
            { $project: { chip_id: 1, qid: 1, names, updated_at: '$system_info.updated_at' } },
          ],
          ONE_REPLY,
        )
        .toArray();
      return rows.map((row) => ({
        ...idOf(row),
        parameterNames: readTexts(row['names']),
        updatedAt: readDate(row['updated_at']),
      }));
    },

    async currentValues(kind, { qids, names, ...scope }) {
      const data =
        names === null ? { data: 1 } : Object.fromEntries(names.map((name) => [`data.${name}`, 1]));
      const rows = await collectionOf(kind)
        .find(
          { ...chipFilter(scope), ...(qids === null ? {} : { qid: oneOf(qids) }) },
          { projection: { chip_id: 1, qid: 1, ...data }, ...ONE_REPLY },
        )
        .toArray();
      return rows.map((row) => ({
        documentId: documentIdOf(row),
        ...idOf(row),
        parameters: readStoredParameters(row['data']),
      }));
    },
  };
}

function idOf(row: Document): EntityId {
  return { chipId: readText(row['chip_id']) ?? '', qid: readText(row['qid']) ?? '' };
}
