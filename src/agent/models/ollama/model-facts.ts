/** What Ollama says of a model it has (`/api/show`), and the context size that it is asked for. */
import type { Facts } from '../capabilities.ts';
import type { Shown } from './client.ts';

/**
 * Most tokens asked for without a setting: Ollama reserves memory for all of them when it loads the model. A model's
 * `contextTokens` in the settings asks for more.
 */
const MOST_TOKENS = 32_768;
/** Of a model that Ollama has not described yet. */
export const UNDESCRIBED: Facts = { contextTokens: MOST_TOKENS };
const LEAST_TOKENS = 8_192;
/** Memory that the context may take: 4 GiB. */
const CONTEXT_BYTES = 4 * 1024 ** 3;
/** The cache holds a key and a value of 16 bits each. */
const BYTES_PER_VALUE = 4;

export function factsOfShown({ capabilities, model_info: info, parameters }: Shown): Facts {
  const has = (name: string) => (capabilities == null ? null : capabilities.includes(name));
  const reasons = has('thinking');
  return {
    contextTokens: contextTokens(info ?? {}, parameters ?? ''),
    images: has('vision'),
    tools: has('tools'),
    reasons,
    ...(reasons === false && { efforts: [] }),
  };
}

/** The operator's own `num_ctx`, else what the model can read at most, as far as memory allows. */
function contextTokens(info: Readonly<Record<string, unknown>>, parameters: string): number | null {
  const own = Number(/^num_ctx\s+(\d+)$/m.exec(parameters)?.[1]);
  if (own > 0) return own;
  const architecture = info['general.architecture'];
  const number = (name: string): number | null => {
    const value = typeof architecture === 'string' ? info[`${architecture}.${name}`] : null;
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const most = number('context_length');
  if (most === null) return null;
  const heads = number('attention.head_count');
  const width = number('attention.key_length') ?? (number('embedding_length') ?? 0) / (heads ?? 1);
  const perToken =
    BYTES_PER_VALUE *
    (number('block_count') ?? 0) *
    (number('attention.head_count_kv') ?? heads ?? 0) *
    width;
  const inMemory = perToken === 0 ? MOST_TOKENS : Math.floor(CONTEXT_BYTES / perToken / 1024) * 1024;
  return Math.min(most, Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, inMemory)));
}
