import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Message } from '../../src/domain/session.ts';
import { buildHistory } from '../../src/agent/history.ts';
import { createSessionData } from '../../src/agent/session-data.ts';
import type { EarlierTurn } from '../../src/stores/session-store.ts';
import { memorySessionData } from '../support/memory-session-store.ts';

const message = (role: Message['role'], text: string): Message => ({
  id: 'm',
  sessionId: 's',
  turnId: 't',
  role,
  text,
  blocks: [
    { type: 'text', text },
    { type: 'chart', chartId: 'c' },
  ],
  freshness: [],
  assessment: null,
  strippedTables: 0,
  unverifiedTable: false,
  model: null,
  createdAt: new Date(0),
});
const turn = (question: string, answer: string | null): EarlierTurn => ({
  question: message('USER', question),
  answer: answer === null ? null : message('ASSISTANT', answer),
});

describe('The history of a conversation', () => {
  test('alternates questions and answers, oldest first, and ends with the question', () => {
    const history = buildHistory([turn('T1?', '52 μs.'), turn('And T2?', '80 μs.')], 'Of Q7?', 1000);
    expect(history).toEqual([
      { type: 'user', text: 'T1?' },
      { type: 'assistant', text: '52 μs.' },
      { type: 'user', text: 'And T2?' },
      { type: 'assistant', text: '80 μs.' },
      { type: 'user', text: 'Of Q7?' },
    ]);
  });

  test.each([null, ''])('says of a question that it was not answered (%p)', (answer) => {
    expect(buildHistory([turn('T1?', answer)], 'Again?', 1000)[1]).toEqual({
      type: 'assistant',
      text: '(This question was not answered.)',
    });
  });

  test('leaves out older turns whole, and never the question, whatever their lengths', () => {
    const turns = fc.array(
      fc.tuple(fc.string({ minLength: 1, maxLength: 30 }), fc.string({ minLength: 1, maxLength: 30 })),
    );
    fc.assert(
      fc.property(turns, fc.string({ maxLength: 50 }), fc.nat(300), (pairs, question, budget) => {
        const texts = buildHistory(
          pairs.map(([asked, answered]) => turn(asked, answered)),
          question,
          budget,
        ).map(({ type, ...rest }) => [type, 'text' in rest ? rest.text : null]);
        const whole = [
          ...pairs.flatMap(([asked, answered]) => [
            ['user', asked],
            ['assistant', answered],
          ]),
          ['user', question],
        ];
        expect(texts).toEqual(whole.slice(whole.length - texts.length));
        expect(texts.length % 2).toBe(1);
        const length = texts.reduce((sum, [, text]) => sum + text!.length, 0);
        expect(texts.length === 1 || length <= budget).toBe(true);
        const next = pairs.at(-(texts.length + 1) / 2);
        expect(next === undefined || length + next[0].length + next[1].length > budget).toBe(true);
      }),
    );
  });
});

describe('The data of a session', () => {
  test('gives Python an object of every kept result', async () => {
    const data = createSessionData(memorySessionData(), 'one');
    await data.put('t1', '{"rows":[1,2]}');
    await data.put('chip_summary@a"b', '[null]');
    await data.put('t1', '{"rows":[3]}');
    expect(JSON.parse(await data.all())).toEqual({ t1: { rows: [3] }, 'chip_summary@a"b': [null] });
    expect(await data.get('t1')).toBe('{"rows":[3]}');
    expect(await data.get('t2')).toBeNull();
  });

  test('is empty and apart for another session', async () => {
    const store = memorySessionData();
    await createSessionData(store, 'one').put('t1', '1');
    expect(await createSessionData(store, 'two').all()).toBe('{}');
  });
});
