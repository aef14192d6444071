/** The input of `createJob`. */
import { z } from 'zod';
import { ARTIFACT_LIMITS } from '../../domain/artifacts/artifacts.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { utf8Bytes } from '../../domain/text/utf8.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import { optionalText, toKeptWords } from '../copilot/copilot-input.ts';

const { instructionsBytes, descriptionCharacters, configBytes } = ARTIFACT_LIMITS;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonObject = z
  .unknown()
  .refine((value) => value == null || isJsonObject(value), { error: 'must be an object', abort: true })
  .refine(
    (value) => value == null || utf8Bytes(JSON.stringify(value)) <= configBytes,
    `must have at most ${configBytes.toLocaleString('en')} bytes as JSON`,
  )
  .optional()
  .transform((value) => (isJsonObject(value) ? value : null));

/** Stored byte for byte, so text that cannot be kept unchanged is refused. Empty text means none. */
const instructionsText = z
  .string()
  .refine(
    (text) => text === '' || text.trim() !== '',
    'must not be blank; leave them out for those of the expert',
  )
  .refine(
    (text) => utf8Bytes(text) <= instructionsBytes,
    `must have at most ${instructionsBytes.toLocaleString('en')} bytes`,
  )
  .refine((text) => toStoredText(text) === text, 'must not contain NUL characters or lone surrogates')
  .refine((text) => redactSecrets(text) === text, 'contain what looks like a key or a password; remove it');

/** Everything but what needs a look into the stores: those checks are in `create-job.ts`. */
export const createJobInput = z.object({
  description: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(descriptionCharacters, `must have at most ${descriptionCharacters.toLocaleString('en')} characters`)
    .transform(toKeptWords),
  expertId: optionalText,
  instructions: instructionsText.nullish().transform((text) => (text ? text : null)),
  instructionsUploadId: optionalText,
  configOverride: jsonObject,
  configUploadId: optionalText,
  datasourceIds: z
    .array(z.string())
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a datasource twice')
    .nullish()
    .transform((ids) => ids ?? []),
  builderSessionId: optionalText,
  chipId: optionalText,
  context: jsonObject.transform((context) => context && redactJson(context)),
  idempotencyKey: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .transform(toStoredText),
});

/** A job request as clients send it, unchecked. */
export type CreateJobInput = z.input<typeof createJobInput>;
/** A checked {@link CreateJobInput}. */
export type CheckedJob = z.infer<typeof createJobInput>;

/** Checks instructions from an uploaded file; `field` names the upload. @throws InvalidInputError */
export function checkInstructions(text: string, field: string): string {
  const parsed = instructionsText.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidInputError(
    parsed.error.issues.map(({ message }) => ({
      path: ['input', field],
      message: `its instructions ${message}`,
    })),
  );
}
