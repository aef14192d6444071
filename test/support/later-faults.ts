/** More faults in the forms in which servers send them, written after the retry policy was. */
import { namedFrames, textBlock, anthropicBody } from './anthropic-streams.ts';
import { frames } from './model-server.ts';
import { GOOD, type FaultCase } from './provider-faults.ts';

const SHORT = [400, 2_500] as const;
const half = frames({ choices: [{ index: 0, delta: { content: 'T1 of' }, finish_reason: null }] });
const repeat = <Item>(item: Item, times: number): Item[] => Array.from({ length: times }, () => item);
const json = 'application/json';

/** Of local servers, gateways and clouds. */
export const laterFaultCases: readonly FaultCase[] = [
  {
    name: 'vLLM 400 with a detail only',
    kind: 'chat',
    replies: repeat({ status: 400, contentType: json, raw: '{"detail":"top_k is not a field"}' }, 3),
    ends: { error: 'MODEL_BAD_REQUEST', message: /top_k is not a field/, requests: [1, 0], waits: [] },
  },
  {
    name: 'llama.cpp 503 "Loading model"',
    kind: 'chat',
    replies: [
      { status: 503, error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'vLLM: the engine dies behind half of the answer',
    kind: 'chat',
    replies: [
      {
        body: `${half}${frames({ error: { object: 'error', message: 'EngineCore encountered an issue.', type: 'InternalServerError', param: null, code: 500 } })}data: [DONE]\n\n`,
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [[0, 0]] },
  },
  {
    name: 'LiteLLM: the status of the server behind it as text, in the stream',
    kind: 'chat',
    replies: [
      {
        body: `${half}${frames({ error: { message: 'litellm.RateLimitError: VertexAIException - Resource exhausted.', type: 'None', param: 'None', code: '429' } })}`,
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Bedrock 424 ModelErrorException, once',
    kind: 'anthropic',
    replies: [
      {
        status: 424,
        contentType: json,
        raw: '{"message":"The model returned an error. Try your request again."}',
      },
      GOOD.anthropic,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Bedrock 429 "Too many tokens, please wait before trying again."',
    kind: 'anthropic',
    replies: [
      {
        status: 429,
        contentType: json,
        raw: '{"message":"Too many tokens, please wait before trying again."}',
      },
      GOOD.anthropic,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: "Cloudflare's 524 page for good",
    kind: 'anthropic',
    replies: repeat(
      {
        status: 524,
        contentType: 'text/html; charset=UTF-8',
        raw: '<!DOCTYPE html><html><head><title>example.com | 524: A timeout occurred</title></head><body>…</body></html>',
      },
      4,
    ),
    ends: {
      error: 'MODEL_UNAVAILABLE',
      message: /524: A timeout occurred/,
      hides: /</,
      requests: [4, 0],
      waits: [SHORT, [800, 5_000], [1_600, 10_000]],
    },
  },
  {
    name: 'xAI 429 whose error is a text',
    kind: 'chat',
    replies: [
      {
        status: 429,
        contentType: json,
        raw: '{"code":"Some resource has been exhausted","error":"Too many requests for team 1. Please retry in 3 seconds."}',
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [[3_000, 4_500]] },
  },
  {
    name: 'text-generation-inference: an error as text in the stream',
    kind: 'chat',
    replies: [{ body: frames({ error: 'Model is overloaded', error_type: 'overloaded' }) }, GOOD.chat],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Anthropic: a prompt that is too long, told in the stream',
    kind: 'anthropic',
    replies: repeat(
      {
        body: namedFrames({
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'prompt is too long: 210000 tokens > 200000 maximum',
          },
        } as { type: string }),
      },
      3,
    ),
    ends: { error: 'MODEL_CONTEXT_TOO_LARGE', requests: [1, 0], waits: [] },
  },
  {
    name: 'DeepSeek 402',
    kind: 'chat',
    replies: repeat({ status: 402, error: { message: 'Insufficient Balance', type: 'unknown_error' } }, 3),
    ends: { error: 'MODEL_QUOTA', requests: [1, 0], waits: [] },
  },
  {
    name: 'Gemini 503 as an array, in the stream',
    kind: 'chat',
    replies: [
      {
        body: `data: ${JSON.stringify([{ error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } }])}\n\n`,
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Ollama 500: the runner has stopped',
    kind: 'ollama',
    replies: [
      {
        status: 500,
        contentType: json,
        raw: '{"error":"model runner has unexpectedly stopped, this may be due to resource limitations"}',
      },
      GOOD.ollama,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Ollama 404: not pulled',
    kind: 'ollama',
    replies: repeat(
      { status: 404, error: { message: 'model "qwen3" not found, try pulling it first', type: 'api_error' } },
      3,
    ),
    ends: { error: 'MODEL_BAD_REQUEST', message: /ollama pull/, requests: [1, 0], waits: [] },
  },
  {
    name: 'OpenAI: one request alone is beyond the limit of a minute',
    kind: 'responses',
    replies: repeat(
      {
        status: 429,
        error: {
          message:
            'Request too large for gpt-4.1 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41250. The input or output tokens must be reduced in order to run successfully.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      6,
    ),
    ends: { error: 'MODEL_CONTEXT_TOO_LARGE', message: /Limit 30000/, requests: [1, 0], waits: [] },
  },
  {
    name: 'Anthropic: words, then max retries of a gateway as a 504 in the stream',
    kind: 'anthropic',
    replies: [
      {
        body:
          anthropicBody('end_turn', textBlock(0, 'T1 of')).split('event: content_block_stop')[0]! +
          namedFrames({ type: 'error', error: { type: 'timeout_error', message: 'Upstream timed out' } } as {
            type: string;
          }),
      },
      GOOD.anthropic,
    ],
    ends: { requests: [2, 0], waits: [[0, 0]] },
  },
  {
    name: 'Gemini itself: 429 with RetryInfo',
    kind: 'gemini',
    replies: [
      {
        status: 429,
        error: {
          code: 429,
          message: 'Resource has been exhausted (e.g. check quota).',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.7s' }],
        },
      },
      GOOD.gemini,
    ],
    ends: { requests: [2, 0], waits: [[1_700, 2_800]] },
  },
  {
    name: 'Gemini itself: overloaded behind half of the answer',
    kind: 'gemini',
    replies: [
      {
        body: frames(
          { candidates: [{ content: { role: 'model', parts: [{ text: 'T1 of' }] } }] },
          {
            error: {
              code: 503,
              message: 'The model is overloaded. Please try again later.',
              status: 'UNAVAILABLE',
            },
          },
        ),
      },
      GOOD.gemini,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Gemini itself: MALFORMED_FUNCTION_CALL',
    kind: 'gemini',
    replies: [
      {
        body: frames({
          candidates: [
            {
              finishReason: 'MALFORMED_FUNCTION_CALL',
              finishMessage: 'Malformed function call: print(add(a=1',
            },
          ],
        }),
      },
      GOOD.gemini,
    ],
    ends: { requests: [2, 0], waits: [[0, 0]], secondRequest: /could not be read/ },
  },
  {
    name: 'Gemini itself: 400 API_KEY_INVALID',
    kind: 'gemini',
    replies: repeat(
      {
        status: 400,
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
        },
      },
      3,
    ),
    ends: { error: 'MODEL_AUTH', message: /GEMINI_API_KEY/, requests: [1, 0], waits: [] },
  },
  {
    name: 'Ollama 503: its queue is full',
    kind: 'ollama',
    replies: [
      {
        status: 503,
        contentType: json,
        raw: '{"error":"server busy, please try again.  maximum pending requests exceeded"}',
      },
      GOOD.ollama,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Ollama: the runner ends behind half of the answer',
    kind: 'ollama',
    replies: [
      {
        body: '{"message":{"role":"assistant","content":"T1 of"},"done":false}\n{"error":"an error was encountered while running the model: unexpected EOF"}\n',
        contentType: 'application/x-ndjson',
      },
      GOOD.ollama,
    ],
    ends: { requests: [2, 0], waits: [[0, 0]] },
  },
];
