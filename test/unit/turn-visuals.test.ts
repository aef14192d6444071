import { describe, expect, test } from '@jest/globals';
import { createTurnVisuals } from '../../src/agent/answer/turn-visuals.ts';
import type { Visual } from '../../src/domain/visuals.ts';

const chart = (title: string): Visual => ({ type: 'chart', title, kind: 'LINE', data: [], layout: {} });

describe('the charts and tables of a turn', () => {
  test('are drawn once when two calls make the same one (C12)', () => {
    const visuals = createTurnVisuals(8);
    expect(visuals.draw([chart('T1'), chart('T2')], 'SNAPSHOT').visuals).toEqual([chart('T1'), chart('T2')]);
    expect(visuals.draw([chart('T2'), chart('T3')], 'SNAPSHOT')).toEqual({
      visuals: [chart('T3')],
      leftOut: [],
    });
  });

  test('hold a chart that a model chose only while nothing is drawn by rule', () => {
    const table: Visual = { type: 'table', title: 'rows', columns: [], rows: [] };
    const chosen: Visual = {
      type: 'chart',
      title: 'own',
      kind: 'LINE',
      data: [],
      layout: { meta: { madeBy: 'model' } },
    };
    const ofUpload = createTurnVisuals(8);
    ofUpload.draw([table], 'DATASET');
    expect(ofUpload.draw([chosen], 'DATASET')).toEqual({ visuals: [chosen], leftOut: [] });
    const ofChip = createTurnVisuals(8);
    ofChip.draw([table], 'SNAPSHOT');
    expect(ofChip.draw([chosen], 'SNAPSHOT')).toEqual({ visuals: [], leftOut: ['own'] });
  });

  test('make room for what is drawn by rule where the model drew too much before it', () => {
    const chosen = (title: string): Visual => ({
      ...chart(title),
      type: 'chart',
      kind: 'LINE',
      data: [],
      layout: { meta: { madeBy: 'model' } },
    });
    const visuals = createTurnVisuals(2);
    visuals.draw([chosen('a'), chosen('b')], 'SANDBOX');
    expect(visuals.draw([chart('c'), chart('d')], 'SNAPSHOT').leftOut).toEqual([]);
    expect(visuals.draw([chosen('e')], 'SANDBOX')).toEqual({ visuals: [], leftOut: ['e'] });
  });

  test('end at the limit of the turn, and what is left out is named (C12)', () => {
    const visuals = createTurnVisuals(3);
    visuals.draw([chart('a'), chart('b')], 'SNAPSHOT');
    expect(visuals.draw([chart('c'), chart('d'), chart('e')], 'SNAPSHOT')).toEqual({
      visuals: [chart('c')],
      leftOut: ['d', 'e'],
    });
    expect(visuals.draw([chart('a')], 'SNAPSHOT')).toEqual({ visuals: [], leftOut: [] });
  });
});
