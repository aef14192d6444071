/**
 * Settings that an operator may tune without touching code: models, limits, prices, languages. Read once from
 * `config/qpilot.yaml`; keys and addresses come from the environment (`config.ts`).
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ROLES } from '../domain/members/role.ts';
import { CONFIG_FOLDER } from './config-folder.ts';
import { mcpServerSettings } from './mcp-servers.ts';
import { EFFORTS, modelPrice } from './model-table.ts';
import { PROVIDER_IDS } from './providers.ts';
import { parseYaml, readYamlFile } from './yaml-file.ts';

const count = z.int().positive();
/** Days that something is kept; null: for ever. */
const days = count.nullable();
const perDay = z.number().min(0).nullable().default(null);
const budgetSettings = z.strictObject({ tokens: perDay, costUsd: perDay, turns: perDay });

/** Types of datasources; `sql` is PostgreSQL, `dataset` a CSV file. */
export const DATASOURCE_TYPES = ['mongodb', 'sql', 'dataset'] as const;
export type DatasourceType = (typeof DATASOURCE_TYPES)[number];

const modelSettings = z.strictObject({
  name: z.string().min(1),
  provider: z.enum(PROVIDER_IDS),
  /** Name in the table of models whose facts this one has, as for a deployment with a name of its own. */
  like: z.string().min(1).nullable().default(null),
  // Each of these goes before what the server and the table say; null leaves it to them. A refused picture goes before it.
  supportsImages: z.boolean().nullable().default(null),
  /** False: it is never asked with tools; the fallback model is, or it answers without them. */
  supportsTools: z.boolean().nullable().default(null),
  /** Whether tools may be sent with `strict` schemas. */
  supportsStrict: z.boolean().nullable().default(null),
  supportsTemperature: z.boolean().nullable().default(null),
  /** Whether requests may name a reasoning effort. */
  supportsReasoning: z.boolean().nullable().default(null),
  /** Efforts that may be named. */
  efforts: z.array(z.enum(EFFORTS)).nullable().default(null),
  /** Requested format of answers; both formats are understood. */
  answerFormat: z.enum(['markdown', 'blocks']).default('markdown'),
  /** Size of the context window in tokens. */
  contextTokens: count.nullable().default(null),
  /** Most tokens of one response. */
  outputTokens: count.nullable().default(null),
  price: modelPrice.nullable().default(null),
});

const turnLimits = z.strictObject({
  rounds: count,
  callsPerRound: count,
  identicalCalls: count,
  toolSeconds: z.number().positive(),
  turnSeconds: z.number().positive(),
  turnCeilingSeconds: z.number().positive(),
  lastAnswerSeconds: z.number().positive(),
  /** How long a call waits for a person to approve it. */
  approvalSeconds: z.number().positive().max(86_400).default(600),
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

const datasource = z.strictObject({
  /** Also the file name of a dataset in a workspace. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/u, { error: 'must be letters, digits, - and _, such as fridge-log' }),
  name: z.string().min(1).max(80),
  type: z.enum(DATASOURCE_TYPES),
  /** Name of the environment variable with the address. */
  uri: z.string().regex(/^DATASOURCE_[A-Z0-9_]+$/u, {
    error: 'must name an environment variable such as DATASOURCE_FRIDGE, which holds the address',
  }),
  readOnly: z.boolean().default(true),
  /** Whose jobs may read it. Left out: those of the only project; with several projects, nobody's. */
  projects: z
    .union([z.literal('all'), z.array(z.string().min(1)).min(1)], {
      error: 'must be a list of project ids, or all',
    })
    .optional(),
});

const rate = z.strictObject({ burst: count, perMinute: z.number().positive() });
const open = z.strictObject({ perUser: count, inAll: count });

/** Text shown to users: English, or by language code with `en` among them. */
const localised = <Words extends z.ZodType>(words: Words) =>
  z.union([words.transform((en) => ({ en })), z.object({ en: words }).catchall(words)], {
    error: 'must be a text, or texts by language code including en',
  });

const settings = z.strictObject({
  copilot: z.strictObject({
    greeting: localised(z.string().min(1)),
    suggestions: localised(z.array(z.strictObject({ label: z.string().min(1), prompt: z.string().min(1) }))),
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
  datasources: z
    .array(datasource)
    .default([])
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, {
      error: 'names a datasource twice',
    }),
  mcpServers: mcpServerSettings,
  retention: z
    .strictObject({
      conversations: days.default(null),
      jobs: days.default(null),
      workspaces: days.default(null),
      stepRecords: days.default(30),
      keptResults: days.default(30),
      audit: days.default(365),
    })
    .prefault({}),
  /** What groups of an identity provider or proxy may do. */
  access: z
    .strictObject({
      /** Their people administer the installation. */
      adminGroups: z.array(z.string().min(1)).default([]),
      groups: z
        .array(z.strictObject({ group: z.string().min(1), project: z.string().min(1), role: z.enum(ROLES) }))
        .default([]),
    })
    .prefault({}),
  limits: z.strictObject({
    turn: turnLimits,
    job: jobLimits,
    sessionTokens: count,
    userTokensPerDay: count,
    projectTokensPerDay: count,
    /** Of a day; admins of a project may set others there. */
    budgets: z
      .strictObject({ member: budgetSettings.prefault({}), project: budgetSettings.prefault({}) })
      .prefault({}),
    messagesPerMinute: count,
    /** Of a user who is signed in, over all servers. */
    rates: z
      .strictObject({
        queryCost: rate.default({ burst: 3_000_000, perMinute: 6_000_000 }),
        changes: rate.default({ burst: 120, perMinute: 240 }),
        subscriptions: rate.default({ burst: 600, perMinute: 600 }),
      })
      .prefault({}),
    /** At one server. */
    open: z
      .strictObject({
        operations: open.default({ perUser: 100, inAll: 1_000 }),
        subscriptions: open.default({ perUser: 600, inAll: 4_000 }),
        sockets: open.default({ perUser: 50, inAll: 2_000 }),
      })
      .prefault({}),
    turnsPerUser: count,
    turnsAtOnce: count.default(50),
    waitingPerUser: count.default(20),
    jobsPerUser: count,
    uploadMegabytes: z.number().positive(),
    uploadsPerDay: count,
    uploadMegabytesPerDay: z.number().positive(),
  }),
});

/** Everything in the settings file. */
export type Settings = z.infer<typeof settings>;
/** One offered model; prices are USD per million tokens. */
export type ModelSettings = Settings['models'][number];
/** Requested format of a model's answers. */
export type AnswerFormat = ModelSettings['answerFormat'];
/** Bounds of one run of a job; a megabyte is a million bytes. */
export type JobSettings = Settings['limits']['job'];
/** Bounds of one turn; times in seconds. */
export type TurnLimits = Settings['limits']['turn'];

/**
 * Reads the settings file, by default the shipped one.
 * @throws StartupError naming the file and every invalid setting.
 */
export const readSettings = (given: string | null = null): Promise<Settings> =>
  readYamlFile(given ?? join(CONFIG_FOLDER, 'qpilot.yaml'), settings);

/** Parses a settings file; `file` is only used in messages. */
export const parseSettings = (text: string, file: string): Settings => parseYaml(text, file, settings);
