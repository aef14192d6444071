/**
 * A tool is one definition: everything else that knows tools (the model's schemas, the settings of experts, the names
 * in the web client, `npm run tools`, docs/tools.md) is derived from it. Tools read through services only and never
 * write calibration data.
 */
import type { z } from 'zod';
import type { Chip } from '../domain/chip/chip.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import { assertAllowed, isForAll, type Rule } from '../domain/members/rule.ts';
import type { DataSource, Freshness } from '../domain/values/freshness.ts';
import type { JsonObject, Visual } from '../domain/visuals.ts';
import type { ToolCategoryName, ToolNeed } from '../experts/tool-categories.ts';
import type { Loaders } from '../services/loaders/loaders.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import type { DataStore } from './data/session-data.ts';
import type { Datasets } from './data/datasets.ts';
import type { CurrentValues } from './live/current-values.ts';
import type { TurnLive } from './live/turn-live.ts';

/** What a tool may use while it runs. Loaders are fresh for each round and shared by its calls. */
export type ToolContext = {
  readonly viewer: Viewer;
  /** The chip that the session is about; the tool's own argument wins where it has one. */
  readonly chipId: string | null;
  readonly services: CalibrationServices;
  readonly loaders: Loaders;
  readonly sandbox: PythonSandbox;
  readonly dataStore: DataStore;
  readonly datasets: Datasets;
  readonly live: TurnLive;
  readonly now: () => Date;
  /** Reports progress in one line; every line is stored, so at most one a second. */
  readonly progress: (text: string) => void;
  /** Id of this call in its events. */
  readonly callId: string;
  /** Fires when the turn is cancelled or the call times out. */
  readonly signal: AbortSignal;
};

/** The part of a context that all calls of a round share. */
export type RoundContext = Omit<ToolContext, 'callId' | 'signal'>;

/** What a call returns. */
export type ToolResult = {
  /** JSON-safe, values as stored; what the model reads unless `modelData` replaces it. */
  readonly data: object;
  /** Shorter form for the model where `data` is kept in the session's data store. */
  readonly modelData?: object;
  /** For language models, where another form than that of `data` is shorter. */
  readonly shortData?: object;
  /** Plain sentences in display units, for verbatim use; made from the same rows as the visuals. */
  readonly formattedSummary: string;
  /** One line for the log of the turn, at most 160 characters. */
  readonly preview: string;
  readonly freshness: Freshness | null;
  /** Freshness of live values that were added. */
  readonly liveFreshness?: Freshness;
  /** The current values it is based on; live ones are added where these are stale or missing. */
  readonly current?: CurrentValues | null;
  readonly source: DataSource;
  readonly visuals: readonly Visual[];
};

/** What an example may look up in the demo data. */
export type ExampleSource = { readonly services: CalibrationServices; readonly chip: Chip };

/** What a person is asked before a call that changes something outside of this server. */
export type CallApproval = {
  /** The server, and the tool by its name there. */
  readonly server: string;
  readonly tool: string;
};

/** Arguments as another program declares them: sent to models as they are, and checked by it. */
export type OutsideArguments = {
  readonly parameters: JsonObject;
  readonly problemWith: (args: unknown) => string | null;
};

/** A tool whose arguments have the type of `args`. */
export type Tool<Args extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  /** Category of expert settings that switches it on in jobs; null: no setting does. */
  readonly category: ToolCategoryName | null;
  /** Whose turns may call it, and whose things it reaches. */
  readonly rule: Rule;
  /** What has to be configured before it can be used, in addition to what its category needs. */
  readonly needs?: ToolNeed;
  /** Shown while it runs, for example `Fetching chip summary`. */
  readonly label: string;
  /** What it does, in a few words, in settings and (Japanese) in the steps of an answer. */
  readonly title: { readonly en: string; readonly ja: string };
  /** A typical call on the demo chip; arguments left out are null. */
  readonly example: Partial<z.input<Args>> | ((source: ExampleSource) => Promise<Partial<z.input<Args>>>);
  /**
   * How a language model reads its results: STORED, where the whole is kept for analysis code, in at most 1,000
   * characters, DIRECT in 1,500. Absent for tools that return what was asked for word by word, such as files.
   */
  readonly reads?: 'STORED' | 'DIRECT';
  /** For the model: what it returns, when to use it. */
  readonly description: string | ((context: { packages: readonly string[] }) => string);
  /** Every property is required and optional ones are nullable: strict mode has no optional properties. */
  readonly args: Args;
  /** For tools of other programs: in place of `args`, which then takes any object. */
  readonly outside?: OutsideArguments;
  /** Set where a person has to approve each call. */
  readonly approval?: CallApproval;
  /** What this call is about, in one line, for example `T1 of 64 qubits on demo-64`. */
  describe(args: z.infer<Args>): string;
  /** Calls that share a key run one after another, in call order. */
  conflictKey?(args: z.infer<Args>): string;
  /** @throws UserError for what the model can correct; anything else is reported as a failed tool. */
  run(args: z.infer<Args>, context: ToolContext): Promise<ToolResult>;
};

/** Checks a definition against the type of its own arguments, and each call against its rule. */
export function defineTool<Args extends z.ZodObject>(tool: Tool<Args>): Tool<Args> {
  const { rule } = tool;
  if (isForAll(rule)) return tool;
  return {
    ...tool,
    async run(args, context) {
      assertAllowed(context.viewer, rule);
      return tool.run(args, context);
    },
  };
}
