import type { Db, Document } from 'mongodb';
import { readRecord, readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, HumanNoteRow } from '../calibration-store.ts';
import { postOf, targetOf, writtenOf } from './note-rows.ts';
import { chipFilter, documentIdOf, ONE_REPLY, oneOf, readWords } from './read-helpers.ts';

/** Fields of a post; pictures and the editor's blocks are left out. */
const POST = {
  parent_id: 1,
  username: 1,
  title: 1,
  content: 1,
  is_closed: 1,
  is_ai_reply: 1,
  'system_info.created_at': 1,
  'system_info.updated_at': 1,
};

/** Under the name of the current version and under that of the first. */
const ISSUES = ['issue', 'task_result_comment'] as const;

/** What a post that names no chip has there; null also finds posts without the field. */
const NO_CHIP = [null, ''];
const OF_PROJECT = { subject: 'PROJECT', qid: null } as const;

/** Replies that are read of all threads together. */
const MAX_REPLIES = 500;

/**
 * Issues on task results, what was learnt from them, and forum threads. Whoever may read a project may read all of
 * them; deleted posts, cases that were not approved, and other projects' posts are never read.
 */
export function discussionReads(
  db: Db,
): Pick<CalibrationStore, 'issuePosts' | 'issueKnowledge' | 'forumPosts'> {
  const newest = (
    collection: string,
    filter: Document,
    projection: Document,
    limit: number,
  ): Promise<Document[]> =>
    db
      .collection(collection)
      .find(filter, { projection, sort: { 'system_info.created_at': -1 }, limit, ...ONE_REPLY })
      .toArray();

  return {
    // Index (project_id, task_id, …): a prefix. An issue names its result, and only the result names its chip.
    async issuePosts(scope, limit) {
      const read = await Promise.all(
        ISSUES.map((collection) =>
          newest(collection, { project_id: scope.projectId }, { ...POST, task_id: 1 }, limit),
        ),
      );
      const posts = read.flat();
      const taskIds = [...new Set(posts.flatMap((post) => readText(post['task_id']) ?? []))];
      const results = await resultsOf(db, scope, taskIds);
      const roots = rootsOf(posts);
      const rows = posts.flatMap((post): HumanNoteRow[] => {
        const result = results.get(readText(post['task_id']) ?? '');
        if (result === undefined) return [];
        return postOf(
          { ...post, ...placeOf(result) },
          {
            source: 'ISSUE',
            subject: 'TASK_RESULT',
            qid: readText(result['qid']),
            taskId: readText(post['task_id']),
            ...threadOf(post, roots),
          },
        );
      });
      return { rows, isCut: read.some(({ length }) => length === limit) };
    },

    // Index (project_id, system_info.created_at desc).
    async issueKnowledge(scope, limit) {
      const cases = await newest(
        'issue_knowledge',
        { ...chipFilter(scope), status: 'approved' },
        {
          chip_id: 1,
          qid: 1,
          task_id: 1,
          title: 1,
          symptom: 1,
          root_cause: 1,
          resolution: 1,
          resolution_status: 1,
          lesson_learned: 1,
          reviewed_by: 1,
          system_info: 1,
        },
        limit,
      );
      return cases.flatMap((row) =>
        writtenOf(
          row,
          {
            source: 'KNOWLEDGE',
            ...targetOf(readText(row['qid'])),
            taskId: readText(row['task_id']),
            title: readWords(row['title']),
            isResolved: row['resolution_status'] === 'resolved',
          },
          {
            text: caseText(row),
            author: row['reviewed_by'],
            at: readRecord(row['system_info'])['updated_at'] ?? readRecord(row['system_info'])['created_at'],
          },
        ),
      );
    },

    // Index (project_id, parent_id, is_deleted, …). A reply is about what its thread is about.
    async forumPosts({ projectId, chipIds }, limit) {
      const ofThread = { ...POST, status: 1, chip_id: 1, target_id: 1, cooldown_id: 1 };
      const there = { is_deleted: { $ne: true } };
      const threads = await newest(
        'forum_post',
        { project_id: projectId, chip_id: oneOf(chipIds ?? NO_CHIP), parent_id: null, ...there },
        ofThread,
        limit,
      );
      const ids = threads.map(documentIdOf);
      const replies =
        ids.length === 0
          ? []
          : await newest(
              'forum_post',
              { project_id: projectId, parent_id: oneOf(ids), ...there },
              POST,
              MAX_REPLIES,
            );
      const roots = rootsOf(threads);
      const rows = [...threads, ...replies].flatMap((post) => {
        const root = roots.get(rootIdOf(post));
        if (root === undefined) return [];
        const about = chipIds === null ? OF_PROJECT : targetOf(readText(root['target_id']));
        return postOf({ ...post, ...placeOf(root) }, { source: 'FORUM', ...about, ...threadOf(post, roots) });
      });
      return { rows, isCut: threads.length === limit || replies.length === MAX_REPLIES };
    },
  };
}

/** Chip, qubit and cool-down of the results that are of these chips, by task id. */
async function resultsOf(
  db: Db,
  scope: Parameters<typeof chipFilter>[0],
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, Document>> {
  if (taskIds.length === 0) return new Map();
  // Index (project_id, task_id).
  const rows = await db
    .collection('task_result_history')
    .find(
      { ...chipFilter(scope), task_id: oneOf(taskIds) },
      { projection: { _id: 0, task_id: 1, chip_id: 1, qid: 1, cooldown_id: 1 }, ...ONE_REPLY },
    )
    .toArray();
  return new Map(rows.map((row) => [readText(row['task_id']) ?? '', row]));
}

/** The chip and cool-down of another document, for one that has none of its own. */
const placeOf = (document: Document): Document => ({
  chip_id: document['chip_id'] as unknown,
  cooldown_id: document['cooldown_id'] as unknown,
});

const rootsOf = (posts: readonly Document[]): ReadonlyMap<string, Document> =>
  new Map(
    posts.flatMap((post) => (readText(post['parent_id']) ? [] : [[documentIdOf(post), post] as const])),
  );

const rootIdOf = (post: Document): string => readText(post['parent_id']) || documentIdOf(post);

/** Title and state of the thread, which its first post has; unknown if that was not read. */
function threadOf(post: Document, roots: ReadonlyMap<string, Document>) {
  const root = roots.get(rootIdOf(post));
  return {
    title: readWords(root?.['title']),
    isResolved: root === undefined ? null : root['is_closed'] === true || root['status'] === 'resolved',
    isAi: post['is_ai_reply'] === true,
  };
}

/** The parts of a case that say what happened, labelled. */
function caseText(row: Document): string {
  const parts = [
    ['Symptom', readText(row['symptom'])],
    ['Cause', readText(row['root_cause'])],
    ['Resolution', readText(row['resolution'])],
    ['Lesson', readTexts(row['lesson_learned']).join('; ')],
  ] as const;
  const written = parts.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []));
  return written.length > 0 ? written.join('\n') : (readText(row['title']) ?? '');
}
