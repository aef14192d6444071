/**
 * Faults as providers really send them, and what a turn has to make of each. The shapes are those of the providers'
 * error pages and of the bug reports of openai-node, anthropic-sdk, litellm, vercel/ai and pydantic-ai.
 */
import type { AdapterKind } from './adapters.ts';
import { anthropicBody, namedFrames, textBlock } from './anthropic-streams.ts';
import { bodyOf } from './wire-bodies.ts';
import { frames, type Reply } from './model-server.ts';

/** The whole answer of each scenario that ends well. */
export const ANSWER = 'T1 of Q07 is 52.3 µs today.';

/** One fault. */
export type FaultCase = {
  readonly name: string;
  readonly kind: AdapterKind;
  readonly replies: readonly Reply[];
  /** Replies of a fallback of the same kind; without them there is none. */
  readonly fallback?: readonly Reply[];
  readonly ends: {
    /** The code of the failure; absent: the turn completes with the whole answer. */
    readonly error?: string;
    /** Of the failure's message. */
    readonly message?: RegExp;
    /** What the message must not show. */
    readonly hides?: RegExp;
    /** Requests to the model, and to the fallback. */
    readonly requests: readonly [number, number];
    /** Least and most milliseconds before each request that is made again. */
    readonly waits: readonly (readonly [least: number, most: number])[];
    /** Of the second request's body. */
    readonly secondRequest?: RegExp;
  };
};

const chatText = (...pieces: readonly string[]): string =>
  frames(...pieces.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })), {
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  });
const chatPart = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const responsesText = (text: string): string =>
  frames(
    { type: 'response.output_text.delta', output_index: 0, delta: text },
    { type: 'response.completed', response: { status: 'completed', output: [], usage: null } },
  );

/** A good answer of each kind. */
export const GOOD: Readonly<Record<AdapterKind, Reply>> = {
  anthropic: { body: anthropicBody('end_turn', textBlock(0, 'T1 of Q', '07 is 52.3 µs today.')) },
  chat: { body: chatText('T1 of Q', '07 is 52.3 µs today.') },
  gemini: { body: bodyOf('gemini', [{ text: ANSWER }]) },
  ollama: { body: bodyOf('ollama', [{ text: ANSWER }]) },
  responses: { body: responsesText(ANSWER) },
};

const half = anthropicBody('end_turn', textBlock(0, 'T1 of Q', '07 is')).split(
  'event: content_block_stop',
)[0]!;
const anthropicError = (type: string, message: string): string =>
  namedFrames({ type: 'error', error: { type, message } } as { type: string });
const overloaded = { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } };
const responseFailed = (code: string, message: string): string =>
  frames(
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    { type: 'response.failed', response: { status: 'failed', error: { code, message }, output: [] } },
  );
const limited = (headers: Record<string, string>, message = 'Rate limit reached'): Reply => ({
  status: 429,
  error: { message, type: 'requests', code: 'rate_limit_exceeded' },
  headers,
});
const groqRefused = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: 'invalid_request_error',
  code: 'tool_use_failed',
  failed_generation: '<function=add{"a": 1, "b"</function>',
};
const geminiError = (details: readonly object[], message: string): Reply => ({
  status: 429,
  contentType: 'application/json',
  raw: JSON.stringify([{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } }]),
});
const repeat = <Item>(item: Item, times: number): Item[] => Array.from({ length: times }, () => item);

/** A wait that the policy chooses: it begins near a second and grows. */
const SHORT = [400, 2_500] as const;
const LONGER = [800, 5_000] as const;
const LONG = [1_600, 10_000] as const;
const LONGEST = [3_200, 20_000] as const;
const AT_ONCE = [0, 400] as const;
/** What a provider asked for, and what may be added so that not all come back at once. */
const asked = (ms: number) => [ms, ms * 1.35 + 500] as const;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();
const gone = 'upstream connect error or disconnect/reset before headers. reset reason: connection failure';
const NGINX_503 =
  '<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>';

