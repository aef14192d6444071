/**
 * The providers of models as the environment configures them, one row each; `src/agent/models/<id>` knows how each is
 * asked. The order is that in which configured providers give the default model.
 */
import { z } from 'zod';
import { StartupError } from '../base/errors.ts';
import { LEAST_SECRET_LENGTH } from '../base/redaction/redact.ts';

/** An address with one of these schemes. */
export const address = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

const httpAddress = address('http', 'https').optional();
const text = z.string().optional();

/** The environment as it is given, without empty values. */
type Given = Readonly<Record<string, string | undefined>>;

type Row<Env extends z.ZodObject, Settings> = {
  /** Heading of its models in lists. */
  readonly title: string;
  /** The variables that configure it, as messages name them. */
  readonly variables: string;
  readonly env: Env;
  /** Null where it is not configured. @throws StartupError for variables that contradict each other. */
  readonly settings: (env: z.infer<Env>) => Settings | null;
};

const row = <Env extends z.ZodObject, Settings>({ env, settings, ...names }: Row<Env, Settings>) => ({
  ...names,
  shape: env.shape,
  issues: (given: Given) => env.safeParse(given).error?.issues ?? [],
  read: (given: Given) => settings(env.parse(given)),
});

const OPENAI_HOST = 'api.openai.com';

/** Every provider by its id in settings. */
export const PROVIDERS = {
  openai: row({
    title: 'OpenAI and compatible servers',
    variables: 'OPENAI_API_KEY or OPENAI_BASE_URL',
    env: z.object({
      OPENAI_API_KEY: text,
      OPENAI_BASE_URL: httpAddress,
      OPENAI_API: z.enum(['responses', 'chat']).optional(),
    }),
    settings({ OPENAI_API_KEY: apiKey = null, OPENAI_BASE_URL: baseUrl = null, OPENAI_API: api }) {
      if (apiKey === null && baseUrl === null) return null;
      // OpenAI's own models work best over the Responses API; most other servers know Chat Completions only.
      const isOpenai = baseUrl === null || URL.parse(baseUrl)?.host === OPENAI_HOST;
      return { apiKey, baseUrl, api: api ?? (isOpenai ? 'responses' : 'chat') };
    },
  }),
  anthropic: row({
    title: 'Anthropic',
    variables: 'ANTHROPIC_API_KEY',
    env: z.object({ ANTHROPIC_API_KEY: text, ANTHROPIC_BASE_URL: httpAddress }),
    settings({ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl = null }) {
      if (apiKey !== undefined) return { apiKey, baseUrl };
      if (baseUrl === null) return null;
      throw new StartupError('ANTHROPIC_BASE_URL is set without ANTHROPIC_API_KEY: set that key too');
    },
  }),
  gemini: row({
    title: 'Gemini',
    variables: 'GEMINI_API_KEY',
    env: z.object({ GEMINI_API_KEY: text, GEMINI_BASE_URL: httpAddress }),
    settings({ GEMINI_API_KEY: apiKey, GEMINI_BASE_URL: baseUrl = null }) {
      if (apiKey !== undefined) return { apiKey, baseUrl };
      if (baseUrl === null) return null;
      throw new StartupError('GEMINI_BASE_URL is set without GEMINI_API_KEY: set that key too');
    },
  }),
  ollama: row({
    title: 'Ollama',
    variables: 'OLLAMA_BASE_URL',
    env: z.object({ OLLAMA_BASE_URL: httpAddress, OLLAMA_API_KEY: text }),
    settings({ OLLAMA_BASE_URL: baseUrl, OLLAMA_API_KEY: apiKey = null }) {
      if (baseUrl !== undefined) return { baseUrl, apiKey };
      if (apiKey === null) return null;
      throw new StartupError('OLLAMA_API_KEY is set without OLLAMA_BASE_URL: set that address, too');
    },
  }),
};

/** Name of a provider in settings. */
export type ProviderId = keyof typeof PROVIDERS;

/** What each provider is configured with here, null for the others. A base URL of null is the provider's own. */
export type ProviderConfig = {
  readonly [Id in ProviderId]: Readonly<ReturnType<(typeof PROVIDERS)[Id]['read']>>;
};

/** In the order of the rows. */
export const PROVIDER_IDS = Object.keys(PROVIDERS) as [ProviderId, ...ProviderId[]];

/** Variables of providers that cannot be used. */
export const providerIssues = (given: Given): readonly z.core.$ZodIssue[] =>
  PROVIDER_IDS.flatMap((id) => PROVIDERS[id].issues(given));

/** @throws as the rows do, and for variables that have issues. */
export const readProviders = (given: Given): ProviderConfig =>
  // One entry for each row, and nothing else.
  Object.fromEntries(PROVIDER_IDS.map((id) => [id, PROVIDERS[id].read(given)])) as ProviderConfig;

/** Warnings at start about keys that are too short to be redacted from messages. */
export const shortKeyWarnings = (config: ProviderConfig): readonly string[] =>
  PROVIDER_IDS.flatMap((id) => {
    const settings = config[id];
    if (settings === null || !('apiKey' in settings) || settings.apiKey === null) return [];
    if (settings.apiKey.length >= LEAST_SECRET_LENGTH) return [];
    return `the key of ${PROVIDERS[id].variables} has fewer than ${LEAST_SECRET_LENGTH} characters: messages that repeat it are not redacted`;
  });
