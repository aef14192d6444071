/**
 * Runs a job of the offline analyst from phase to phase as a worker does, without queue and log: kit, loop, decision.
 */
import { promptText } from '../../src/agent/prompt/prompt-section.ts';
import { createSessionData } from '../../src/agent/data/session-data.ts';
import { runLoop } from '../../src/agent/loop/loop.ts';
import { createOfflineAnalyst } from '../../src/offline/offline-analyst.ts';
import { readPromptTexts } from '../../src/agent/prompt/prompt-texts.ts';
import { createDatasources } from '../../src/sources/databases/datasources.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import type { PhaseDecision } from '../../src/domain/jobs/job.ts';
import type { Visual } from '../../src/domain/visuals.ts';
import type { ResolvedConfig } from '../../src/experts/expert.ts';
import type { PhaseRun } from '../../src/agent/jobs/phase-kit.ts';
import { createPhaseKits } from '../../src/agent/jobs/phase-kit.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { openWorkspace, workspaceFolder, type Workspace } from '../../src/workspace/workspace.ts';
import { noLabServers } from './no-lab-servers.ts';
import { loopOptions, textOf } from './agent-run.ts';
import { DEMO_NOW, demoViewer } from './demo-database.ts';
import { memorySessionData } from './memory-session-store.ts';
import { noLive } from './no-live-source.ts';
import { noDatasets } from './no-uploads.ts';

/** What a phase did. */
export type RanPhase = {
  readonly kind: 'PLANNING' | 'WORKING';
  readonly decision: PhaseDecision | null;
  readonly text: string;
  readonly tools: readonly string[];
  readonly visuals: readonly Visual[];
  /** Tool calls that did not end well, as they were told. */
  readonly failures: readonly string[];
};

/** A job that ended. */
export type RanJob = { readonly phases: readonly RanPhase[]; readonly workspace: Workspace };

/** What the job is about. */
export type OfflineJob = {
  readonly services: CalibrationServices;
  readonly sandbox: PythonSandbox;
  /** Of all jobs; each has a folder below it. */
  readonly folder: string;
  readonly id: string;
  readonly expertId: string;
  readonly config: ResolvedConfig;
  readonly chipId: string;
  readonly description: string;
  /** Written by the user in place of the expert's. */
  readonly ownInstructions?: string;
  /** With which a person sent the work back; the job goes on in its workspace behind the phases before. */
  readonly sentBack?: { readonly note: string; readonly phasesBefore: number };
  /** Of this phase's rounds only the first is done, and then the phase is begun again by another worker. */
  readonly losesWorkerInPhase?: number;
};

const limits = {
  roundsPerPhase: 40,
  phases: 8,
  tokens: 500_000,
  seconds: 1_800,
  workspaceBytes: 200_000_000,
};

/** Runs the job until it finishes, asks for a review, or has used its phases. */
export async function runOfflineJob(job: OfflineJob): Promise<RanJob> {
  const now = () => DEMO_NOW;
  const openKit = createPhaseKits({
    folder: job.folder,
    prompts: await readPromptTexts(),
    datasourcesOf: async () => createDatasources([], {}),
    web: null,
    hasLiveSource: false,
    labServers: noLabServers,
    packages: () => job.sandbox.packages(),
    watched: (tools) => tools,
    now,
  });
  const model = createOfflineAnalyst({ now, wordDelayMs: 0 });
  const dataStore = createSessionData(memorySessionData(), job.id);
  const phases: RanPhase[] = [];
  let todos: readonly string[] = [];
  while (phases.length < limits.phases) {
    const number = (job.sentBack?.phasesBefore ?? 0) + phases.length + 1;
    const isLost = phases.length + 1 === job.losesWorkerInPhase;
    const wasLost = phases.length === job.losesWorkerInPhase;
    const kind = wasLost || phases.at(-1)?.decision?.type === 'work' ? 'WORKING' : 'PLANNING';
    let decision: PhaseDecision | null = null;
    const kit = await openKit(
      phaseRun(job, { number, kind, todos: kind === 'WORKING' ? todos : [] }, (decided) => {
        decision = decided;
        if (decided.type === 'work') todos = decided.todos;
      }),
    );
    const options = loopOptions(model, [], {
      tools: kit.tools,
      instructions: promptText(kit.sections),
      input: [{ type: 'user', text: `Phase ${number}` }],
      limits: {
        rounds: isLost ? 1 : limits.roundsPerPhase,
        callsPerRound: 8,
        visuals: 8,
        toolTimeoutMs: 30_000,
        turnTimeoutMs: 120_000,
        turnCeilingMs: 120_000,
      },
      createToolContext: () => ({
        viewer: demoViewer,
        callId: 'call',
        chipId: job.chipId,
        services: job.services,
        loaders: createLoaders(job.services, demoViewer),
        sandbox: job.sandbox,
        dataStore,
        datasets: noDatasets,
        live: noLive(),
        now,
        progress: () => undefined,
      }),
    });
    await runLoop(options);
    if (options.bugs.length > 0) throw options.bugs[0];
    phases.push({ kind, decision, ...readActivities(options.activities) });
    const type = phases.at(-1)?.decision?.type;
    if (type === 'finish' || type === 'review') break;
  }
  const workspace = await openWorkspace(workspaceFolder(job.folder, job.id), {
    maxBytes: limits.workspaceBytes,
  });
  return { phases, workspace };
}

function readActivities(activities: readonly TurnActivity[]) {
  const started = activities.flatMap((each) => (each.type === 'tool-started' ? [each.call] : []));
  const finished = activities.flatMap((each) => (each.type === 'tool-finished' ? [each.call] : []));
  return {
    text: textOf(activities),
    tools: started.map(({ tool }) => tool),
    visuals: finished.flatMap(({ visuals }) => visuals),
    failures: finished.flatMap(({ tool, error }) => (error === null ? [] : [`${tool}: ${error.message}`])),
  };
}

function phaseRun(
  { id, expertId, config, chipId, description, ownInstructions, sentBack }: OfflineJob,
  phase: Pick<PhaseRun['phase'], 'number' | 'kind' | 'todos'>,
  decided: (decision: PhaseDecision) => void,
): PhaseRun {
  const at = DEMO_NOW;
  return {
    viewer: demoViewer,
    session: {
      id,
      kind: 'JOB',
      projectId: demoViewer.projectId,
      viewerId: demoViewer.id,
      title: description,
      chipId,
      qid: null,
      taskId: null,
      lastSeq: 0,
      visibility: 'PRIVATE',
      shareKey: null,
      createdAt: at,
      updatedAt: at,
    },
    job: {
      id,
      projectId: demoViewer.projectId,
      viewerId: demoViewer.id,
      sessionId: id,
      expertId,
      description,
      instructions: ownInstructions ?? 'Do it well.',
      instructionsSource: ownInstructions === undefined ? 'EXPERT' : 'INLINE',
      chipId,
      context: null,
      config,
      datasources: [],
      reviewNote: sentBack?.note ?? null,
    },
    phase: { ...phase, phasesLeft: limits.phases - phase.number, isResumed: false },
    limits,
    useApproval: async () => false,
    decide: async (decision) => decided(decision),
  };
}
