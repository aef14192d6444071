/**
 * The one table of what experts may use: categories, their tools, and what has to be set up for them. Prompts, schemas
 * and checks of configurations are made from it. It names tools and must not know how they work.
 */
import type { CategoryRule } from '../domain/artifacts/artifacts.ts';

/** Kinds of datasources that bring tools of their own. */
export type ToolDatasource = 'sql' | 'mongodb';

/** What a tool, or a whole category, cannot do without. */
export type ToolNeed =
  'web-search-key' | 'live-source' | 'sql-datasource' | 'mongodb-datasource' | 'not-in-qpilot';

/** A tool as an expert's configuration names it, and as people read it. */
export type CategoryTool = { readonly name: string; readonly label: string; readonly needs?: ToolNeed };

type Category = {
  readonly title: string;
  /** One sentence for people and models: what the tools are good for. */
  readonly purpose: string;
  /** Locked categories are part of every job. */
  readonly locked: boolean;
  readonly needs?: ToolNeed;
  readonly tools: readonly CategoryTool[];
};

const CATEGORIES = {
  workspace: {
    title: 'Workspace',
    purpose: 'Files of the job: notes, plans, data and the report.',
    locked: true,
    tools: [
      { name: 'read_file', label: 'Read a file' },
      { name: 'write_file', label: 'Write a file' },
      { name: 'edit_file', label: 'Change part of a file' },
      { name: 'list_files', label: 'List the files' },
    ],
  },
  core: {
    title: 'Phases',
    purpose: 'Planning and working phases, their to-dos, and the end of the job.',
    locked: true,
    tools: [
      { name: 'next_phase_todos', label: 'Plan the next phase' },
      { name: 'todo_complete', label: 'Tick off a to-do' },
      { name: 'finish_job', label: 'Finish with the report' },
      { name: 'request_review', label: 'Ask a person to review' },
    ],
  },
  calibration: {
    title: 'Calibration data',
    purpose: 'Current values, ratings, runs and layout of a chip.',
    locked: false,
    tools: [
      { name: 'get_chip_summary', label: 'Summary and health of a chip' },
      { name: 'rank_qubits', label: 'Rank qubits' },
      { name: 'find_outliers', label: 'Find outliers' },
      { name: 'get_qubit_params', label: 'Values of a qubit' },
      { name: 'compare_qubits', label: 'Compare qubits' },
      { name: 'get_coupling_params', label: 'Values of couplings' },
      { name: 'generate_chip_heatmap', label: 'Heatmap of a chip' },
      { name: 'get_chip_topology', label: 'Layout of a chip' },
      { name: 'list_available_parameters', label: 'Parameters that are stored' },
      { name: 'list_entities', label: 'Chips, qubits, tasks and metrics' },
      { name: 'get_lab_context', label: 'Projects, cool-downs and thresholds' },
      { name: 'get_latest_task_result', label: 'Newest result of a task' },
      { name: 'get_task_history', label: 'Results of a task over time' },
      { name: 'search_task_results', label: 'Search task results' },
      { name: 'get_execution_history', label: 'Calibration runs' },
      { name: 'get_live_parameters', label: 'Values from the instruments', needs: 'live-source' },
      { name: 'verify_against_live', label: 'Check stored against live values', needs: 'live-source' },
    ],
  },
  timeseries: {
    title: 'Time series',
    purpose: 'How values change, and whether a change is more than scatter.',
    locked: false,
    tools: [
      { name: 'get_chip_parameter_timeseries', label: 'A parameter of all qubits over time' },
      { name: 'get_parameter_timeseries', label: 'A parameter of one qubit over time' },
      { name: 'compare_periods', label: 'Compare a period with the one before' },
    ],
  },
  provenance: {
    title: 'Provenance',
    purpose: 'Which run made a value, and what it was derived from.',
    locked: false,
    tools: [
      { name: 'get_parameter_lineage', label: 'Versions of a parameter' },
      { name: 'get_provenance_lineage_graph', label: 'Graph of where a value came from' },
    ],
  },
  sandbox: {
    title: 'Analysis',
    purpose: 'Python on the data in a sealed sandbox, uploaded tables and charts.',
    locked: false,
    tools: [
      { name: 'run_python', label: 'Run Python' },
      { name: 'query_dataset', label: 'Ask an uploaded table' },
      { name: 'make_chart', label: 'Draw a chart' },
    ],
  },
  notes: {
    title: 'Notes',
    purpose: 'What people of the lab wrote about chips, qubits and results.',
    locked: false,
    tools: [{ name: 'get_calibration_notes', label: 'Calibration notes' }],
  },
  research: {
    title: 'Web research',
    purpose: 'Search the web and read pages; what they say is never trusted.',
    locked: false,
    needs: 'web-search-key',
    tools: [
      { name: 'web_search', label: 'Search the web' },
      { name: 'extract_webpage', label: 'Read a web page' },
    ],
  },
  citation: {
    title: 'Citations',
    purpose: 'Numbered references to stored records and web pages in the report.',
    locked: false,
    tools: [
      { name: 'cite_record', label: 'Cite a stored record' },
      { name: 'cite_web', label: 'Cite a web page' },
    ],
  },
  document: {
    title: 'Documents',
    purpose: 'Long files of the workspace, read in parts.',
    locked: false,
    tools: [{ name: 'chunk_document', label: 'Cut a document into parts' }],
  },
  coding: {
    title: 'Coding',
    purpose: 'Shell commands and programs outside of the sandbox.',
    locked: false,
    needs: 'not-in-qpilot',
    tools: [],
  },
  git: {
    title: 'History',
    purpose: 'Earlier versions of the files of the job.',
    locked: false,
    tools: [
      { name: 'git_log', label: 'Versions of the workspace' },
      { name: 'git_diff', label: 'What changed between versions' },
    ],
  },
  graph: {
    title: 'Graph databases',
    purpose: 'Queries of graph databases.',
    locked: false,
    needs: 'not-in-qpilot',
    tools: [],
  },
  sql: {
    title: 'SQL',
    purpose: 'Read-only queries of an attached SQL database.',
    locked: false,
    needs: 'sql-datasource',
    tools: [{ name: 'sql_query', label: 'Ask an SQL database' }],
  },
  mongodb: {
    title: 'MongoDB',
    purpose: 'Read-only queries of an attached MongoDB database.',
    locked: false,
    needs: 'mongodb-datasource',
    tools: [
      { name: 'mongodb_find', label: 'Find documents' },
      { name: 'mongodb_aggregate', label: 'Aggregate documents' },
    ],
  },
} as const satisfies Readonly<Record<string, Category>>;

