/** Reading a model that sends faster than anybody can show it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVENTS_A_TURN, readEvents } from '../../src/agent/loop/read-events.ts';
import type { ModelEvent } from '../../src/agent/model.ts';
import { plainRequest } from '../support/adapters.ts';
import { runTurn } from '../support/agent-run.ts';
import { createScriptedModel, say, type ScriptedPart } from '../support/scripted-model.ts';

const BURST = 20_000;
const word = (index: number): string => `word${index} `;
const burst = (): ModelEvent[] =>
  Array.from({ length: BURST }, (_, index) => ({ type: 'text', text: word(index) }));
const whole = Array.from({ length: BURST }, (_, index) => word(index)).join('');

const read = (parts: readonly ScriptedPart[], signal = new AbortController().signal) =>
  readEvents(createScriptedModel([parts]), {
    request: plainRequest,
    limits: { modelSilenceMs: 60_000 },
    signal,
  });

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => ('text' in event ? event.text : '')).join('');

describe('A model that sends without pause', () => {
  test('leaves the event loop a turn between any two pieces, and loses no word', async () => {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns += 1) await nextTurn();
    })();
    const pieces: ModelEvent[] = [];
    const turnsAt: number[] = [];
    for await (const event of read(burst())) {
      pieces.push(event);
      if (event.type === 'text') turnsAt.push(turns);
    }
    isOver = true;
    await counting;
    expect(textOf(pieces) === whole).toBe(true);
    expect(pieces.at(-1)?.type).toBe('finished');
    expect(new Set(turnsAt).size).toBe(turnsAt.length); // no two pieces in one turn
    expect(turnsAt.length).toBeGreaterThanOrEqual(Math.floor(BURST / EVENTS_A_TURN));
    expect(Math.max(...pieces.map((event) => textOf([event]).length))).toBeLessThanOrEqual(
      EVENTS_A_TURN * word(BURST).length,
    );
  });

  test('a request that comes after the first word is answered long before the last one', async () => {
    const server = createServer((_request, response) => response.end('served'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let served: Promise<string> | undefined;
    let isServed = false;
    let wordsAfter = 0;
    let text = '';
    await runTurn(createScriptedModel([burst()]), [], {
      emit: (activity) => {
        if (activity.type !== 'text') return;
        text += activity.text;
        served ??= fetch(`http://127.0.0.1:${port}/`)
          .then((response) => response.text())
          .then((body) => ((isServed = true), body));
        if (isServed) wordsAfter += activity.text.split(' ').length - 1;
      },
    });
    expect(await served).toBe('served');
    server.close();
    expect(text === whole).toBe(true);
    expect(wordsAfter).toBeGreaterThan(BURST / 2);
  });

  test('what came before a failure is read before it', async () => {
    const texts: string[] = [];
    const reading = (async () => {
      for await (const event of read([...say('All of this', 2), new Error('cut')])) {
        if (event.type === 'text') texts.push(event.text);
      }
    })();
    await expect(reading).rejects.toThrow('cut');
    expect(texts.join('')).toBe('All of this');
  });

  test('a reader that leaves early closes the request', async () => {
    const closed = Promise.withResolvers<string>();
    const never: ScriptedPart = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          closed.resolve('closed');
          reject(signal.reason as Error);
        });
      });
    for await (const event of read([...say('enough'), never])) if (event.type === 'text') break;
    expect(await closed.promise).toBe('closed');
  });
});

test('merging changes neither the order of events nor a character of any', async () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('refusal' as const), text: fc.string() }),
    fc.record({ type: fc.constant('progress' as const) }),
    fc.record(
      {
        type: fc.constant('thinking' as const),
        kind: fc.constantFrom('thought' as const, 'summary' as const),
        text: fc.string(),
        isNew: fc.constant(true as const),
      },
      { requiredKeys: ['type', 'kind', 'text'] },
    ),
  );
  /** One letter for each event's kind, one run a thought; then its text. */
  const trace = (events: readonly ModelEvent[]): string => {
    let said = '';
    let before = '';
    for (const each of events) {
      const kind = each.type === 'thinking' ? each.kind : each.type;
      const isApart = kind !== before || (each.type === 'thinking' && each.isNew === true);
      said += `${isApart ? `<${kind}>` : ''}${'text' in each ? each.text : ''}`;
      before = kind;
    }
    return said;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 200 }), async (events) => {
      const seen: ModelEvent[] = [];
      for await (const each of read(events)) seen.push(each);
      expect(trace(seen.slice(0, -1))).toBe(trace(events));
    }),
  );
});
