import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { figureUrl, labelFigures, parseFigureUrl } from '../../src/domain/records/figure.ts';

test('labels say marked or raw where the stem does, else a number, and no two are the same', () => {
  const paths = ['/a/raw.d/t1.png', '/a/T1_Marked.png', '/a/t1_raw.png', 'b\\raw_2.png', '/a/.png', 'plain'];
  expect(labelFigures(paths).map(({ label }) => label)).toEqual([
    'figure 1',
    'marked',
    'raw',
    'raw 2',
    'figure 2',
    'figure 3',
  ]);
  fc.assert(
    fc.property(fc.array(fc.string()), (names) => {
      const labels = labelFigures(names).map(({ label }) => label);
      expect(new Set(labels).size).toBe(names.length);
    }),
  );
});

test('a URL leads back to its figure, whatever ids are made of', () => {
  const id = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(id, id, fc.nat({ max: 9999 }), (projectId, taskId, index) => {
      const figure = { projectId, taskId, index };
      expect(parseFigureUrl(figureUrl(figure))).toEqual(figure);
    }),
  );
});

test.each([
  '/figures/p/t',
  '/figures/p/t/x',
  '/figures/p/t/-1',
  '/figures/p/t/1/2',
  '/figures/%/t/1',
  '/figures//t/1',
])('%s is no figure', (path) => {
  expect(parseFigureUrl(path)).toBeNull();
});
