/** A form that was not sent yet, kept as text over a reload. What cannot be read, for example of an older client, is none. */
import { z } from 'zod';
import { jsonObject } from '../json-object.ts';
import type { JobForm } from './form-state.ts';

const uploaded = z.object({ id: z.string(), name: z.string() }).nullable();

const draft: z.ZodType<JobForm> = z.object({
  expert: z
    .object({ expertId: z.string(), displayName: z.string(), instructions: z.string(), config: jsonObject })
    .nullable(),
  description: z.string(),
  instructions: z.string(),
  config: jsonObject,
  presetId: z.string().nullable(),
  datasourceIds: z.array(z.string()),
  uploads: z.object({ instructions: uploaded, config: uploaded }),
  chipId: z.string().nullable(),
  context: jsonObject.nullable(),
  builderSessionId: z.string().nullable(),
  agreedRevision: z.number().nullable(),
  // Whoever locked it is gone after a reload; a builder that still writes locks it again.
  lock: z.unknown().transform(() => null),
  attempt: z.object({ key: z.string(), content: z.string() }).nullable(),
});

/** The draft as text. */
export const writeDraft = (form: JobForm): string => JSON.stringify(form);

/** The draft of a text; null where it is none. */
export function readDraft(text: string | null): JobForm | null {
  if (text === null) return null;
  try {
    const read = draft.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
