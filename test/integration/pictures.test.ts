/** The thread that draws charts: its bounds, and what it survives. */
import { afterAll, expect, test } from '@jest/globals';
import { readPictureHeader } from '../../src/domain/conversation/picture.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { createPictures, type PictureJob } from '../../src/pictures/pictures.ts';
import { chartOf, NO_SOURCE } from '../unit/pictures/figures.ts';

const pictures = createPictures();
afterAll(() => pictures.close());

const jobOf = (chart: ChartSpec, format: PictureJob['format'] = 'png'): PictureJob => ({
  chart,
  source: NO_SOURCE,
  format,
});
const LINE = jobOf(chartOf([{ x: [1, 2], y: [3, 4] }]));

test('draws for many at once, a PNG or an SVG each', async () => {
  const people = ['ada', 'ben', 'ada', 'cy'];
  const drawn = await Promise.all(
    people.map((person, index) =>
      pictures.draw(person, jobOf(chartOf([{ y: [index, 2] }], {}, { title: `Chart ${index}` }), 'svg')),
    ),
  );
  const texts = drawn.map((each) => ('body' in each ? each.body.toString('utf8') : each.refused));
  expect(texts.map((text) => /Chart \d/u.exec(text)?.[0])).toEqual([
    'Chart 0',
    'Chart 1',
    'Chart 2',
    'Chart 3',
  ]);
  const png = await pictures.draw('ada', LINE);
  expect('body' in png && readPictureHeader(png.body)).toMatchObject({
    mediaType: 'image/png',
    width: 1_000,
  });
});

test('makes a PNG smaller that would be larger than a message can carry', async () => {
  const z = Array.from({ length: 100 }, (_, row) =>
    Array.from({ length: 100 }, (_cell, column) => Math.sin(row * 1_000 + column * column * 7.3)),
  );
  const drawn = await pictures.draw('ada', jobOf(chartOf([{ type: 'heatmap', z, colorscale: 'Jet' }])));
  const body = 'body' in drawn ? drawn.body : Buffer.alloc(0);
  expect([body.length > 1_000, body.length <= 200_000]).toEqual([true, true]);
});

test('says why a chart is not drawn, and draws the next one', async () => {
  const refused = await pictures.draw('ada', jobOf(chartOf([{ type: 'pie' }])));
  expect(refused).toEqual({ refused: 'it has a trace of type "pie"' });
  expect(await pictures.draw('ada', LINE)).toHaveProperty('body');
});

test('draws on after a bug', async () => {
  const broken = jobOf({ ...LINE.chart, data: null as never });
  await expect(pictures.draw('ada', broken)).rejects.toThrow('a picture could not be drawn');
  expect(await pictures.draw('ada', LINE)).toHaveProperty('body');
});

test('gives up a picture that takes too long', async () => {
  const hasty = createPictures({ drawMs: 1 });
  expect(await hasty.draw('ada', LINE)).toEqual({ refused: 'drawing it takes longer than 1 ms' });
  await hasty.close();
});

test('refuses whom it could not begin to draw for in time', async () => {
  const busy = createPictures({ waitMs: 1 });
  const first = busy.draw('ada', LINE);
  await expect(busy.draw('ben', LINE)).rejects.toThrow('more requests than it can serve');
  expect(await first).toHaveProperty('body');
  await busy.close();
});

test('starts its thread anew after it was idle, and draws nothing once it is closed', async () => {
  const rare = createPictures({ idleMs: 0 });
  expect(await rare.draw('ada', LINE)).toHaveProperty('body');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await rare.draw('ada', LINE)).toHaveProperty('body');
  await rare.close();
  expect(await rare.draw('ada', LINE)).toEqual({ refused: 'the server stops' });
});
