/**
 * Categories of tools, as the settings of experts switch them on. Which tools a category has comes from the tools'
 * definitions, by way of the generated `domain/tool-catalogue.ts`.
 */
import type { CategoryRule } from '../domain/artifacts/artifacts.ts';
import { ALL_SERVERS } from '../config/mcp-servers.ts';
import { TOOL_CATALOGUE } from '../domain/tool-catalogue.ts';

/** Kinds of datasources that bring tools of their own. */
export type ToolDatasource = 'sql' | 'mongodb';

/** What has to be configured before a tool, or a whole category, can be used. */
export type ToolNeed =
  'web-search-key' | 'live-source' | 'sql-datasource' | 'mongodb-datasource' | 'mcp-server' | 'not-in-qpilot';

type CategoryTool = {
  /** In expert settings. */
  readonly name: string;
  readonly label: string;
  readonly needs: ToolNeed | null;
};

type Category = {
  readonly title: string;
  /** What its tools are for, in one sentence for users and models. */
  readonly purpose: string;
  /** Locked categories are part of every job. */
  readonly locked: boolean;
  readonly needs?: ToolNeed;
};

const CATEGORIES = {
  workspace: {
    title: 'Workspace',
    purpose: 'Files of the job: notes, plans, data and the report.',
    locked: true,
  },
  core: {
    title: 'Phases',
    purpose: 'Planning and working phases, their to-dos, and the end of the job.',
    locked: true,
  },
  calibration: {
    title: 'Calibration data',
    purpose: 'Current values, ratings, runs and layout of a chip.',
    locked: false,
  },
  timeseries: {
    title: 'Time series',
    purpose: 'How values change, and whether a change is more than scatter.',
    locked: false,
  },
  provenance: {
    title: 'Provenance',
    purpose: 'Which run made a value, and what it was derived from.',
    locked: false,
  },
  sandbox: {
    title: 'Analysis',
    purpose: 'Python on the data in a sealed sandbox, uploaded tables and charts.',
    locked: false,
  },
  notes: {
    title: 'Notes',
    purpose: 'What people of the lab wrote about chips, qubits and results.',
    locked: false,
  },
  research: {
    title: 'Web research',
    purpose: 'Search the web and read pages; what they say is never trusted.',
    locked: false,
    needs: 'web-search-key',
  },
  citation: {
    title: 'Citations',
    purpose: 'Numbered references to stored records and web pages in the report.',
    locked: false,
  },
  document: { title: 'Documents', purpose: 'Long files of the workspace, read in parts.', locked: false },
  coding: {
    title: 'Coding',
    purpose: 'Shell commands and programs outside of the sandbox.',
    locked: false,
    needs: 'not-in-qpilot',
  },
  git: { title: 'History', purpose: 'Earlier versions of the files of the job.', locked: false },
  graph: {
    title: 'Graph databases',
    purpose: 'Queries of graph databases.',
    locked: false,
    needs: 'not-in-qpilot',
  },
  sql: {
    title: 'SQL',
    purpose: 'Read-only queries of an attached SQL database.',
    locked: false,
    needs: 'sql-datasource',
  },
  mongodb: {
    title: 'MongoDB',
    purpose: 'Read-only queries of an attached MongoDB database.',
    locked: false,
    needs: 'mongodb-datasource',
  },
  mcp: {
    title: 'Lab servers',
    purpose: "Tools of the lab's own MCP servers, such as a fridge log or a wiring database.",
    locked: false,
    needs: 'mcp-server',
  },
} as const satisfies Readonly<Record<string, Category>>;

/** Name of a category in expert settings. */
export type ToolCategoryName = keyof typeof CATEGORIES;

/** A category with its tools. */
export type ToolCategory = Category & {
  readonly name: ToolCategoryName;
  readonly tools: readonly CategoryTool[];
};

/**
 * What the category `mcp` may list: this, names of servers, and names of their tools. Which there are depends on the server
 * and its project, and may change while it runs.
 */
const EVERY_LAB_SERVER: readonly CategoryTool[] = [
  { name: ALL_SERVERS, label: 'All servers of the lab', needs: null },
];

/** In display order. */
export const TOOL_CATEGORY_NAMES = Object.keys(CATEGORIES) as readonly ToolCategoryName[];

/** All categories, the locked ones first. */
export const TOOL_CATEGORIES: readonly ToolCategory[] = TOOL_CATEGORY_NAMES.map((name) => ({
  ...CATEGORIES[name],
  name,
  tools:
    name === 'mcp'
      ? EVERY_LAB_SERVER
      : TOOL_CATALOGUE.filter(({ category }) => category === name).map((tool) => ({
          name: tool.name,
          label: tool.title.en,
          needs: tool.needs,
        })),
}));

/** The same, for the artifact tools. */
export const CATEGORY_RULES: readonly CategoryRule[] = TOOL_CATEGORIES.map(({ name, tools, locked }) => ({
  name,
  tools: tools.map((tool) => tool.name),
  locked,
}));

/** What is configured on this server; datasources may be those of the server or of one job. */
export type ToolSetup = {
  readonly hasWebSearch: boolean;
  readonly hasLiveSource: boolean;
  readonly hasLabServers: boolean;
  readonly datasources: ReadonlySet<ToolDatasource>;
};

/** Whether something can be used, and otherwise what would have to be configured. */
export type ToolAvailability =
  { readonly available: true } | { readonly available: false; readonly reason: string };

/** Whether a category can be used; single tools of it may need more. */
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

function availabilityOf(need: ToolNeed | null | undefined, setup: ToolSetup): ToolAvailability {
  switch (need) {
    case undefined:
    case null:
      return { available: true };
    case 'web-search-key':
      return where(setup.hasWebSearch, 'needs TAVILY_API_KEY on the server');
    case 'live-source':
      return where(setup.hasLiveSource, 'needs LIVE_SOURCE_URL on the server');
    case 'sql-datasource':
      return where(setup.datasources.has('sql'), 'needs an attached datasource of type sql');
    case 'mongodb-datasource':
      return where(setup.datasources.has('mongodb'), 'needs an attached datasource of type mongodb');
    case 'mcp-server':
      return where(setup.hasLabServers, 'needs mcpServers in config/qpilot.yaml');
    case 'not-in-qpilot':
      return { available: false, reason: 'has no tools in QPilot' };
    default:
      return need satisfies never;
  }
}

const where = (available: boolean, reason: string): ToolAvailability =>
  available ? { available } : { available, reason };
