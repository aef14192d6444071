import { z } from 'zod';
import type { JsonObject } from '../../../src/domain/visuals.ts';

/** A JSON object as GraphQL sends configurations and contexts. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());
