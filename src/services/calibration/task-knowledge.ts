import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';

/** What is known of kinds of tasks. Read once; nothing here waits. */
export type TaskKnowledgeService = {
  /** In the order of task names. */
  readonly all: readonly TaskKnowledge[];
  /** By the name of the task class, in any case; null for a task that nobody wrote about. */
  find(taskName: string): TaskKnowledge | null;
  /** The tasks that a text names, in the order of task names. */
  namedIn(text: string): readonly TaskKnowledge[];
};

/** Finds knowledge by the names of tasks. */
export function createTaskKnowledge(given: readonly TaskKnowledge[]): TaskKnowledgeService {
  const all = given.toSorted((a, b) => (a.taskName < b.taskName ? -1 : 1));
  const byName = new Map(all.map((knowledge) => [knowledge.taskName.toLowerCase(), knowledge]));
  return {
    all,
    find: (taskName) => byName.get(taskName.toLowerCase()) ?? null,
    namedIn(text) {
      // Task names are Latin words also where the text around them is not, so that \b would not find their ends.
      const words = new Set(text.toLowerCase().match(/[a-z][a-z0-9]*/gu));
      return all.filter(({ taskName }) => words.has(taskName.toLowerCase()));
    },
  };
}
