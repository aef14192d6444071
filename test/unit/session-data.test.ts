import { describe, expect, test } from '@jest/globals';
import { createSessionData } from '../../src/agent/data/session-data.ts';
import { memorySessionData } from '../support/memory-session-store.ts';

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
