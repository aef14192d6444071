/**
 * The environment, read once; nothing else in the process reads `process.env`. Errors name the variable, its value and
 * what is expected.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { isTimeZone } from '../domain/values/daily.ts';
import { StartupError } from '../base/errors.ts';
import { withSecretFiles } from './secret-files.ts';
import { MCP_SECRET } from './mcp-servers.ts';
import { DOOR_VARIABLES, readDoors, type DoorConfig, LOOPBACK } from './doors.ts';
import {
  address,
  PROVIDER_IDS,
  providerIssues,
  readProviders,
  type ProviderConfig,
  type ProviderId,
} from './providers.ts';

const onOff = z.stringbool({ truthy: ['1', 'true', 'on', 'yes'], falsy: ['0', 'false', 'off', 'no'] });

/** What may be set, with defaults; `providers.ts` has the variables of models. */
export const environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  ...DOOR_VARIABLES,
  DATA_DIR: z.string().default('.qpilot'),
  MONGODB_URI: address('mongodb', 'mongodb+srv').optional(),
  MONGODB_DB: z.string().default('qdash'),
  DATABASE_URL: address('postgres', 'postgresql').optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(200).default(10),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(600).default(20),
  DRAIN_NOTICE_SECONDS: z.coerce.number().int().min(0).max(120).default(0),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have 16 characters or more' }).optional(),
  EMBEDDED: onOff.optional(),
  DEMO: onOff.optional(),
  CALIBRATION_WRITES: onOff.optional(),
  QPILOT_PROJECT: z.string().optional(),
  QPILOT_TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be an IANA time zone, for example Asia/Tokyo' })
    .default('UTC'),
  QPILOT_CONFIG: z.string().optional(),
  COPILOT_MODEL: z.string().optional(),
  BUILDER_MODEL: z.string().optional(),
  BUILDER_LLM_PROVIDER: z.string().toLowerCase().pipe(z.enum(PROVIDER_IDS)).optional(),
  JOBS_AT_ONCE: z.coerce.number().int().min(0).max(32).default(2),
  CALIB_DATA_PATH: z.string().optional(),
  LIVE_SOURCE_URL: address('http', 'https').optional(),
  SMTP_URL: address('smtp', 'smtps').optional(),
  SMTP_FROM: z.string().min(3).max(200).optional(),
  ALERT_PRIVATE_HOSTS: z.string().default(''),
  TAVILY_API_KEY: z.string().optional(),
  TAVILY_BASE_URL: address('http', 'https').optional(),
  SANDBOX_ENGINE: z.enum(['auto', 'native', 'pyodide']).default('auto'),
  SANDBOX_PYTHON: z.string().startsWith('/', { error: 'must be an absolute path' }).optional(),
  SANDBOX_DATA_MB: z.coerce.number().int().min(1).max(50).default(8),
  SANDBOX_ALLOW_WITHOUT_NAMESPACES: onOff.optional(),
  PYODIDE_WHEELS_DIR: z.string().optional(),
  GRAPHQL_JIT: onOff.default(true),
  QPILOT_PERSISTED_ONLY: onOff.default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http', 'https').optional(),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: onOff.default(false),
  LOG_MODEL_OUTPUT: onOff.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

type Environment = z.infer<typeof environment>;

