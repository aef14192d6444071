import { createHash } from 'node:crypto';
import { instructionsOf } from './expert-instructions.ts';
import { withMetadataDefaults, type ExpertMetadata } from './expert-metadata.ts';
import type { ConfigLayer, Expert } from './expert.ts';
import { resolveConfig } from './resolve-config.ts';

/** Parts of an expert, from files or from the database. */
export type ExpertParts = {
  readonly expertId: string;
  readonly metadata: Partial<ExpertMetadata>;
  /** Lowest first. */
  readonly layers: readonly ConfigLayer[];
  /** Null if it has none. */
  readonly instructions: string | null;
  readonly template: string | null;
  readonly loadError: string | null;
  /** Null: shipped. */
  readonly version: number | null;
};

/** Builds an expert; used for shipped and saved ones alike. */
export function buildExpert(parts: ExpertParts): Expert {
  const { expertId, layers, loadError, version } = parts;
  const resolution = resolveConfig(layers);
  const metadata = withMetadataDefaults(expertId, parts.metadata, resolution.config);
  const sourced = instructionsOf(parts.instructions, parts.template, {
    ...metadata,
    config: resolution.config,
  });
  return {
    expertId,
    ...metadata,
    ...sourced,
    isBuiltIn: version === null,
    loadError,
    layers,
    resolution,
    contentHash: hashOf([sourced.instructions, layers]),
    version,
  };
}

/** Hex SHA-256 of a JSON value. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
