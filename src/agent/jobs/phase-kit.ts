/**
 * The prompt and tools of one phase of a job. Everything that must outlive a worker is in the workspace, in the
 * session's log or kept by {@link PhaseRun.decide}; a kit holds no state, so a worker that takes over makes the same
 * kit again.
 */
import { dataMarkOf } from '../prompt/data-marks.ts';
import { jobPrompt } from '../prompt/job-sections.ts';
import type { PromptSection } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { createToolRegistry, type ToolRegistry } from '../tool-registry.ts';
import { openDatasources } from '../tools/job/datasources.ts';
import { labTools } from '../tools/lab-tools.ts';
import { jobTools, type Unavailable } from '../tools/job/job-tools.ts';
import type { Datasources, DatasourcesOf } from '../../sources/databases/datasources.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { AttachedDatasource } from '../../domain/jobs/job.ts';
import type { JobLimits } from '../../domain/jobs/job.ts';
import type { JobBrief, JobPhaseKind, PhaseDecision, ReviewedCall } from '../../domain/jobs/job.ts';
import type { ResolvedConfig } from '../../experts/expert.ts';
import type { LabServers } from '../../sources/mcp/lab-servers.ts';
import type { WebSearch } from '../../sources/web/web-search.ts';
import { openTodos, withPhase, withoutEnding, type JobPlan } from '../../workspace/job-plan.ts';
import { openWorkspace, workspaceFolder, type Workspace } from '../../workspace/workspace.ts';

/** A phase of a job that is about to be worked on. A job is a session of kind `JOB`, and each phase is a turn of it. */
export type PhaseRun = {
  readonly viewer: Viewer;
  readonly session: Session;
  readonly job: JobBrief & {
    readonly config: ResolvedConfig;
    /** Attached at creation, without credentials. */
    readonly datasources: readonly AttachedDatasource[];
    /** The reviewer's note when the work was sent back; null for none. */
    readonly reviewNote: string | null;
  };
  readonly phase: {
    /** From 1. */
    readonly number: number;
    readonly kind: JobPhaseKind;
    /** Phases that may follow this one; 0: the job must be finished in it. */
    readonly phasesLeft: number;
    /** Whether a worker was lost in this phase; the rounds that it finished are in the model's input already. */
    readonly isResumed: boolean;
    /** The to-dos of the planning phase before this one; empty for planning phases. */
    readonly todos: readonly string[];
  };
  readonly limits: JobLimits;
  /**
   * Stores the decision of the phase before the tool that makes it returns; a later decision replaces it. `report`: the text
   * of the report that it names.
   * @throws InvalidInputError once the job was cancelled or taken over by another worker.
   */
  decide(decision: PhaseDecision, report?: string | null): Promise<void>;
  /** Takes the approval of this very call, if a person gave it: it is then used up. */
  useApproval(call: Pick<ReviewedCall, 'tool' | 'arguments'>): Promise<boolean>;
};

/** Creates the prompt and tools of a phase; a job's first kit creates its workspace. */
export type OpenPhaseKit = ReturnType<typeof createPhaseKits>;

/** All of it lives as long as the process. */
type PhaseKitDeps = {
  /** Holds a folder for each job, named by its id. */
  readonly folder: string;
  readonly prompts: Pick<PromptTexts, 'role' | 'job' | 'evidence'>;
  readonly datasourcesOf: DatasourcesOf;
  readonly web: WebSearch | null;
  readonly hasLiveSource: boolean;
  readonly labServers: Pick<LabServers, 'toolsOf' | 'call'>;
  /** Modules that Python analysis may import. */
  readonly packages: () => readonly string[];
  /** Adds traces to the tools. */
  readonly watched: (tools: ToolRegistry) => ToolRegistry;
  readonly now: () => Date;
};

export const createPhaseKits =
  (deps: PhaseKitDeps) =>
  async (
    run: PhaseRun,
  ): Promise<{ readonly sections: readonly PromptSection[]; readonly tools: ToolRegistry }> => {
    const { job, phase, limits, viewer } = run;
    const workspace = await openWorkspace(
      workspaceFolder(deps.folder, job.id),
      { maxBytes: limits.workspaceBytes },
      deps.now,
    );
    const plan = planOf(await workspace.plan(), run);
    await workspace.writeInstructions(job.instructions);
    await workspace.savePlan(plan);
    // What was attached may have been bound to other projects since.
    const sources = await deps.datasourcesOf(viewer.projectId);
    const missing = await copyDatasets(workspace, run, sources);
    const { tools, unavailable } = jobTools(
      {
        workspace,
        phase,
        decide: (decision, report) => run.decide(decision, report),
        useApproval: (call) => run.useApproval(call),
        web: deps.web,
        hasLiveSource: deps.hasLiveSource,
        datasources: openDatasources(job.datasources, sources),
        labTools: labTools(deps.labServers, await deps.labServers.toolsOf(viewer.projectId)),
      },
      job.config,
    );
    const sections = jobPrompt(deps.prompts, {
      ...job,
      projectId: viewer.projectId,
      phase,
      openTodos: openTodos(plan),
      doneTodos: plan.phases.flatMap(({ todos }) =>
        todos.flatMap(({ id, text, result }) => (result === null ? [] : [{ id, text, result }])),
      ),
      files: await workspace.list(),
      unavailable: [...unavailable, ...missing],
      dataMark: dataMarkOf(job.id),
      now: deps.now(),
    });
    return {
      sections,
      tools: deps.watched(createToolRegistry(tools, deps.packages)),
    };
  };

/**
 * Reconciles the workspace's plan with the database, which is authoritative: the job may continue after a review
 * or a retry, and the planning worker may have been lost before it wrote the workspace.
 */
function planOf(kept: JobPlan, { phase }: PhaseRun): JobPlan {
  const plan = withoutEnding(kept);
  if (phase.kind !== 'WORKING' || phase.todos.length === 0) return plan;
  const newest = plan.phases.at(-1)?.todos.map(({ text }) => text) ?? [];
  const isSame = newest.length === phase.todos.length && newest.every((text, at) => text === phase.todos[at]);
  return isSame ? plan : withPhase(plan, phase.number - 1, 'as planned', phase.todos);
}

/** Copies attached CSV files into the workspace once. Returns those that could not be copied, and why. */
async function copyDatasets(
  workspace: Workspace,
  { job }: PhaseRun,
  sources: Datasources,
): Promise<readonly Unavailable[]> {
  const missing: Unavailable[] = [];
  const present = new Set((await workspace.list()).map(({ path }) => path));
  for (const { id, name, type } of job.datasources) {
    const path = `data/${id}.csv`;
    if (type !== 'dataset' || present.has(path)) continue;
    try {
      const text = await sources.dataset(id);
      if (text !== null) await workspace.write(path, text, 'attached to the job');
      else missing.push({ name: path, reason: `the server no longer has ${name}` });
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      missing.push({ name: path, reason: error.message });
    }
  }
  return missing;
}
