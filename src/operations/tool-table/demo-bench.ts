import { join } from 'node:path';
import type { Db } from 'mongodb';
import type { Datasets } from '../../agent/data/datasets.ts';
import { openTurnLive } from '../../agent/live/turn-live.ts';
import { newDataMark } from '../../agent/prompt/data-marks.ts';
import { promptText } from '../../agent/prompt/prompt-section.ts';
import { readPromptTexts } from '../../agent/prompt/prompt-texts.ts';
import { chatPrompt, type PromptContext } from '../../agent/prompt/prompt.ts';
import type { ExampleSource, ToolContext } from '../../agent/tool.ts';
import { CONFIG_FOLDER } from '../../config/config-folder.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { openCalibrationWriter } from '../../import/calibration-writer.ts';
import { writeDemo } from '../../import/demo.ts';
import type { LiveLimiter } from '../../sources/live/limiter.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../../services/calibration/calibration-services.ts';
import type { JobDrafts } from '../../services/jobs/job-drafts.ts';
import { readMetricCatalog } from '../../stores/catalogue/metrics-file.ts';
import { readTaskKnowledge } from '../../stores/catalogue/task-knowledge-files.ts';
import { readTopologies } from '../../stores/catalogue/topology-files.ts';
import { createMongoCalibrationStore } from '../../stores/mongo/calibration-store.ts';
import { createTableData } from './tool-table.ts';

const VIEWER: Viewer = { id: 'local', name: 'local', projectId: 'demo', role: 'owner', isOperator: true };

/** The demo source may be asked as often as there are examples. */
export const UNLIMITED: LiveLimiter = { take: async () => ({ allowed: true }), quota: async () => null };

/** Drafts that are not stored. */
export const forgetfulDrafts = (now: () => Date): Pick<JobDrafts, 'create'> => ({
  create: async ({ id: viewerId, projectId }, draft) => ({
    ...draft,
    id: 'example',
    viewerId,
    projectId,
    createdAt: now(),
  }),
});

/** A session about the demo chip. */
export type DemoBench = {
  readonly source: ExampleSource;
  readonly context: Omit<ToolContext, 'signal'>;
  /** Instructions of its turns. */
  readonly prompt: string;
};

/** Dependencies of a bench; the caller closes them. */
export type DemoBenchDeps = {
  /** Empty, or QPilot's own: the demo is written into it. */
  readonly db: Db;
  readonly sandbox: PythonSandbox;
  readonly live: LiveSource;
  readonly datasets: Datasets;
  readonly now: () => Date;
  readonly signal: AbortSignal;
};

/** Writes the demo and opens a session about it. */
export async function openDemoBench({
  db,
  sandbox,
  live,
  datasets,
  now,
  signal,
}: DemoBenchDeps): Promise<DemoBench> {
  await writeDemo(await openCalibrationWriter(db), now());
  const services = createCalibrationServices({
    store: createMongoCalibrationStore(db),
    metrics: await readMetricCatalog(join(CONFIG_FOLDER, 'metrics.yaml')),
    topologies: await readTopologies(join(CONFIG_FOLDER, 'topologies')),
    project: VIEWER.projectId,
    now,
  });
  const chip = await services.chips.get(VIEWER, 'demo-64');
  const context = {
    viewer: VIEWER,
    chipId: chip.chipId,
    services,
    loaders: createLoaders(services, VIEWER),
    sandbox,
    dataStore: createTableData(),
    datasets,
    live: openTurnLive({ source: live, question: '', emit: () => undefined, signal }),
    now,
    progress: () => undefined,
    callId: 'call',
  };
  return { source: { services, chip }, context, prompt: await promptOf(services, now()) };
}

async function promptOf({ metrics }: CalibrationServices, now: Date): Promise<string> {
  const chip = { chipId: 'demo-64', size: 64, topologyId: 'square-lattice-mux-64', layoutType: 'grid' };
  const { knowledge } = await readTaskKnowledge(join(CONFIG_FOLDER, 'task-knowledge'));
  const context: PromptContext = {
    question: '',
    responseLanguage: null,
    thinkingLanguage: null,
    answerFormat: 'markdown',
    metrics: metrics.metrics,
    selectedChipId: chip.chipId,
    chip,
    qubit: null,
    goneTaskId: null,
    projectId: VIEWER.projectId,
    datasets: [],
    dataMark: newDataMark(),
    knownTasks: knowledge,
    namedTasks: [],
    analysis: null,
    pictures: [],
    missingPictures: [],
    isDispute: false,
    now,
  };
  return promptText(chatPrompt(await readPromptTexts(), context));
}
