import { type Db, type Document, ObjectId } from 'mongodb';
import type { HumanNote } from '../../domain/records/notes.ts';
import { readDate, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, HumanNoteRow } from '../calibration-store.ts';
import { newestSlice } from './newest-slice.ts';
import { chipFilter, ONE_REPLY, readFreeForm, readWords, writtenAt } from './read-helpers.ts';

/** Notes by machines and by people. Older databases lack the fields and collections of the latter. */
export function noteReads(
  db: Db,
): Pick<CalibrationStore, 'machineNoteSlice' | 'humanNotes' | 'taskResultNotes'> {
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
      const scoped = { ...own, cooldown_id: 1 };
      const target = { ...scoped, target_type: 1, target_id: 1 };
      const entity = { ...own, qid: 1, metric_notes: 1 };
      const [chips, qubits, couplings, ofChips, ofTargets, ofMetrics] = await Promise.all([
        find('chip', filter, own),
        find('qubit', filter, entity),
        find('coupling', filter, entity),
        find('chip_note', filter, scoped),
        find('target_note', filter, target),
        find('metric_note', filter, { ...target, metric_key: 1 }),
      ]);
      return [
        ...[...chips, ...ofChips].flatMap((row) => noteOf(row, row['note'], { subject: 'CHIP', qid: null })),
        ...qubits.flatMap((row) => entityNotes(row, 'QUBIT')),
        ...couplings.flatMap((row) => entityNotes(row, 'COUPLING')),
        ...[...ofTargets, ...ofMetrics].flatMap((row) =>
          noteOf(row, row['note'], {
            subject: row['target_type'] === 'coupling' ? 'COUPLING' : 'QUBIT',
            qid: readText(row['target_id']),
            metric: readText(row['metric_key']),
          }),
        ),
      ];
    },

    // Partial index (project_id, chip_id, user_note.updated_at desc).
    async taskResultNotes(scope, limit) {
      const rows = await db
        .collection('task_result_history')
        .find(
          { ...chipFilter(scope), 'user_note.updated_at': { $type: 'date' } },
          {
            projection: { chip_id: 1, qid: 1, task_id: 1, cooldown_id: 1, user_note: 1 },
            sort: { 'user_note.updated_at': -1 },
            limit,
            ...ONE_REPLY,
          },
        )
        .toArray();
      return rows.flatMap((row) =>
        noteOf(row, row['user_note'], {
          subject: 'TASK_RESULT',
          qid: readText(row['qid']),
          taskId: readText(row['task_id']),
        }),
      );
    },
  };
}

type About = Pick<HumanNote, 'subject' | 'qid'> & Partial<Pick<HumanNote, 'metric' | 'taskId'>>;

/** The note in `raw`, if there is one. */
function noteOf(row: Document, raw: unknown, about: About): HumanNoteRow[] {
  const note = readRecord(raw);
  const text = readWords(note['content'])?.trim();
  if (!text) return [];
  return [
    {
      metric: null,
      taskId: null,
      ...about,
      chipId: readText(row['chip_id']) ?? '',
      cooldownId: readText(row['cooldown_id']),
      text,
      author: readText(note['updated_by']),
      updatedAt: readDate(note['updated_at']),
    },
  ];
}

/**
 * Notes in a qubit's or coupling's own document, including those on single metrics, where earlier versions stored
 * them.
 */
function entityNotes(row: Document, subject: 'QUBIT' | 'COUPLING'): HumanNoteRow[] {
  const qid = readText(row['qid']);
  const onMetrics = Object.entries(readRecord(row['metric_notes'])).flatMap(([metric, note]) =>
    noteOf(row, note, { subject, qid, metric }),
  );
  return [...noteOf(row, row['note'], { subject, qid }), ...onMetrics];
}
