/**
 * The tools of a job's phase: those of the common table, by the names of the expert's categories, and those that work
 * on its workspace, its phases and its datasources. What cannot be used here is reported with the reason, never faked.
 */
import { ALL_SERVERS } from '../../../config/mcp-servers.ts';
import { NAME_JOINT } from '../../../sources/mcp/lab-tool.ts';
import { TOOL_CATEGORIES, toolAvailability, type ToolSetup } from '../../../experts/tool-categories.ts';
import type { ResolvedConfig } from '../../../experts/expert.ts';
import type { WebSearch } from '../../../sources/web/web-search.ts';
import type { Tool } from '../../tool.ts';
import { ALL_TOOLS } from '../all-tools.ts';
import { executePythonAnalysis } from '../execute-python-analysis.ts';
import { getLiveParameters } from '../get-live-parameters.ts';
import { verifyAgainstLive } from '../verify-against-live.ts';
import { askedInJob, type ApprovalDesk } from './asked-in-job.ts';
import { chunkDocument } from './chunk-document.ts';
import { citationTools } from './citations.ts';
import { datasourceTools, type OpenDatasources } from './datasources.ts';
import { fileTools } from './files.ts';
import { historyTools } from './history.ts';
import { phaseTools, type PhaseDesk } from './phases.ts';
import { researchTools } from './research.ts';
import { runPython } from './run-python.ts';

/** What the tools of a job act on. */
export type JobToolDeps = PhaseDesk &
  ApprovalDesk & {
    /** Null without a key for it. */
    readonly web: WebSearch | null;
    readonly hasLiveSource: boolean;
    /** Those that the job has attached. */
    readonly datasources: OpenDatasources;
    /** Of the servers of the job's project. */
    readonly labTools: readonly Tool[];
  };

/** A tool of the configuration, or a file that is attached, that this job does not have, and why. */
export type Unavailable = { readonly name: string; readonly reason: string };

/** The tools of a phase, in the order of the categories. */
export type JobTools = { readonly tools: readonly Tool[]; readonly unavailable: readonly Unavailable[] };

/** The tools that `config` switches on, as far as they can be used here; locked ones are always there. */
export function jobTools(deps: JobToolDeps, config: Pick<ResolvedConfig, 'tools'>): JobTools {
  const known = new Map(allJobTools(deps).map((tool) => [tool.name, tool]));
  const setup: ToolSetup = {
    hasWebSearch: deps.web !== null,
    hasLiveSource: deps.hasLiveSource,
    hasLabServers: deps.labTools.length > 0,
    datasources: new Set(deps.datasources.types),
  };
  const lab = deps.labTools.filter(({ name }) => config.tools.mcp.some((listed) => takes(listed, name)));
  const wanted = TOOL_CATEGORIES.flatMap((category) => {
    if (category.name === 'mcp') return [];
    const named = new Set(config.tools[category.name]);
    const chosen = category.tools.filter(({ name }) => category.locked || named.has(name));
    return chosen.map((tool) => ({ name: tool.name, available: toolAvailability(category, tool, setup) }));
  });
  return {
    tools: [
      ...wanted.flatMap(({ name, available }) => {
        const tool = available.available ? known.get(name) : undefined;
        return tool === undefined ? [] : [tool];
      }),
      ...lab.map((tool) => askedInJob(tool, deps)),
    ],
    unavailable: [
      ...wanted.flatMap(({ name, available }) =>
        available.available ? [] : [{ name, reason: available.reason }],
      ),
      ...config.tools.mcp
        .filter((named) => named !== ALL_SERVERS && !deps.labTools.some(({ name }) => takes(named, name)))
        .map((name) => ({ name, reason: 'no server of mcpServers offers it to this project now' })),
    ],
  };
}

/** Whether what an expert lists, all, a server or a single tool, includes the tool `name`. */
const takes = (listed: string, name: string): boolean =>
  listed === ALL_SERVERS || listed === name || name.startsWith(`${listed}${NAME_JOINT}`);

/** Every tool that a job may have with these deps, whatever its settings switch on. */
export const allJobTools = (deps: JobToolDeps): readonly Tool[] => [
  ...fileTools(deps.workspace),
  ...phaseTools(deps),
  runPython(deps.workspace),
  ...ALL_TOOLS.filter(({ name }) => name !== executePythonAnalysis.name),
  getLiveParameters,
  verifyAgainstLive,
  ...(deps.web === null ? [] : researchTools(deps.web, deps.workspace)),
  ...citationTools(deps.workspace),
  chunkDocument(deps.workspace),
  ...historyTools(deps.workspace),
  ...datasourceTools(deps.datasources),
];