/** Settings of the process. Addresses and keys in here never leave it. */
export type Config = {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly doors: DoorConfig;
  /** Absolute. Embedded stores, sandbox cache and uploads live below it. */
  readonly dataDir: string;
  readonly mongodbUri: string | null;
  readonly mongodbDb: string;
  readonly databaseUrl: string | null;
  /** Of the pool of one process; the job queue, the leases and the wake-ups have six more. */
  readonly databaseConnections: number;
  /** How long a stop waits for answers in progress before it interrupts them. */
  readonly drainMs: number;
  /** How long a stopping server goes on while `/readyz` already says so. */
  readonly drainNoticeMs: number;
  /** Where metrics and probes are served apart from the API; null: nowhere. Port 0: any free one. */
  readonly metrics: { readonly host: string; readonly port: number; readonly token: string | null } | null;
  /** Null: the demo chip is made when the embedded store is empty. */
  readonly demo: boolean | null;
  /** Whether the importer and the demo may write calibration data. */
  readonly calibrationWrites: boolean;
  readonly project: string | null;
  /** IANA zone of the lab's calendar days. */
  readonly timeZone: string;
  /** Absolute path of a settings file that replaces `config/qpilot.yaml`. */
  readonly settingsFile: string | null;
  readonly providers: ProviderConfig;
  readonly copilotModel: string | null;
  /** What the instruction builder asks where a message names no model. */
  readonly builder: { readonly model: string | null; readonly provider: ProviderId | null };
  /** Jobs that this process works on at once; 0: others do. */
  readonly jobsAtOnce: number;
  /** Folder with the pictures of task results, absolute; QDash's containers see it as `/app/calib_data`. */
  readonly calibDataPath: string | null;
  /** Where live values are read; `{chip}` and `{project}` in it are filled in. */
  readonly liveSourceUrl: string | null;
  /** Addresses of datasources by the variable that holds them, for example `DATASOURCE_FRIDGE`. */
  readonly datasourceUris: Readonly<Record<string, string>>;
  /** Secrets of MCP servers by the variable that holds them, for example `MCP_FRIDGE_TOKEN`. */
  readonly mcpSecrets: Readonly<Record<string, string>>;
  /** The server that mails are sent by, and their sender; null: none are sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** Machines of private networks that messages about alerts may be posted to, as `host` or `host:port`. */
  readonly alertPrivateHosts: ReadonlySet<string>;
  /** Of the search engine that experts and the builder search the web with; null: they do not. */
  readonly tavilyApiKey: string | null;
  /** Null: Tavily itself. */
  readonly tavilyBaseUrl: string | null;
  readonly sandbox: {
    /** `auto`: the native engine where its walls hold and it has numpy, else Pyodide. */
    readonly engine: 'auto' | 'native' | 'pyodide';
    /** Interpreter of the native engine, absolute; null to look in the usual places. */
    readonly python: string | null;
    /** Wheels for Pyodide, absolute. */
    readonly wheelsDir: string | null;
    /** Largest JSON text that an analysis works on. */
    readonly dataBytes: number;
    readonly allowWithoutNamespaces: boolean;
  };
  readonly graphqlJit: boolean;
  /** Whether only operations of QPilot's own web client are run. */
  readonly persistedOnly: boolean;
  /** Where traces are sent, and whether they contain texts of users and models; null: nowhere. */
  readonly tracing: { readonly endpoint: string; readonly withContent: boolean } | null;
  /** Whether the shape of every model output is logged, for making sense of a new model. */
  readonly logModelOutput: boolean;
  readonly logLevel: Environment['LOG_LEVEL'];
};

/** Variables whose values messages never repeat: even a mistyped address may contain a password. */
const MAY_HOLD_SECRETS = /_(?:URI|URL|ENDPOINT|SECRET|TOKEN)$/u;

