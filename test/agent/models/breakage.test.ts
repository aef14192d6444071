/**
 * Every recorded stream, and Anthropic ones made by its SDK's types, through its adapter over HTTP, broken in every
 * way: always one outcome, never doubled text, never a half answer passed off as a whole one, no connection left open.
 *
 * Cuts are made at the ends of a sample of the frames, the first and the last ones among them, one and two bytes behind
 * those, and at a sample of the places within frames. That stands for every byte: what a frame says is looked at once
 * the empty line behind it has come, so that all places within one come to the same, and most frames of a stream are
 * alike. Characters that are torn apart are the business of the packets below.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Model } from '../../../src/agent/model.ts';
import { adapterModel, collect, type AdapterKind, type Collected } from '../../support/adapters.ts';
import { ANTHROPIC_CALLS, ANTHROPIC_TEXT } from '../../support/anthropic-streams.ts';
import {
  recordedStream,
  startModelServer,
  type ModelServer,
  type Reply,
} from '../../support/model-server.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';
import { bodyOf, type Said } from '../../support/wire-bodies.ts';
import { until } from '@qpilot/test-support';

const RECORDED: readonly (readonly [string, AdapterKind])[] = [
  ['responses-text.sse', 'responses'],
  ['responses-reasoning-text.sse', 'responses'],
  ['responses-function-call.step1.sse', 'responses'],
  ['responses-function-call.step2.sse', 'responses'],
  ['responses-parallel-calls.step1.sse', 'responses'],
  ['responses-parallel-calls.step2.sse', 'responses'],
  ['responses-error-quota.chunks.txt', 'responses'],
  ['responses-incomplete.chunks.txt', 'responses'],
  ['chat-text.sse', 'chat'],
  ['chat-tool-call.step1.sse', 'chat'],
  ['chat-tool-call.step2.sse', 'chat'],
  ['chat-ollama-tool-call.step1.sse', 'chat'],
  ['chat-ollama-tool-call.step2.sse', 'chat'],
];
/** As their documentation has it; no stream of their own was recorded for us. */
const MADE_TEXT: readonly Said[] = [
  { thought: 'The user asks about T1. ' },
  { thought: 'I look at Q07.' },
  ...['T1 of Q', '07 is ', '52.3 µs 🙂', ' today.'].map((text) => ({ text })),
];
const MADE_CALLS: readonly Said[] = [
  { call: ['c1', 'add', '{"a":2,"b":3}'] },
  { call: ['c2', 'multiply', '{"a":4,"b":5}'] },
];
const MADE: readonly (readonly [string, AdapterKind, string])[] = [
  ['text', 'anthropic', ANTHROPIC_TEXT],
  ['thoughts, text and two calls', 'anthropic', ANTHROPIC_CALLS],
  ...(['gemini', 'ollama'] as const).flatMap((kind) => [
    [`${kind}: text`, kind, bodyOf(kind, MADE_TEXT)] as const,
    [`${kind}: thoughts, text and two calls`, kind, bodyOf(kind, [...MADE_TEXT, ...MADE_CALLS])] as const,
    [`${kind}: cut short`, kind, bodyOf(kind, MADE_TEXT, 'length')] as const,
  ]),
];

/**
 * How many places within frames, and how many frames, are tried in one stream; all of them with QPILOT_EVERY_BYTE,
 * which takes minutes.
 */
const PLACES = process.env['QPILOT_EVERY_BYTE'] === '1' ? Number.POSITIVE_INFINITY : 20;
/** As many bytes come one at a time: some frames of each stream. */
const SINGLE_BYTES = 3_000;

/** What ends a stream is told in its last frames. */
const LAST_FRAMES = 4;

let server: ModelServer;
let reply: Reply;

beforeAll(async () => {
  server = await startModelServer(() => reply);
});
afterAll(async () => {
  await until(() => server.open() === 0, { what: 'end of all answers' });
  await server.close();
});

