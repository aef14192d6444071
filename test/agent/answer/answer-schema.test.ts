import { describe, expect, test } from '@jest/globals';
import { BLOCKS_SCHEMA } from '../../../src/agent/answer/document-reader.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { frames, type ModelServer, type Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';

const startServer = ownModelServers();

const request = { ...plainRequest, answerSchema: BLOCKS_SCHEMA };
const refusal = (param: string): Reply => ({
  status: 400,
  error: { message: `Unsupported parameter: '${param}'`, param },
});
const fine: Record<string, Reply> = {
  responses: {
    body: frames({ type: 'response.completed', response: { status: 'completed', output: [], usage: null } }),
  },
  chat: {
    body: `${frames({ choices: [{ index: 0, delta: { content: 'Fine.' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
  },
};

async function serverWith(...replies: Reply[]): Promise<ModelServer> {
  const server = await startServer(replies);
  return server;
}

describe.each([
  [
    'responses',
    'text',
    (body: Record<string, unknown>) => (body['text'] as { format: unknown } | undefined)?.format,
  ],
  [
    'chat',
    'response_format',
    (body: Record<string, unknown>) => {
      const format = body['response_format'] as { type: string; json_schema: object } | undefined;
      return format && { type: format.type, ...format.json_schema };
    },
  ],
] as const)('the blocks schema, asked for over %s', (kind, parameter, formatOf) => {
  test('is sent as a schema that is not strict', async () => {
    const server = await serverWith(fine[kind]!);
    await collect(adapterModel(kind, server), request);
    expect(formatOf(server.requests[0] as Record<string, unknown>)).toEqual({
      type: 'json_schema',
      strict: false,
      name: 'blocks_response',
      schema: {
        type: 'object',
        properties: { blocks: expect.objectContaining({ type: 'array' }), assessment: expect.any(Object) },
        required: ['blocks', 'assessment'],
        additionalProperties: false,
      },
    });
  });

  test('is left out for a session whose model does not know it, and for answers in text', async () => {
    const server = await serverWith(refusal(parameter), fine[kind]!, fine[kind]!, fine[kind]!);
    const model = adapterModel(kind, server);
    expect((await collect(model, request)).error).toBeNull();
    await collect(model, request);
    await collect(model, { ...plainRequest, sessionId: 'another' });
    const formats = server.requests.map((body) => formatOf(body as Record<string, unknown>) !== undefined);
    expect(formats).toEqual([true, false, false, false]);
  });
});
