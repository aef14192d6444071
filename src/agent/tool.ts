/**
 * What a tool is. One zod definition makes its schema for the model, the check of its arguments and their type; label
 * and description are for people. Tools read through services only and never write calibration data.
 */
import type { z } from 'zod';
import type { Viewer } from '../domain/conversation/session.ts';
import type { DataSource } from '../domain/values/data-source.ts';
import type { Freshness } from '../domain/values/freshness.ts';
import type { Visual } from '../domain/visuals.ts';
import type { Loaders } from '../services/loaders/loaders.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import type { DataStore } from './data/data-store.ts';
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
  /** Tells people who wait what the tool is at, in a line; each is stored, so one a second at most. */
  readonly progress: (text: string) => void;
  /** Of the call that is run, as its events name it. */
  readonly callId: string;
  /** Fires when the turn is cancelled or the call's time is up. */
  readonly signal: AbortSignal;
};

/** The part of a context that the calls of a round share. */
export type RoundContext = Omit<ToolContext, 'callId' | 'signal'>;

/** What a tool found. */
export type ToolResult = {
  /** JSON-safe, values as stored; what the model reads unless `modelData` stands for it. */
  readonly data: object;
  /** Shorter form for the model where `data` is kept in the session's data store. */
  readonly modelData?: object;
  /** Plain sentences in display units, to be used verbatim; made from the same rows as the visuals. */
  readonly formattedSummary: string;
  /** One line for people watching, at most 160 characters. */
  readonly preview: string;
  readonly freshness: Freshness | null;
  /** Of the live values that were added. */
  readonly liveFreshness?: Freshness;
  /** The current values that it stands on; live ones are added where these are old or missing. */
  readonly current?: CurrentValues | null;
  readonly source: DataSource;
  readonly visuals: readonly Visual[];
};

/** A tool whose arguments have the type of `args`. */
export type Tool<Args extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  /** Progress label, for example `Fetching chip summary`. */
  readonly label: string;
  /** For the model: what it returns, when to use it. */
  readonly description: string | ((context: { packages: readonly string[] }) => string);
  /** Every property required; optional ones are nullable (strict mode has no optional properties). */
  readonly args: Args;
  /** One line for people: what this call is about, for example `T1 of 64 qubits on demo-64`. */
  describe(args: z.infer<Args>): string;
  /** Calls that share a key run one after another, in call order. */
  conflictKey?(args: z.infer<Args>): string;
  /** Contract: throws `UserError` for what the model can mend; anything else is reported as a failed tool. */
  run(args: z.infer<Args>, context: ToolContext): Promise<ToolResult>;
};

/** Ties a tool's argument type to its zod definition; the registry keeps tools of different arguments together. */
export function defineTool<Args extends z.ZodObject>(tool: Tool<Args>): Tool<Args> {
  return tool;
}
