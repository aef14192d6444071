/**
 * The three artifacts of a builder session: instructions, configuration and description of a job. Shared by server and
 * client; knows neither models, storage nor GraphQL.
 */
import type { JsonObject } from '../visuals.ts';

/**
 * Null where nothing is written yet. `config` is the whole edited view, or only the overrides where no view was sent.
 */
export type Artifacts = {
  readonly instructions: string | null;
  readonly config: JsonObject | null;
  readonly description: string | null;
};

/** One artifact. */
export const ARTIFACT_KINDS = ['INSTRUCTIONS', 'CONFIG', 'DESCRIPTION'] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/**
 * Outcome of one change. `APPLIED_FIRST`: of several matches the first was changed; `APPLIED_CLAMPED`: a line
 * past the end was taken as the end; the last five changed nothing because the text was not found, was found
 * more than once in strict mode, the arguments were wrong, the artifact may not be changed, or the call was one too many.
 */
export const ARTIFACT_OUTCOMES = [
  'APPLIED',
  'APPLIED_FIRST',
  'APPLIED_CLAMPED',
  'NO_CHANGE',
  'NO_MATCH',
  'AMBIGUOUS',
  'INVALID_ARGS',
  'LOCKED',
  'SKIPPED',
] as const;
export type ArtifactOutcome = (typeof ARTIFACT_OUTCOMES)[number];

/**
 * Longest artifacts, also of experts, uploads and jobs, so that what is written in one place is never too long for
 * the next. Bytes are those of UTF-8, of the config as JSON; characters are UTF-16 code units.
 */
export const ARTIFACT_LIMITS = {
  instructionsBytes: 200_000,
  descriptionCharacters: 2_000,
  configBytes: 64_000,
} as const;

/** A tool category that an expert may have. */
export type CategoryRule = {
  readonly name: string;
  readonly tools: readonly string[];
  /** Locked categories are part of every job. */
  readonly locked: boolean;
};

/** What changes are checked against. */
export type ArtifactRules = {
  readonly categories: readonly CategoryRule[];
  /** Whether an edit that matches more than once is refused instead of changing the first match. */
  readonly strict: boolean;
};

/**
 * The result of one change. `note` is for model and user: what happened and, where nothing did, what would be right.
 */
export type ArtifactChange = {
  readonly kind: ArtifactKind;
  readonly outcome: ArtifactOutcome;
  /** The artifacts afterwards; the same object where nothing changed. */
  readonly artifacts: Artifacts;
  readonly note: string | null;
};

/** One artifact after a change. */
export type Edited<Value> = {
  readonly outcome: ArtifactOutcome;
  readonly value: Value;
  readonly note: string | null;
};

/** A change that was refused: the artifact stays as it is. */
export const refused = <Value>(
  value: Value,
  outcome: Exclude<ArtifactOutcome, 'APPLIED' | 'APPLIED_FIRST' | 'APPLIED_CLAMPED'>,
  note: string,
): Edited<Value> => ({ outcome, value, note });

/** Line ends as stored. */
export const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/gu, '\n');
