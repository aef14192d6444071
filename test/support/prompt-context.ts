import { fileURLToPath } from 'node:url';
import type { PromptContext } from '../../src/agent/prompt/prompt.ts';
import { createTaskKnowledge } from '../../src/services/calibration/task-knowledge.ts';
import { readTaskKnowledge } from '../../src/stores/catalogue/task-knowledge-files.ts';
import { shippedMetrics } from './catalogue.ts';

/** Knowledge as shipped. */
export const shippedKnowledge = createTaskKnowledge(
  (await readTaskKnowledge(fileURLToPath(new URL('../../config/task-knowledge/', import.meta.url))))
    .knowledge,
);

/** A turn about a qubit of the demo chip, in English, without tables or a task result. */
export const promptContext = (more: Partial<PromptContext> = {}): PromptContext => ({
  question: 'How is it?',
  responseLanguage: null,
  thinkingLanguage: null,
  answerFormat: 'markdown',
  metrics: shippedMetrics.metrics,
  selectedChipId: 'demo-64',
  chip: { chipId: 'demo-64', size: 64, topologyId: 'square-lattice-mux-64', layoutType: 'grid' },
  qubit: { qid: '7', label: 'Q07' },
  goneTaskId: null,
  projectId: 'demo',
  datasets: [],
  dataMark: 'data-test',
  knownTasks: shippedKnowledge.all,
  namedTasks: [],
  analysis: null,
  pictures: [],
  missingPictures: [],
  isDispute: false,
  now: new Date('2026-03-04T05:06:07Z'),
  ...more,
});