/**
 * Parses an environment; an empty string means unset.
 * @throws StartupError listing every invalid variable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(withSecretFiles(env)).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const issues = [...(parsed.error?.issues ?? []), ...providerIssues(given)];
  if (!parsed.success || issues.length > 0) {
    const lines = issues.map((issue) => {
      const name = issue.path.join('.');
      const held = MAY_HOLD_SECRETS.test(name) ? '' : `=${JSON.stringify(given[name])}`;
      return `  ${name}${held}: ${issue.message}`;
    });
    throw new StartupError(`invalid environment variables:\n${lines.join('\n')}`);
  }
  const it = parsed.data;
  const production = it.NODE_ENV === 'production';
  const doors = readDoors(it);
  const embedded = it.EMBEDDED ?? !production;
  for (const [name, value] of [
    ['MONGODB_URI', it.MONGODB_URI],
    ['DATABASE_URL', it.DATABASE_URL],
  ] as const) {
    if (value === undefined && !embedded) {
      throw new StartupError(
        `${name} is not set, and embedded stores are off${production ? ' in production' : ''}: set ${name}, or EMBEDDED=1 to run on embedded stores`,
      );
    }
  }
  return {
    production,
    host: it.HOST,
    port: it.PORT,
    doors,
    dataDir: resolve(it.DATA_DIR),
    mongodbUri: it.MONGODB_URI ?? null,
    mongodbDb: it.MONGODB_DB,
    databaseUrl: it.DATABASE_URL ?? null,
    databaseConnections: it.DATABASE_CONNECTIONS,
    drainMs: it.DRAIN_SECONDS * 1_000,
    drainNoticeMs: it.DRAIN_NOTICE_SECONDS * 1_000,
    metrics: metricsOf(it),
    demo: it.DEMO ?? null,
    calibrationWrites: it.CALIBRATION_WRITES ?? it.MONGODB_URI === undefined,
    project: it.QPILOT_PROJECT ?? null,
    timeZone: it.QPILOT_TIME_ZONE,
    settingsFile: it.QPILOT_CONFIG === undefined ? null : resolve(it.QPILOT_CONFIG),
    providers: readProviders(given),
    copilotModel: it.COPILOT_MODEL ?? null,
    builder: { model: it.BUILDER_MODEL ?? null, provider: it.BUILDER_LLM_PROVIDER ?? null },
    jobsAtOnce: it.JOBS_AT_ONCE,
    calibDataPath: it.CALIB_DATA_PATH === undefined ? null : resolve(it.CALIB_DATA_PATH),
    liveSourceUrl: it.LIVE_SOURCE_URL ?? null,
    datasourceUris: variablesIn(given, /^DATASOURCE_/u),
    mcpSecrets: variablesIn(given, MCP_SECRET),
    mail: mailOf(it),
    alertPrivateHosts: new Set(it.ALERT_PRIVATE_HOSTS.split(/[\s,]+/u).filter((host) => host !== '')),
    tavilyApiKey: it.TAVILY_API_KEY ?? null,
    tavilyBaseUrl: it.TAVILY_BASE_URL ?? null,
    sandbox: {
      engine: it.SANDBOX_ENGINE,
      python: it.SANDBOX_PYTHON ?? null,
      wheelsDir: it.PYODIDE_WHEELS_DIR === undefined ? null : resolve(it.PYODIDE_WHEELS_DIR),
      dataBytes: it.SANDBOX_DATA_MB * 1024 * 1024,
      allowWithoutNamespaces: it.SANDBOX_ALLOW_WITHOUT_NAMESPACES ?? !production,
    },
    graphqlJit: it.GRAPHQL_JIT,
    persistedOnly: it.QPILOT_PERSISTED_ONLY,
    tracing:
      it.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: it.OTEL_EXPORTER_OTLP_ENDPOINT,
            withContent: it.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
          },
    logModelOutput: it.LOG_MODEL_OUTPUT,
    logLevel: it.LOG_LEVEL,
  };
}

/** @throws StartupError for mails that nobody sends. */
function mailOf({ SMTP_URL: url, SMTP_FROM: from }: Environment): Config['mail'] {
  if (url === undefined) return null;
  if (from !== undefined) return { url, from };
  throw new StartupError(
    'SMTP_URL needs SMTP_FROM, the sender of mails, for example SMTP_FROM=qpilot@example.org',
  );
}

/** @throws StartupError for an address that others reach without a token. */
function metricsOf({
  METRICS_HOST: host,
  METRICS_PORT: port,
  METRICS_TOKEN,
}: Environment): Config['metrics'] {
  const token = METRICS_TOKEN ?? null;
  if (port === undefined) return null;
  if (token === null && !LOOPBACK.has(host)) {
    throw new StartupError(
      `METRICS_HOST=${host} would show the metrics to the network: set METRICS_TOKEN, which scrapers send as a bearer token`,
    );
  }
  return { host, port, token };
}

/** All variables with such names; the settings choose which of them are used. */
const variablesIn = (
  env: Readonly<Record<string, string | undefined>>,
  names: RegExp,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      names.test(name) && value !== undefined ? [[name, value] as const] : [],
    ),
  );