/** Every fault. */
export const faultCases = (): readonly FaultCase[] => [
  {
    name: 'Anthropic 529 twice',
    kind: 'anthropic',
    replies: [overloaded, overloaded, GOOD.anthropic],
    ends: { requests: [3, 0], waits: [SHORT, LONGER] },
  },
  {
    name: 'Anthropic overloaded_error first thing in the stream, four times',
    kind: 'anthropic',
    replies: [...repeat({ body: anthropicError('overloaded_error', 'Overloaded') }, 4), GOOD.anthropic],
    ends: { requests: [5, 0], waits: [SHORT, LONGER, LONG, LONGEST] },
  },
  {
    name: 'Anthropic overloaded_error behind half of the answer',
    kind: 'anthropic',
    replies: [{ body: half + anthropicError('overloaded_error', 'Overloaded') }, GOOD.anthropic],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Anthropic api_error behind half of the answer',
    kind: 'anthropic',
    replies: [{ body: half + anthropicError('api_error', 'Internal server error') }, GOOD.anthropic],
    ends: { requests: [2, 0], waits: [AT_ONCE] },
  },
  {
    name: 'Anthropic pause_turn: what came stands, and the rest follows',
    kind: 'anthropic',
    replies: [
      { body: anthropicBody('pause_turn', textBlock(0, 'T1 of Q', '07 is')) },
      { body: anthropicBody('end_turn', textBlock(0, ' 52.3 µs today.')) },
    ],
    ends: { requests: [2, 0], waits: [AT_ONCE], secondRequest: /"role":"assistant".*07 is/ },
  },
  {
    name: 'response.failed: "Please try again in 1.2s"',
    kind: 'responses',
    replies: [
      {
        body: responseFailed(
          'rate_limit_exceeded',
          'Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit 450000, Used 379102, Requested 89741. Please try again in 1.2s. Visit https://platform.openai.com/account/rate-limits to learn more.',
        ),
      },
      GOOD.responses,
    ],
    ends: { requests: [2, 0], waits: [asked(1_200)] },
  },
  {
    name: 'error event rate_limit_exceeded in the stream: "try again in 2.512s"',
    kind: 'responses',
    replies: [
      {
        body: `event: error\n${frames({ type: 'error', code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 2.512s.', param: null })}`,
      },
      GOOD.responses,
    ],
    ends: { requests: [2, 0], waits: [asked(2_512)] },
  },
  {
    name: 'OpenAI 429 insufficient_quota',
    kind: 'responses',
    replies: repeat(
      {
        status: 429,
        error: {
          message: 'You exceeded your current quota, please check your plan and billing details.',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      3,
    ),
    ends: { error: 'MODEL_QUOTA', requests: [1, 0], waits: [] },
  },
  {
    name: '429 with retry-after: 2',
    kind: 'chat',
    replies: [limited({ 'retry-after': '2' }), GOOD.chat],
    ends: { requests: [2, 0], waits: [asked(2_000)] },
  },
  {
    name: '429 with retry-after as an HTTP date in 40 s',
    kind: 'chat',
    replies: [limited({ 'retry-after': inSeconds(40) }), GOOD.chat],
    ends: { requests: [2, 0], waits: [[10_000, 51_000]] },
  },
  {
    name: '429 with x-ratelimit-reset-requests: 1.5s, none left',
    kind: 'chat',
    replies: [
      limited({
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1.5s',
        'x-ratelimit-remaining-tokens': '149000',
        'x-ratelimit-reset-tokens': '6m0s',
      }),
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [asked(1_500)] },
  },
  {
    name: 'Azure 429: "Please retry after 12 seconds", no header',
    kind: 'responses',
    replies: [
      {
        status: 429,
        error: {
          code: '429',
          message:
            'Requests to the Responses_Create Operation under Azure OpenAI API version 2025-04-01 have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 12 seconds.',
        },
      },
      GOOD.responses,
    ],
    ends: { requests: [2, 0], waits: [asked(12_000)] },
  },
  {
    name: 'Groq 429 that asks for 12 minutes',
    kind: 'chat',
    replies: repeat(limited({}, 'Rate limit reached. Please try again in 12m14.4s.'), 3),
    ends: { error: 'MODEL_RATE_LIMITED', message: /in 13 min/, requests: [1, 0], waits: [] },
  },
  {
    name: 'Anthropic 429 that asks for an hour, with a fallback',
    kind: 'anthropic',
    replies: repeat(
      {
        status: 429,
        error: { type: 'rate_limit_error', message: 'Number of request tokens has exceeded your rate limit' },
        headers: { 'retry-after': '3600' },
      },
      3,
    ),
    fallback: [GOOD.anthropic],
    ends: { requests: [1, 1], waits: [] },
  },
  {
    name: 'Gemini 429 with RetryInfo of 1.7 s, as an array',
    kind: 'chat',
    replies: [
      geminiError(
        [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.7s' }],
        'Resource has been exhausted (e.g. check quota).',
      ),
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [asked(1_700)] },
  },
  {
    name: 'Gemini 429: the quota of the day is used up',
    kind: 'chat',
    replies: repeat(
      geminiError(
        [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', quotaValue: '250' }],
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
        ],
        'You exceeded your current quota, please check your plan and billing details.',
      ),
      3,
    ),
    ends: { error: 'MODEL_QUOTA', requests: [1, 0], waits: [] },
  },
  {
    name: 'Groq 400 tool_use_failed',
    kind: 'chat',
    replies: [{ status: 400, error: groqRefused }, GOOD.chat],
    ends: { requests: [2, 0], waits: [AT_ONCE], secondRequest: /function=add/ },
  },
  {
    name: 'Groq tool_use_failed in the stream, behind half of the answer',
    kind: 'chat',
    replies: [
      {
        body: `${frames(chatPart('T1 of'))}event: error\n${frames({ error: { ...groqRefused, status_code: 400 } })}`,
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [AT_ONCE], secondRequest: /function=add/ },
  },
  {
    name: 'Groq tool_use_failed every time',
    kind: 'chat',
    replies: repeat({ status: 400, error: groqRefused }, 6),
    ends: { error: 'MODEL_BAD_CALL', requests: [3, 0], waits: [AT_ONCE, AT_ONCE] },
  },
  {
    name: 'OpenRouter: an error 502 inside a normal chunk, behind half of the answer',
    kind: 'chat',
    replies: [
      {
        body: frames(chatPart('T1 of Q07'), {
          id: 'gen-1',
          error: { code: 502, message: 'Provider returned error', metadata: { provider_name: 'Nebius' } },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        }),
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [AT_ONCE] },
  },
  {
    name: 'OpenRouter: an error 429 in a chunk without choices',
    kind: 'chat',
    replies: [
      {
        body: frames({
          id: 'gen-1',
          choices: [],
          error: {
            code: 429,
            message: 'Provider returned error',
            metadata: { raw: 'temporarily rate-limited upstream' },
          },
        }),
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'an error 429 as JSON under status 200',
    kind: 'chat',
    replies: [
      { body: '{"error":{"code":429,"message":"Too many requests"}}', contentType: 'application/json' },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Azure 400 content_filter',
    kind: 'chat',
    replies: repeat(
      {
        status: 400,
        error: {
          message:
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          type: null,
          param: 'prompt',
          code: 'content_filter',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
      3,
    ),
    ends: { error: 'MODEL_FILTERED', message: /content filter/, requests: [1, 0], waits: [] },
  },
  {
    name: 'OpenRouter 403: moderation flagged the input',
    kind: 'chat',
    replies: repeat(
      {
        status: 403,
        error: {
          code: 403,
          message: 'Input was flagged by moderation',
          metadata: { reasons: ['violence'], flagged_input: 'how to kill a qubit' },
        },
      },
      3,
    ),
    ends: { error: 'MODEL_FILTERED', message: /content filter/, requests: [1, 0], waits: [] },
  },
  {
    name: 'the connection is reset before any answer',
    kind: 'responses',
    replies: [{ reset: true }, GOOD.responses],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: '425 Too Early, then 409 Conflict, then 408',
    kind: 'chat',
    replies: [
      { status: 425, error: { message: 'too early' } },
      { status: 409, error: { message: 'lock timeout' } },
      { status: 408, error: { message: 'request timeout' } },
      GOOD.chat,
    ],
    ends: { requests: [4, 0], waits: [SHORT, LONGER, LONG] },
  },
  {
    name: "a proxy's 503 page",
    kind: 'chat',
    replies: repeat({ status: 503, raw: NGINX_503, contentType: 'text/html' }, 9),
    ends: {
      error: 'MODEL_UNAVAILABLE',
      message: /503/,
      hides: /<|nginx/,
      requests: [4, 0],
      waits: [SHORT, LONGER, LONG],
    },
  },
  {
    name: "Envoy's 503 in plain text, once",
    kind: 'anthropic',
    replies: [{ status: 503, raw: gone, contentType: 'text/plain' }, GOOD.anthropic],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'an empty stream with [DONE]',
    kind: 'chat',
    replies: [{ body: 'data: [DONE]\n\n' }, GOOD.chat],
    ends: { requests: [2, 0], waits: [AT_ONCE] },
  },
  {
    name: 'an answer of no words that says it has stopped',
    kind: 'chat',
    replies: [{ body: frames({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) }, GOOD.chat],
    ends: { requests: [2, 0], waits: [AT_ONCE] },
  },
  {
    name: 'overloaded for good behind half of the answer, with a fallback: the text appears once',
    kind: 'anthropic',
    replies: repeat({ body: half + anthropicError('overloaded_error', 'Overloaded') }, 9),
    fallback: [GOOD.anthropic],
    ends: { requests: [3, 1], waits: [SHORT, LONGER] },
  },
  {
    name: 'OpenAI 503 "The engine is currently overloaded", with x-should-retry: false',
    kind: 'responses',
    replies: [
      {
        status: 503,
        error: {
          message: 'The engine is currently overloaded, please try again later',
          type: 'server_error',
        },
        headers: { 'x-should-retry': 'false' },
      },
      GOOD.responses,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'Mistral 429 without an error object',
    kind: 'chat',
    replies: [
      {
        status: 429,
        contentType: 'application/json',
        raw: '{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","param":null,"code":"3505"}',
      },
      GOOD.chat,
    ],
    ends: { requests: [2, 0], waits: [SHORT] },
  },
  {
    name: 'OpenAI 401',
    kind: 'responses',
    replies: repeat(
      {
        status: 401,
        error: { message: 'Incorrect API key provided: sk-proj-abcd.', code: 'invalid_api_key' },
      },
      3,
    ),
    ends: { error: 'MODEL_AUTH', message: /OPENAI_API_KEY/, requests: [1, 0], waits: [] },
  },
];
