import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';

/** Descriptions of calibration tasks, all in memory. */
export type TaskKnowledgeService = ReturnType<typeof createTaskKnowledge>;

/** Finds descriptions by task name. */
export function createTaskKnowledge(given: readonly TaskKnowledge[]) {
  const all = given.toSorted((a, b) => (a.taskName < b.taskName ? -1 : 1));
  const byName = new Map(all.map((knowledge) => [knowledge.taskName.toLowerCase(), knowledge]));
  return {
    /** Sorted by task name. */
    all,
    /** By the name of the task class, in any case; null for an undescribed task. */
    find: (taskName: string): TaskKnowledge | null => byName.get(taskName.toLowerCase()) ?? null,
    /** The tasks that a text names, sorted by task name. */
    namedIn(text: string): readonly TaskKnowledge[] {
      // Task names are Latin words even in other scripts, where \b would not find their ends.
      const words = new Set(text.toLowerCase().match(/[a-z][a-z0-9]*/gu));
      return all.filter(({ taskName }) => words.has(taskName.toLowerCase()));
    },
  };
}
