import type { TaskKnowledge } from '../../domain/records/task-knowledge.ts';
import { boundedLines } from './bounded-lines.ts';

/** Longest text on one task; the shipped files stay well below. */
const KNOWLEDGE_LENGTH = 6_000;
/** Longest list within it. */
const LIST_LENGTH = 1_600;

/** Lists the tasks with knowledge, so that a model can name them to the user. */
export const knowledgeIndex = (all: readonly TaskKnowledge[]): string =>
  `Tasks with knowledge of the lab: ${all.map(({ taskName }) => taskName).join(', ')}. What is known of one comes with the first message that names it; of others say that you have none at hand.`;

export function knowledgeText(knowledge: TaskKnowledge): string {
  const { taskName, summary, measures, principle, expected } = knowledge;
  const lines = [
    `What the lab knows of ${taskName}: ${summary}`,
    `Measures: ${measures}`,
    `Principle: ${principle}`,
    `Expected result: ${expected}`,
    ...listed('Good', knowledge.good),
    ...listed('Bad', knowledge.bad),
    ...listed('Criteria', knowledge.criteria),
    ...listed('Outputs', knowledge.outputs),
    ...listed(
      'Failure modes',
      knowledge.failureModes.map(
        ({ title, severity, cause, visual, next }) =>
          `${title} (${severity}). Cause: ${cause} Looks: ${visual} Next: ${next}`,
      ),
    ),
    ...listed('Tips', knowledge.tips),
    ...listed(
      'Past cases',
      knowledge.cases.map(
        ({ title, chip, qid, symptom, cause, resolution, lesson }) =>
          `${title} (${chip}, qubit ${qid}). ${symptom} Cause: ${cause} Resolution: ${resolution} Lesson: ${lesson}`,
      ),
    ),
  ];
  return boundedLines(lines, KNOWLEDGE_LENGTH, 'lines of knowledge').join('\n');
}

const listed = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0
    ? []
    : [
        `${title}:`,
        ...boundedLines(
          items.map((item) => `- ${item}`),
          LIST_LENGTH,
          'items',
        ),
      ];
