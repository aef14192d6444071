import type OpenAI from 'openai';
import type { ModelCatalog } from '../agent/models/catalog.ts';
import { toModelError } from '../agent/models/openai-errors.ts';
import { findingsOf, type Finding } from './finding.ts';

/** A list of models is a small answer. */
const TIMEOUT_MS = 5_000;

/** What answers questions. `provider` is null where none is configured. */
export type DoctorModels = { readonly catalog: ModelCatalog; readonly provider: OpenAI | null };

/** Which models there are, and whether their provider answers; asks it for its list of models only, which costs nothing. */
export async function modelFindings(
  { catalog, provider }: DoctorModels,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const say = findingsOf('models');
  const offered = catalog.options().filter(({ available }) => available);
  const listed = say.ok(
    `offered: ${offered.map(({ name }) => name).join(', ')}; default: ${catalog.defaultName}`,
  );
  if (provider === null) {
    const message =
      'no provider is configured, so the offline analyst answers, which understands set questions only';
    return [listed, say.warning(message, 'set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own')];
  }
  return [listed, await providerFinding(catalog.defaultName, provider, signal)];
}

async function providerFinding(
  defaultModel: string,
  provider: OpenAI,
  signal: AbortSignal,
): Promise<Finding> {
  const say = findingsOf('models');
  try {
    const { data } = await provider.models.list({ timeout: TIMEOUT_MS, maxRetries: 0, signal });
    if (data.some(({ id }) => id === defaultModel))
      return say.ok(`the provider answers and has ${defaultModel}`);
    return say.warning(
      `the provider answers, but does not list ${defaultModel} among its ${data.length} models`,
      'set COPILOT_MODEL to one of its models',
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) {
      return say.warning(
        'the provider answers, but has no list of models',
        'ask it something with npm run ask',
      );
    }
    const { message } = toModelError(error, { model: 'the provider', streaming: false });
    return say.problem(
      message,
      'check OPENAI_API_KEY, OPENAI_BASE_URL and the network; turns fail until it answers',
    );
  }
}

const isNotFound = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 404;
