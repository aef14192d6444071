import { describe, expect, test } from '@jest/globals';
import { createTurnVisuals } from '../../src/agent/turn-visuals.ts';
import type { Visual } from '../../src/domain/visuals.ts';

const chart = (title: string): Visual => ({ type: 'chart', title, kind: 'LINE', data: [], layout: {} });

describe('the charts and tables of a turn', () => {
  test('are drawn once when two calls make the same one (C12)', () => {
    const visuals = createTurnVisuals(8);
    expect(visuals.draw([chart('T1'), chart('T2')]).visuals).toEqual([chart('T1'), chart('T2')]);
    expect(visuals.draw([chart('T2'), chart('T3')])).toEqual({ visuals: [chart('T3')], leftOut: [] });
  });

  test('end at the limit of the turn, and what is left out is named (C12)', () => {
    const visuals = createTurnVisuals(3);
    visuals.draw([chart('a'), chart('b')]);
    expect(visuals.draw([chart('c'), chart('d'), chart('e')])).toEqual({
      visuals: [chart('c')],
      leftOut: ['d', 'e'],
    });
    expect(visuals.draw([chart('a')])).toEqual({ visuals: [], leftOut: [] });
  });
});
