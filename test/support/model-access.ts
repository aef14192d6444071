import type { WireKind } from './wire-bodies.ts';

/** The environment that has a server's models answer over this API. Ollama offers those that the server lists. */
export function accessTo(kind: WireKind, { baseUrl }: { readonly baseUrl: string }): Record<string, string> {
  const root = baseUrl.replace(/\/v1$/u, '');
  switch (kind) {
    case 'responses':
    case 'chat':
      return { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: baseUrl, OPENAI_API: kind };
    case 'anthropic':
      return { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: root };
    case 'gemini':
      return { GEMINI_API_KEY: 'sk-test', GEMINI_BASE_URL: root };
    case 'ollama':
      return { OLLAMA_BASE_URL: root };
    default:
      return kind satisfies never;
  }
}

/** What a server lists and says of its models, for {@link accessTo}. */
export const OLLAMA_MODEL = {
  models: () => ['qwen3:8b'],
  show: () => ({ capabilities: ['completion', 'tools', 'thinking'], parameters: 'num_ctx 131072' }),
};
