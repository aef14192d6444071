import type { REASONING_LEVELS } from '../domain/artifacts/artifact-calls.ts';
import type { ConfigSource } from '../domain/artifacts/config-merge.ts';
import type { JsonObject } from '../domain/visuals.ts';
import type { ToolCategoryName } from './tool-categories.ts';

/** Requested reasoning effort; `none` omits the parameter. */
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/**
 * A complete configuration, as used by a job and stored as its snapshot. Names are those of the YAML files. Plain JSON
 * without nulls, so that `computeOverride` of two of them is exact.
 */
export type ResolvedConfig = {
  readonly llm: {
    /** Absent: the server's default model when the job runs. */
    readonly model?: string;
    /** 0 to 2. */
    readonly temperature: number;
    readonly reasoning_level: ReasoningLevel;
  };
  /** Every category; an empty list means off. Locked categories are always complete. */
  readonly tools: Readonly<Record<ToolCategoryName, readonly string[]>>;
};

/** A validated layer of a configuration; null removes the value below it. */
export type ConfigLayer = { readonly name: string; readonly config: JsonObject };

/** Merged layers: the configuration, the layer that each value comes from, and warnings. */
export type ConfigResolution = {
  readonly config: ResolvedConfig;
  /** Sorted by path; the layer `built-in` holds QPilot's defaults. */
  readonly sources: readonly ConfigSource[];
  /** Whole sentences, for example of tools that do not exist here. */
  readonly warnings: readonly string[];
};

/** Origin of an expert's instructions: its own file, the common template, or generated. */
export type ExpertInstructionsSource = 'EXPERT' | 'TEMPLATE' | 'GENERATED';

/** Fields of an expert shown in lists. */
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
  /** Why its files are unusable, or null. Jobs cannot use an expert with a load error. */
  readonly loadError: string | null;
};

/** An expert with everything that a job needs. */
export type Expert = ExpertListing & {
  readonly instructions: string;
  readonly instructionsSource: ExpertInstructionsSource;
  /** Lowest first: the defaults, what it extends, and its own. */
  readonly layers: readonly ConfigLayer[];
  /** Those layers resolved. */
  readonly resolution: ConfigResolution;
  /** Hex SHA-256 of instructions and layers, stored with the snapshot of a job. */
  readonly contentHash: string;
  /** Null for shipped experts; from 1 for saved ones. */
  readonly version: number | null;
};
