/** A picture that came with a question, as each API takes it, and what a model is told that sees none. */
import { describe, expect, test } from '@jest/globals';
import type { ModelRequest } from '../../../src/agent/model.ts';
import { adapterModel, collect, plainRequest } from '../../support/adapters.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { bodyOf, WIRES, type WireKind } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const DATA = 'iVBORw0KGgo=';
const asking: ModelRequest = {
  ...plainRequest,
  input: [
    {
      type: 'user',
      text: 'What is this?',
      images: [{ mediaType: 'image/png', width: 8, height: 8, data: DATA }],
    },
  ],
};

const url = `data:image/png;base64,${DATA}`;
const SHAPES: Readonly<Record<WireKind, object>> = {
  responses: {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', detail: 'auto', image_url: url },
        ],
      },
    ],
  },
  chat: {
    messages: [
      { role: 'system' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  },
  anthropic: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ],
  },
  gemini: {
    contents: [
      {
        role: 'user',
        parts: [{ inlineData: { mimeType: 'image/png', data: DATA } }, { text: 'What is this?' }],
      },
    ],
  },
  ollama: {
    messages: [{ role: 'system' }, { role: 'user', content: 'What is this?', images: [DATA] }],
  },
};

describe.each(WIRES)('a picture over %s', (kind) => {
  const fine = { body: bodyOf(kind, [{ text: 'A chip.' }]) };

  test('arrives in the form of the API, and counts', async () => {
    const server = await startServer([fine]);
    const model = adapterModel(kind, server, { images: true });
    expect((await collect(model, asking)).text).toBe('A chip.');
    expect(server.requests[0]).toMatchObject(SHAPES[kind]);
    expect(model.imageTokens?.({ width: 512, height: 512 })).toBeGreaterThan(0);
  });

  test('is left out for a model without vision, with a note to the model', async () => {
    const server = await startServer([fine]);
    const model = adapterModel(kind, server, { images: false });
    await collect(model, asking);
    expect(JSON.stringify(server.requests)).not.toContain(DATA);
    expect(JSON.stringify(server.requests)).toContain('this model cannot see images');
    expect(model.imageTokens?.({ width: 512, height: 512 })).toBe(0);
  });

  test.each([
    ['an unknown model', {}],
    ['a model that sees by its settings', { images: true }],
  ])('that %s refuses is left out, then and later', async (_which, facts) => {
    const message = 'image input is not supported by this model';
    const server = await startServer((index) => (index === 0 ? { status: 400, error: { message } } : fine));
    const model = adapterModel(kind, server, facts);
    expect((await collect(model, asking)).text).toBe('A chip.');
    await collect(model, asking);
    const sent = server.requests.map((request) => JSON.stringify(request).includes(DATA));
    expect(sent).toEqual([true, false, false]);
    expect(model.imageTokens?.({ width: 512, height: 512 })).toBe(0);
  });
});
