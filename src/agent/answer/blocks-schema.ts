import { z } from 'zod';
import { ASSESSMENTS } from '../../domain/conversation/assessment.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { AnswerSchema } from '../model.ts';

const answer = z.strictObject({
  blocks: z.array(
    z.strictObject({
      type: z.enum(['text', 'chart']),
      content: z.string().nullable(),
      // Plotly's own: too free for a strict schema, and checked when it is shown.
      chart: z.looseObject({}).nullable(),
    }),
  ),
  assessment: z.enum(ASSESSMENTS.map((word) => word.toLowerCase())).nullable(),
});

const { $schema: _version, ...schema } = z.toJSONSchema(answer);

/** The blocks schema, for a model that is asked for it. */
export const BLOCKS_SCHEMA: AnswerSchema = { name: 'blocks_response', schema: schema as JsonObject };