/** Ends of frames with the bytes behind them, and places spread evenly; all bytes where that is asked for. */
function places(body: string): readonly number[] {
  const length = Buffer.byteLength(body);
  const all = Array.from({ length: length - 1 }, (_, index) => index + 1);
  const frames = [...body.matchAll(/\n\n|\n(?=\{)/g)].map(({ index }) =>
    Buffer.byteLength(body.slice(0, index)),
  );
  const ends = [...sample(frames), ...frames.slice(-LAST_FRAMES)].flatMap((at) => [at, at + 1, at + 2]);
  return [...new Set([...sample(all), ...ends])].filter((at) => at > 0 && at < length);
}

/** Some of them, the first one among them, and not by threes: each end of a frame is three places. */
function sample(given: readonly number[]): readonly number[] {
  const stride = Math.max(1, Math.ceil(given.length / PLACES));
  const step = stride % 3 === 0 ? stride + 1 : stride;
  return given.filter((_, index) => index % step === 0);
}

/** Events of a stream of events, lines of Ollama's. */
const frameList = (body: string): readonly string[] => body.split(/(?<=\n\n)|(?<=\}\n)(?=\{)/);

/** Frames with one more at a place, or another in place of one. */
const withFrame = (list: readonly string[], at: number, replaced: number, frame: string): string =>
  list.toSpliced(at, replaced, frame).join('');

function expectSound(broken: Collected, whole: Collected, where: string): void {
  expect({ where, text: broken.text }).toEqual({ where, text: whole.text.slice(0, broken.text.length) });
  expect({ where, calls: broken.calls.length <= whole.calls.length }).toEqual({ where, calls: true });
  expect(broken.calls.map(({ name, arguments: args }) => [name, args])).toEqual(
    whole.calls.slice(0, broken.calls.length).map(({ name, arguments: args }) => [name, args]),
  );
  if (broken.error === null) expectSame(broken, whole, where);
  else expect(['BROKEN_STREAM', whole.error?.code]).toContain(broken.error.code);
}

function expectSame(again: Collected, whole: Collected, where: string): void {
  expect({
    where,
    text: again.text,
    calls: again.calls,
    reason: again.finished?.reason,
    code: again.error?.code,
  }).toEqual({
    where,
    text: whole.text,
    calls: whole.calls,
    reason: whole.finished?.reason,
    code: whole.error?.code,
  });
}

const ERROR_FRAMES: Readonly<Record<AdapterKind, string>> = {
  responses: 'event: error\ndata: {"type":"error","code":"server_error","message":"it fell over"}\n\n',
  chat: 'data: {"error":{"message":"it fell over","type":"server_error","code":null}}\n\n',
  gemini: 'data: {"error":{"code":500,"message":"it fell over","status":"INTERNAL"}}\n\n',
  ollama: '{"error":"it fell over"}\n',
  anthropic: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"it fell over"}}\n\n',
};

