/** What requests say to a provider's cache, and how much room a response gets. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { hasSharedData, sharedPath } from '../../support/shared-data.ts';
import { bodyOf, WIRES, type WireKind } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const fine = (kind: WireKind) => ({ body: bodyOf(kind, [{ text: 'Fine.' }]) });

describe.each(['responses', 'chat'] as const)('The key of the cache (%s)', (kind) => {
  test('is the session, so that its requests meet the same cache', async () => {
    const server = await startServer(() => fine(kind));
    const model = adapterModel(kind, server);
    await collect(model, { ...plainRequest, sessionId: 's'.repeat(80) });
    expect(server.requests).toMatchObject([{ prompt_cache_key: 's'.repeat(64) }]);
  });

  test('is left out for a server that does not know it', async () => {
    const message = "Unrecognized request argument supplied: 'prompt_cache_key'";
    const server = await startServer([{ status: 400, error: { message } }, fine(kind)]);
    expect((await collect(adapterModel(kind, server))).text).toBe('Fine.');
    expect(server.requests.map((request) => 'prompt_cache_key' in request)).toEqual([true, false]);
  });
});

/** Room for a response, wherever the API has it. */
const roomOf = (request: Record<string, unknown>): unknown => {
  const it = { ...request, ...Object(request['generationConfig'] ?? request['options']) };
  return it.max_tokens ?? it.max_output_tokens ?? it.maxOutputTokens ?? it.num_predict;
};

test.each(WIRES)(
  'a response gets the room that the request asks for, up to what the model can write (%s)',
  async (kind) => {
    const server = await startServer(() => fine(kind));
    const model = adapterModel(kind, server);
    await collect(model);
    await collect(model, { ...plainRequest, outputTokens: 2345 });
    const small = adapterModel(kind, server, { outputTokens: 400 });
    await collect(small);
    await collect(small, { ...plainRequest, outputTokens: 2345 });
    expect(server.requests.map(roomOf)).toEqual([1000, 2345, 400, 400]);
  },
);

test('what is written to the cache is counted apart from what is read', async () => {
  const usage = { fresh: 10, cached: 300, written: 40, output: 5 };
  const server = await startServer([{ body: bodyOf('anthropic', [{ text: 'Fine.' }], 'end', usage) }]);
  const { finished } = await collect(adapterModel('anthropic', server));
  expect(finished?.usage).toEqual({
    inputTokens: 350,
    outputTokens: 5,
    cachedTokens: 300,
    cacheWriteTokens: 40,
  });
});

(hasSharedData ? test : test.skip)(
  'a gateway that refuses a prompt behind a finish reason is told as that, not as a cut answer',
  async () => {
    const body = await readFile(sharedPath('data/model-streams/chat-openrouter-stream-error.sse'), 'utf8');
    const server = await startServer([{ body }]);
    const { error } = await collect(adapterModel('chat', server));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', retryable: false });
    expect(error?.message).toMatch(/refused the request: Token limit reached$/);
  },
);
