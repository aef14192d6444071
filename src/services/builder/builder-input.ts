import { z } from 'zod';
import { keptArtifacts } from '../../domain/artifacts/kept-artifacts.ts';
import { ARTIFACT_LIMITS, type Artifacts } from '../../domain/artifacts/artifacts.ts';
import { ForbiddenKeyError, isSameJson, mergeConfig } from '../../domain/artifacts/config-merge.ts';
import { utf8Bytes } from '../../domain/text/utf8.ts';
import type { JsonObject } from '../../domain/visuals.ts';

const { instructionsBytes, descriptionCharacters, configBytes } = ARTIFACT_LIMITS;

/** Any JSON object; its meaning as settings is checked when a job is created. */
const config = z
  .record(z.string(), z.json(), 'must be a JSON object')
  .transform((value, context): JsonObject => {
    const clean = withoutNulls(value, context);
    if (utf8Bytes(JSON.stringify(clean)) <= configBytes) return clean;
    context.addIssue(`must have at most ${configBytes.toLocaleString('en')} bytes as JSON`);
    return z.NEVER;
  });

/** Artifacts in an input: null empties a part, an absent part stays as it is. */
export const artifactsInput = z.object({
  instructions: z
    .string()
    .refine(
      (text) => utf8Bytes(text) <= instructionsBytes,
      `must have at most ${instructionsBytes.toLocaleString('en')} bytes`,
    )
    .nullish(),
  config: z.preprocess((value) => value, config.nullish()).optional(),
  description: z
    .string()
    .max(descriptionCharacters, `must have at most ${descriptionCharacters.toLocaleString('en')} characters`)
    .regex(/^[^\r\n]*$/u, 'must be one line')
    .nullish(),
});

/** A revision number. */
export const revisionNumber = z.int().min(0, 'must be a revision number');

/** The artifacts after an input is applied. */
export function withInput(before: Artifacts, input: z.infer<typeof artifactsInput>): Artifacts {
  const { instructions = before.instructions, config: settings = before.config } = input;
  const { description = before.description } = input;
  return keptArtifacts({ instructions, config: settings, description });
}

/** Whether two states of the artifacts are the same. */
export const isSameArtifacts = (one: Artifacts, other: Artifacts): boolean =>
  one.instructions === other.instructions &&
  one.description === other.description &&
  isSameJson(one.config, other.config);

/** In an override null removes a value; in a whole configuration it has no meaning. */
function withoutNulls(value: JsonObject, context: z.RefinementCtx): JsonObject {
  try {
    return mergeConfig({}, value);
  } catch (error) {
    if (!(error instanceof ForbiddenKeyError)) throw error;
    context.addIssue({ code: 'custom', path: [...error.path], message: error.message });
    return z.NEVER;
  }
}
