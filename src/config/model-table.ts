/** What models can do, as far as it is published: `config/models.yaml`. */
import { join } from 'node:path';
import { z } from 'zod';
import { CONFIG_FOLDER } from './config-folder.ts';
import { readYamlFile } from './yaml-file.ts';

const count = z.int().positive();
const usdPerMillion = z.number().nonnegative();

/** Words for how long a model may think, from the shortest to the longest. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How the tokens of a picture are counted; `src/agent/models/shared/image-tokens.ts` knows the rules. */
const pictureRule = z.union([
  z.tuple([z.literal('tiles'), count, count]),
  z.tuple([z.literal('patches'), z.number().positive()]),
  z.tuple([z.literal('pixels')]),
  z.tuple([z.literal('squares'), count]),
]);
export type PictureRule = z.infer<typeof pictureRule>;

/** USD per million tokens. */
export const modelPrice = z.strictObject({
  input: usdPerMillion,
  cachedInput: usdPerMillion,
  /** Of input that is written to the provider's cache for a surcharge; absent: a quarter more than `input`. */
  cacheWrite: usdPerMillion.optional(),
  output: usdPerMillion,
});
export type ModelPrice = z.infer<typeof modelPrice>;

const facts = z.strictObject({
  window: count.optional(),
  output: count.optional(),
  price: z
    .tuple([usdPerMillion, usdPerMillion, usdPerMillion])
    .transform(([input, cachedInput, output]) => ({ input, cachedInput, output }))
    .optional(),
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  strict: z.boolean().optional(),
  temperature: z.boolean().optional(),
  reasons: z.boolean().optional(),
  efforts: z.array(z.enum(EFFORTS)).optional(),
  thinking: z.enum(['adaptive', 'budget', 'level']).optional(),
  pictures: pictureRule.optional(),
});

const maker = z.strictObject({
  begins: z.array(z.string().regex(/^[a-z0-9-]+$/u)),
  hosts: z.array(z.string()).nullable().default(null),
  all: facts,
  newer: facts,
  models: z.record(z.string(), facts),
});

const table = z.strictObject({
  made: z.string().regex(/^\d{4}-\d{2}-\d{2}$/u),
  makers: z.record(z.string(), maker),
});

/** Facts of one model, as the file gives them. */
export type TableFacts = z.output<typeof facts>;
export type ModelTable = z.output<typeof table>;

/** @throws StartupError naming the file and every invalid value. */
export const readModelTable = (): Promise<ModelTable> =>
  readYamlFile(join(CONFIG_FOLDER, 'models.yaml'), table);
