/**
 * What compatible servers say of their models beside the names, each in its own fields: OpenRouter (`context_length`,
 * `pricing`, `supported_parameters`, `architecture`), vLLM (`max_model_len`), llama.cpp (`meta.n_ctx`), Groq
 * (`context_window`), Mistral (`max_context_length`, `capabilities`), LM Studio (`loaded_context_length`).
 */
import { z } from 'zod';
import type { Facts } from '../capabilities.ts';

const count = z.number().int().positive().nullish().catch(null);
/** USD per token, as text. */
const perToken = z.coerce.number().nonnegative().nullish().catch(null);

const listedModel = z.object({
  id: z.string(),
  context_length: count,
  max_model_len: count,
  context_window: count,
  max_context_length: count,
  loaded_context_length: count,
  max_completion_tokens: count,
  top_provider: z.object({ max_completion_tokens: count }).nullish().catch(null),
  meta: z.object({ n_ctx: count }).nullish().catch(null),
  pricing: z
    .object({ prompt: perToken, completion: perToken, input_cache_read: perToken })
    .nullish()
    .catch(null),
  supported_parameters: z.array(z.string()).nullish().catch(null),
  architecture: z
    .object({ input_modalities: z.array(z.string()).nullish() })
    .nullish()
    .catch(null),
  capabilities: z
    .union([
      z.object({ vision: z.boolean().nullish(), function_calling: z.boolean().nullish() }),
      z
        .array(z.string())
        // LM Studio names the models that were trained for tools; it lets any other call them, too.
        .transform((names) => ({ vision: null, function_calling: names.includes('tool_use') || null })),
    ])
    .nullish()
    .catch(null),
  type: z.string().nullish().catch(null),
});
type ListedModel = z.infer<typeof listedModel>;

/** Facts by name, of all models of a list that can be read. */
export function factsInList(models: readonly unknown[]): ReadonlyMap<string, Facts> {
  const facts = new Map<string, Facts>();
  for (const each of models) {
    const read = listedModel.safeParse(each);
    if (read.success) facts.set(read.data.id, factsOf(read.data));
  }
  return facts;
}

function factsOf(it: ListedModel): Facts {
  const parameters = it.supported_parameters ?? null;
  const supports = (...names: readonly string[]) =>
    parameters === null ? null : names.some((name) => parameters.includes(name));
  const reasons = supports('reasoning', 'include_reasoning', 'reasoning_effort');
  return {
    contextTokens:
      it.loaded_context_length ??
      it.meta?.n_ctx ??
      it.max_model_len ??
      it.context_length ??
      it.context_window ??
      it.max_context_length,
    outputTokens: it.top_provider?.max_completion_tokens ?? it.max_completion_tokens,
    price: priceOf(it),
    images:
      it.architecture?.input_modalities?.includes('image') ??
      it.capabilities?.vision ??
      (it.type === 'vlm' ? true : null),
    tools: supports('tools') ?? it.capabilities?.function_calling,
    strict: supports('structured_outputs') === false ? false : null,
    temperature: supports('temperature'),
    reasons,
    ...(reasons === false && { efforts: [] }),
  };
}

/** A price of nothing is a fact, too, as of OpenRouter's free models. */
function priceOf({ pricing }: ListedModel): Facts['price'] {
  const { prompt = null, completion = null, input_cache_read: cached = null } = pricing ?? {};
  if (prompt === null || completion === null) return null;
  const perMillion = (dollars: number) => Number((dollars * 1_000_000).toPrecision(6));
  return {
    input: perMillion(prompt),
    cachedInput: perMillion(cached ?? prompt),
    output: perMillion(completion),
  };
}
