/**
 * What an operator may tune without touching code: models, limits, prices, languages. Read once from
 * `config/qpilot.yaml`; keys and addresses are not in it, they come from the environment (`config.ts`).
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { StartupError } from './errors.ts';

const count = z.int().positive();
const usdPerMillion = z.number().nonnegative();

/** The providers that a model of the settings may name. */
export const PROVIDER_IDS = ['openai', 'anthropic', 'ollama'] as const;

const modelSettings = z.strictObject({
  name: z.string().min(1),
  provider: z.enum(PROVIDER_IDS),
  supportsImages: z.boolean().default(false),
  /** How it is asked to write its answers. What it writes is read in either format. */
  answerFormat: z.enum(['markdown', 'blocks']).default('markdown'),
  /** Tokens of its context window; null where that is not known. */
  contextTokens: count.nullable().default(null),
  price: z
    .strictObject({ input: usdPerMillion, cachedInput: usdPerMillion, output: usdPerMillion })
    .nullable()
    .default(null),
});

const turnLimits = z.strictObject({
  rounds: count,
  callsPerRound: count,
  identicalCalls: count,
  toolSeconds: z.number().positive(),
  turnSeconds: z.number().positive(),
  lastAnswerSeconds: z.number().positive(),
  modelSilenceSeconds: z.number().positive(),
  stepTries: count,
  tokens: count,
  outputTokens: count,
  toolResultCharacters: count,
  visuals: count,
  toolCalls: z.record(z.string(), z.strictObject({ calls: count, hint: z.string() })),
});

const jobLimits = z.strictObject({
  roundsPerPhase: count,
  phases: count,
  tokens: count,
  minutes: z.number().positive(),
  megabytes: z.number().positive(),
});

const settings = z.strictObject({
  copilot: z.strictObject({
    greeting: z.string().min(1),
    suggestions: z.array(z.strictObject({ label: z.string().min(1), prompt: z.string().min(1) })),
    responseLanguage: z.string().nullable(),
    thinkingLanguage: z.string().nullable(),
    fallbackModel: z.string().nullable(),
    historyTokens: count,
    unknownContextTokens: count,
  }),
  models: z
    .array(modelSettings)
    .min(1)
    .refine((models) => new Set(models.map(({ name }) => name)).size === models.length, {
      error: 'names a model twice',
    }),
  limits: z.strictObject({
    turn: turnLimits,
    job: jobLimits,
    sessionTokens: count,
    userTokensPerDay: count,
    projectTokensPerDay: count,
    messagesPerMinute: count,
    turnsPerUser: count,
    uploadMegabytes: z.number().positive(),
    uploadsPerDay: count,
    uploadMegabytesPerDay: z.number().positive(),
  }),
});

/** Everything in the settings file. */
export type Settings = z.infer<typeof settings>;
/** One offered model; prices are USD per million tokens. */
export type ModelSettings = Settings['models'][number];
/** How a model is asked to write its answers. */
export type AnswerFormat = ModelSettings['answerFormat'];
/** Bounds of one run of a job; a megabyte is a million bytes. */
export type JobSettings = Settings['limits']['job'];
/** Bounds of one turn; times in seconds as an operator writes them. */
export type TurnLimits = Settings['limits']['turn'];

const DEFAULT_FILE = fileURLToPath(new URL('../config/qpilot.yaml', import.meta.url));

/**
 * Reads the settings file, the shipped one where `given` is null.
 * @throws StartupError naming the file, and each setting with what is wrong with it.
 */
export async function readSettings(given: string | null = null): Promise<Settings> {
  const file = given ?? DEFAULT_FILE;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartupError(`the settings file ${file} cannot be read`, { cause: error });
  });
  return parseSettings(text, file);
}

/** Parses the text of a settings file; `file` is for messages only. */
export function parseSettings(text: string, file: string): Settings {
  const parsed = settings.safeParse(parseYaml(text, file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new StartupError(`${file} cannot be used:\n${lines.join('\n')}`);
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new StartupError(`${file} is not YAML: ${error.message}`, { cause: error });
  }
}
