import { type Db, type Document, MongoServerError, ObjectId } from 'mongodb';
import { IMPORTER } from '../../domain/records/notes.ts';
import { readDate, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, ChipScope, HumanNoteRow } from '../calibration-store.ts';
import { newestSlice } from './newest-slice.ts';
import { noteOf } from './note-rows.ts';
import { chipFilter, ONE_REPLY, readFreeForm, writtenAt } from './read-helpers.ts';

/** Notes by machines and by people. Older databases lack the fields and collections of the latter. */
export function noteReads(
  db: Db,
): Pick<
  CalibrationStore,
  'machineNoteSlice' | 'humanNotes' | 'taskResultNotes' | 'aiReviews' | 'collectionNames'
> {
  const find = (collection: string, filter: Document, projection: Document): Promise<Document[]> =>
    db
      .collection(collection)
      .find(filter, { projection, ...ONE_REPLY })
      .toArray();
  return {
    // Index (project_id, chip_id, timestamp).
    async machineNoteSlice({ filter: { executionId, taskId }, limit, after, ...scope }) {
      const slice = await newestSlice(db.collection('calibration_note'), {
        filter: {
          ...chipFilter(scope),
          ...(executionId ? { execution_id: executionId } : {}),
          ...(taskId ? { task_id: taskId } : {}),
        },
        timeField: 'timestamp',
        idField: '_id',
        storedId: (id) => (ObjectId.isValid(id) ? new ObjectId(id) : id),
        projection: { chip_id: 1, execution_id: 1, task_id: 1, note: 1, timestamp: 1 },
        limit,
        after,
      });
      return slice.map(({ row, cursor }) => ({
        cursor,
        row: {
          chipId: readText(row['chip_id']) ?? '',
          executionId: readText(row['execution_id']) ?? '',
          taskId: readText(row['task_id']) ?? '',
          note: readFreeForm(row['note']),
          timestamp: readDate(row['timestamp']) ?? writtenAt(row),
        },
      }));
    },

    // Index (project_id, chip_id) of qubits and couplings; the others by the same prefix of their own.
    async humanNotes(scope) {
      const filter = chipFilter(scope);
      const own = { chip_id: 1, note: 1 };
      const scoped = { ...own, cooldown_id: 1, scope_started_at: 1, scope_ended_at: 1 };
      const target = { ...scoped, target_type: 1, target_id: 1 };
      const entity = { ...own, qid: 1, metric_notes: 1 };
      const [chips, qubits, couplings, ofChips, ofTargets, ofMetrics] = await Promise.all([
        find('chip', filter, own),
        find('qubit', filter, entity),
        find('coupling', filter, entity),
        find('chip_note', filter, scoped),
        find('target_note', filter, { ...target, comments: 1 }),
        find('metric_note', filter, { ...target, metric_key: 1 }),
      ]);
      return [
        ...[...chips, ...ofChips].flatMap((row) =>
          noteOf(row, row['note'], { source: 'NOTE', subject: 'CHIP', qid: null }),
        ),
        ...qubits.flatMap((row) => entityNotes(row, 'QUBIT')),
        ...couplings.flatMap((row) => entityNotes(row, 'COUPLING')),
        ...[...ofTargets, ...ofMetrics].flatMap(targetNotes),
      ];
    },

    // Partial index (project_id, chip_id, user_note.updated_at desc).
    async taskResultNotes(scope, limit) {
      const rows = await newestOnResults(db, 'user_note', scope, limit);
      return rows.flatMap((row) =>
        noteOf(row, row['user_note'], { source: 'RESULT_NOTE', ...resultIn(row) }),
      );
    },

    // Partial index (project_id, chip_id, ai_review_note.updated_at desc).
    async aiReviews(scope, limit) {
      const rows = await newestOnResults(db, 'ai_review_note', scope, limit);
      return rows.flatMap((row) =>
        noteOf(row, row['ai_review_note'], { source: 'AI_REVIEW', isAi: true, ...resultIn(row) }),
      );
    },

    async collectionNames() {
      try {
        const listed = await db
          .listCollections({}, { nameOnly: true, authorizedCollections: true })
          .toArray();
        return new Set(listed.map(({ name }) => name));
      } catch (error) {
        // Some accounts may read collections, but not list them.
        if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return null;
        throw error;
      }
    },
  };
}

const UNAUTHORIZED = 13;

/** The newest results with a note of a kind. What importers wrote there was no remark of a person. */
function newestOnResults(
  db: Db,
  field: 'user_note' | 'ai_review_note',
  scope: ChipScope,
  limit: number,
): Promise<Document[]> {
  return db
    .collection('task_result_history')
    .find(
      {
        ...chipFilter(scope),
        [`${field}.updated_at`]: { $type: 'date' },
        [`${field}.updated_by`]: { $ne: IMPORTER },
      },
      {
        projection: { chip_id: 1, qid: 1, task_id: 1, cooldown_id: 1, [field]: 1 },
        sort: { [`${field}.updated_at`]: -1 },
        limit,
        ...ONE_REPLY,
      },
    )
    .toArray();
}

const resultIn = (row: Document) => ({
  subject: 'TASK_RESULT' as const,
  qid: readText(row['qid']),
  taskId: readText(row['task_id']),
});

/** A note on a qubit, a coupling or a metric of one, and the comments below it. */
function targetNotes(row: Document): readonly HumanNoteRow[] {
  const about = {
    subject: row['target_type'] === 'coupling' ? ('COUPLING' as const) : ('QUBIT' as const),
    qid: readText(row['target_id']),
    metric: readText(row['metric_key']),
  };
  const comments: unknown = row['comments'];
  return [
    ...noteOf(row, row['note'], { source: 'NOTE', ...about }),
    ...(Array.isArray(comments) ? (comments as readonly unknown[]) : []).flatMap((comment) =>
      noteOf(row, comment, { source: 'COMMENT', ...about }),
    ),
  ];
}

/**
 * Notes in a qubit's or coupling's own document, including those on single metrics, where earlier versions stored
 * them.
 */
function entityNotes(row: Document, subject: 'QUBIT' | 'COUPLING'): HumanNoteRow[] {
  const qid = readText(row['qid']);
  const onMetrics = Object.entries(readRecord(row['metric_notes'])).flatMap(([metric, note]) =>
    noteOf(row, note, { source: 'NOTE', subject, qid, metric }),
  );
  return [...noteOf(row, row['note'], { source: 'NOTE', subject, qid }), ...onMetrics];
}