/** Name of a category, as configurations have it. */
export type ToolCategoryName = keyof typeof CATEGORIES;

/** A category of tools under its name. */
export type ToolCategory = Category & { readonly name: ToolCategoryName };

/** Names in the order in which people read of them. */
export const TOOL_CATEGORY_NAMES = Object.keys(CATEGORIES) as readonly ToolCategoryName[];

/** All categories, the locked ones first. */
export const TOOL_CATEGORIES: readonly ToolCategory[] = TOOL_CATEGORY_NAMES.map((name) => ({
  ...CATEGORIES[name],
  name,
}));

/** The same for the artifact tools, which know no labels. */
export const CATEGORY_RULES: readonly CategoryRule[] = TOOL_CATEGORIES.map(({ name, tools, locked }) => ({
  name,
  tools: tools.map((tool) => tool.name),
  locked,
}));

/** What is set up: on this server, and for datasources on this server or for one job, as the question is meant. */
export type ToolSetup = {
  readonly hasWebSearch: boolean;
  readonly hasLiveSource: boolean;
  readonly datasources: ReadonlySet<ToolDatasource>;
};

/** Whether something can be used; `reason` says what would have to be set up. */
export type ToolAvailability =
  { readonly available: true } | { readonly available: false; readonly reason: string };

/** Whether a category's tools can be used; single tools of it may still need more. */
export const categoryAvailability = ({ needs }: Pick<ToolCategory, 'needs'>, setup: ToolSetup) =>
  availabilityOf(needs, setup);

/** Whether a tool can be used, by its category and by itself. */
export function toolAvailability(
  category: Pick<ToolCategory, 'needs'>,
  tool: CategoryTool,
  setup: ToolSetup,
): ToolAvailability {
  const whole = availabilityOf(category.needs, setup);
  return whole.available ? availabilityOf(tool.needs, setup) : whole;
}

function availabilityOf(need: ToolNeed | undefined, setup: ToolSetup): ToolAvailability {
  switch (need) {
    case undefined:
      return { available: true };
    case 'web-search-key':
      return where(setup.hasWebSearch, 'needs TAVILY_API_KEY on the server');
    case 'live-source':
      return where(setup.hasLiveSource, 'needs LIVE_SOURCE_URL on the server');
    case 'sql-datasource':
      return where(setup.datasources.has('sql'), 'needs an attached datasource of type sql');
    case 'mongodb-datasource':
      return where(setup.datasources.has('mongodb'), 'needs an attached datasource of type mongodb');
    case 'not-in-qpilot':
      return { available: false, reason: 'has no tools in QPilot' };
    default:
      return need satisfies never;
  }
}

const where = (available: boolean, reason: string): ToolAvailability =>
  available ? { available } : { available, reason };
