import type { REASONING_LEVELS } from '../domain/artifacts/artifact-calls.ts';
import type { ConfigSource } from '../domain/artifacts/config-merge.ts';
import type { JsonObject } from '../domain/visuals.ts';
import type { ToolCategoryName } from './tool-categories.ts';

/** How much a model is asked to think; `none` leaves the parameter out of the request. */
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/**
 * A configuration with every value in place, as a job runs with it and keeps it as its snapshot. Names are those of the
 * YAML files. It is plain JSON without nulls, so that `computeOverride` of two of them is exact.
 */
export type ResolvedConfig = {
  readonly llm: {
    /** Absent: the model of this server's configuration, looked up when the job runs. */
    readonly model?: string;
    /** 0 to 2. */
    readonly temperature: number;
    readonly reasoning_level: ReasoningLevel;
  };
  /** Every category; an empty list is one that is switched off. Locked ones are always complete. */
  readonly tools: Readonly<Record<ToolCategoryName, readonly string[]>>;
};

/** One layer of a configuration, checked but not merged; null takes away what lies below it. */
export type ConfigLayer = { readonly name: string; readonly config: JsonObject };

/** What layers come to: the configuration, which layer each value is from, and what people should know about it. */
export type ConfigResolution = {
  readonly config: ResolvedConfig;
  /** Sorted by path; the layer `built-in` is QPilot itself, where no layer says anything. */
  readonly sources: readonly ConfigSource[];
  /** Whole sentences, for example of tools that do not exist here. */
  readonly warnings: readonly string[];
};

/** Where the instructions of an expert come from: its own file, the common template, or the table of tools. */
export type ExpertInstructionsSource = 'EXPERT' | 'TEMPLATE' | 'GENERATED';

/** What lists show of an expert. */
export type ExpertListing = {
  /** A slug, unique among all experts that a project sees. */
  readonly expertId: string;
  readonly displayName: string;
  readonly description: string;
  /** Name of an icon, and a colour as `#rrggbb`. */
  readonly icon: string;
  readonly color: string;
  readonly tags: readonly string[];
  /** Shipped with this server rather than saved in a project. */
  readonly isBuiltIn: boolean;
  /** Why its files cannot be used; null where they can. No job can be made with an expert that has one. */
  readonly loadError: string | null;
};

/** An expert with everything that a job needs of it. */
export type Expert = ExpertListing & {
  readonly instructions: string;
  readonly instructionsSource: ExpertInstructionsSource;
  /** Lowest first: the defaults, what it extends, and its own. */
  readonly layers: readonly ConfigLayer[];
  /** Those layers resolved. */
  readonly resolution: ConfigResolution;
  /** Hex SHA-256 of instructions and layers: jobs keep it beside their snapshot. */
  readonly contentHash: string;
  /** Null for shipped experts; saved ones count from 1. */
  readonly version: number | null;
};
