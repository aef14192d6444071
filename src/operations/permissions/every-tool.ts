import type { ArtifactEditor } from '../../agent/builder/artifact-editor.ts';
import { PAGE_READS } from '../../agent/boards/page-reads.ts';
import { artifactTools } from '../../agent/builder/artifact-tools.ts';
import type { Tool } from '../../agent/tool.ts';
import { executePythonAnalysis } from '../../agent/tools/execute-python-analysis.ts';
import { allJobTools, type JobToolDeps } from '../../agent/tools/job/job-tools.ts';
import { proposeJob } from '../../agent/tools/propose-job.ts';
import type { JobDrafts } from '../../services/jobs/job-drafts.ts';

// Definitions only close over what they act on, and nothing is run here.
const unused = { web: {}, datasources: { attached: [], types: [] } } as unknown as JobToolDeps;

/** The definitions of all tools, of chat, builder, jobs and boards; they cannot be run. */
export const EVERY_TOOL: readonly Tool[] = [
  ...allJobTools(unused),
  executePythonAnalysis,
  proposeJob({} as JobDrafts),
  ...artifactTools({} as ArtifactEditor),
  ...PAGE_READS,
];