function faultsOf(kind: AdapterKind, load: () => Promise<string>): void {
  let body: string;
  let whole: Collected;
  let model: Model;

  const ask = (next: Reply) => {
    reply = next;
    return collect(model);
  };

  beforeAll(async () => {
    body = await load();
    model = adapterModel(kind, server);
    whole = await ask({ body });
  });

  test.each(['break', 'end'] as const)('cut anywhere (%s): a sound part of it, and one end', async (how) => {
    for (const at of places(body)) {
      expectSound(await ask({ body, cut: { at, how } }), whole, `${how} at ${at}`);
    }
  });

  test('cut again into any packets, also inside characters: the same', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lengths, async (packet) => {
        expectSame(await ask({ body, packet }), whole, `packets ${packet.join()}`);
      }),
      { numRuns: 15 },
    );
  });

  test('one byte at a time: the same', async () => {
    expectSame(
      await ask({ body: body.slice(0, SINGLE_BYTES), packet: 1 }),
      await ask({ body: body.slice(0, SINGLE_BYTES) }),
      '',
    );
  });

  test('with CRLF, or with a line of a megabyte that means nothing: the same', async () => {
    expectSame(await ask({ body: body.replaceAll('\n', '\r\n'), packet: 7 }), whole, 'CRLF');
    const huge = kind === 'ollama' ? `${' '.repeat(1_000_000)}\n` : `: ${'x'.repeat(1_000_000)}\n\n`;
    expectSame(await ask({ body: withFrame(frameList(body), 1, 0, huge) }), whole, 'huge line');
  });

  test('an error between any two frames: one failure, or the whole if it was whole', async () => {
    for (const at of sample([...frameList(body).keys()])) {
      const broken = await ask({ body: withFrame(frameList(body), at, 0, ERROR_FRAMES[kind]) });
      expectSound(broken, whole, `error at ${at}`);
      if (at === 0) expect(broken.error?.message).toContain('it fell over');
    }
  });

  test('wrong JSON, or JSON of another kind, in any frame: one end', async () => {
    const list = frameList(body);
    const stride = Math.ceil(list.length / 12);
    const data = kind === 'ollama' ? /(.+)(.)\n/ : /(data: .*)(.)\n/;
    const tear = (frame: string) => frame.replace(data, '$1\n');
    const odd = ['null', '7', '[]', '{}', '{"choices":null}', '{"type":"response.output_item.done"}'];
    const prefix = kind === 'ollama' ? '' : 'data: ';
    const swap = (json: string) => (frame: string) => frame.replace(data, `${prefix}${json}\n`);
    for (const change of [tear, ...odd.map(swap)]) {
      for (let at = 0; at < list.length; at += stride) {
        const changed = await ask({ body: withFrame(list, at, 1, change(list[at]!)) });
        expect(changed.error === null).toBe(changed.finished !== null);
      }
    }
  });

  test('without any index: the same', async () => {
    const bare = body.replaceAll(/"(output_)?index": ?\d+,?/g, '').replaceAll(',}', '}');
    const again = await ask({ body: bare });
    expectSame({ ...again, calls: whole.calls }, whole, 'without index');
    expect(again.calls.map(({ name, arguments: args }) => [name, args])).toEqual(
      whole.calls.map(({ name, arguments: args }) => [name, args]),
    );
  });

  test('its last frames twice: the same', async () => {
    const list = frameList(body);
    expectSame(await ask({ body: [...list, ...list.slice(-3)].join('') }), whole, 'last frames twice');
    // Of these two the frame before the last is words or a call, and nothing marks it as one that came already.
    if (kind === 'gemini' || kind === 'ollama') return;
    expectSame(
      await ask({ body: [...list.slice(0, -1), ...list.slice(-2)].join('') }),
      whole,
      'last frame twice',
    );
  });

  test('stalled and given up: the reason of the signal, and the connection is closed', async () => {
    const all = places(body);
    for (const at of [all[0]!, all[Math.floor(all.length / 2)]!]) {
      const stop = new AbortController();
      reply = { body, cut: { at, how: 'stall' } };
      const before = server.requests.length;
      const reading = collect(model, undefined, stop.signal);
      await Promise.race([reading, until(() => server.requests.length > before)]);
      stop.abort(new Error('enough'));
      await reading.then(
        (ended) => expectSame(ended, whole, 'ended before it was given up'),
        (error: unknown) => expect(error).toEqual(new Error('enough')),
      );
      await until(() => server.open() === 0, { what: 'closing of the connection' });
    }
  });
}

describeWithSharedData('A broken recorded stream', () => {
  describe.each(RECORDED)('%s', (name, kind) => faultsOf(kind, () => recordedStream(name)));
});

describe('A broken stream of an API without a recording', () => {
  describe.each(MADE)('%s', (_name, kind, body) => faultsOf(kind, () => Promise.resolve(body)));
});
