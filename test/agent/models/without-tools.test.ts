/** A model that is known to call no tools is not asked with any: its provider would refuse, or ignore them. */
import { expect, test } from '@jest/globals';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { bodyOf, WIRES } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const tools = [
  { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {}, required: [] } },
];

test.each(WIRES)('a model without tools is not asked with any, and answers without (%s)', async (kind) => {
  const server = await startServer(() => ({ body: bodyOf(kind, [{ text: 'Fine.' }]) }));
  const model = adapterModel(kind, server, { tools: false });
  const { error } = await collect(model, { ...plainRequest, tools });
  expect(error).toMatchObject({ code: 'NO_TOOLS', retryable: false });
  expect(error?.message).toBe(`${model.name} cannot call tools; choose a model that can`);
  expect(server.requests).toEqual([]);
  expect((await collect(model)).text).toBe('Fine.');
});
