/**
 * What a phase is worked on with: opens the workspace, brings its plan in line with what the database says, and makes
 * prompt and tools. It keeps nothing: a worker that takes over makes the same kit again.
 */
import { newDataMark } from '../prompt/data-marks.ts';
import { jobPrompt } from '../prompt/job-sections.ts';
import { promptText } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { createToolRegistry, type ToolRegistry } from '../tool-registry.ts';
import { openDatasources } from '../tools/job/datasources.ts';
import { jobTools, type Unavailable } from '../tools/job/job-tools.ts';
import type { Datasources } from '../../sources/databases/datasources.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { WebSearch } from '../../sources/web/web-search.ts';
import { openTodos, withPhase, withoutEnding, type JobPlan } from '../../workspace/job-plan.ts';
import { openWorkspace, workspaceFolder, type Workspace } from '../../workspace/workspace.ts';
import type { OpenPhaseKit, PhaseRun } from './job-run.ts';

/** What kits are made from; all of it lives as long as the process. */
export type PhaseKitDeps = {
  /** Below it each job has a folder, named by its id. */
  readonly folder: string;
  readonly prompts: Pick<PromptTexts, 'role' | 'job' | 'evidence'>;
  readonly datasources: Datasources;
  readonly web: WebSearch | null;
  readonly hasLiveSource: boolean;
  /** Modules that Python analysis may import. */
  readonly packages: () => readonly string[];
  /** Laid around the tools, for traces. */
  readonly watched: (tools: ToolRegistry) => ToolRegistry;
  readonly now: () => Date;
};

/** The function that makes kits. */
export const createPhaseKits =
  (deps: PhaseKitDeps): OpenPhaseKit =>
  async (run) => {
    const { job, phase, limits, viewer } = run;
    const workspace = await openWorkspace(
      workspaceFolder(deps.folder, job.id),
      { maxBytes: limits.workspaceBytes },
      deps.now,
    );
    const plan = planInLine(await workspace.plan(), run);
    await workspace.writeInstructions(job.instructions);
    await workspace.savePlan(plan);
    const missing = await bringDatasets(workspace, run, deps.datasources);
    const { tools, unavailable } = jobTools(
      {
        workspace,
        phase,
        decide: (decision) => run.decide(decision),
        web: deps.web,
        hasLiveSource: deps.hasLiveSource,
        datasources: openDatasources(job.datasources, deps.datasources),
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
      dataMark: newDataMark(),
      now: deps.now(),
    });
    return {
      instructions: promptText(sections),
      tools: deps.watched(createToolRegistry(tools, deps.packages)),
    };
  };

/**
 * The plan as the database has it: it decides. A job that goes on after its end was sent back or tried again, and a phase
 * may have been planned by a worker that was lost before it wrote the workspace.
 */
function planInLine(kept: JobPlan, { phase }: PhaseRun): JobPlan {
  const plan = withoutEnding(kept);
  if (phase.kind !== 'WORKING' || phase.todos.length === 0) return plan;
  const newest = plan.phases.at(-1)?.todos.map(({ text }) => text) ?? [];
  const isSame = newest.length === phase.todos.length && newest.every((text, at) => text === phase.todos[at]);
  return isSame ? plan : withPhase(plan, phase.number - 1, 'as planned', phase.todos);
}

/** CSV files that are attached become files of the workspace, once. Resolves with those that could not, and why. */
async function bringDatasets(
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
