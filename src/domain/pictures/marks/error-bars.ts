/** Bars of uncertainty at points. */
import type { JsonObject } from '../../visuals.ts';
import { colorIn } from '../colors.ts';
import { flagIn, listIn, numberIn, objectIn, textIn } from '../read.ts';
import { element, pathThrough } from '../svg.ts';
import type { Panel, Point } from './mark.ts';

type ErrorOf = (index: number, value: number) => { readonly plus: number; readonly minus: number } | null;

/** The errors of a trace along an axis; null without any. */
export function errorsOf(trace: JsonObject, name: 'error_x' | 'error_y'): ErrorOf | null {
  const bars = objectIn(trace, name);
  const [array, below, value] = [listIn(bars, 'array'), listIn(bars, 'arrayminus'), numberIn(bars, 'value')];
  if (!(flagIn(bars, 'visible') ?? (array !== null || value !== null))) return null;
  const isSame = flagIn(bars, 'symmetric') ?? (below === null && bars['valueminus'] === undefined);
  const type = textIn(bars, 'type') ?? (array === null ? 'percent' : 'data');
  const sizeOf = (
    list: readonly unknown[] | null,
    one: number | null,
    index: number,
    at: number,
  ): number | null => {
    const size = list?.[index];
    if (type === 'data') return typeof size === 'number' ? size : null;
    if (type === 'sqrt') return Math.sqrt(Math.abs(at));
    return type === 'constant' ? one : (Math.abs(at) * (one ?? 10)) / 100;
  };
  return (index, at) => {
    const plus = sizeOf(array, value, index, at);
    const minus = isSame ? plus : sizeOf(below, numberIn(bars, 'valueminus'), index, at);
    return (plus ?? 0) > 0 || (minus ?? 0) > 0
      ? { plus: Math.max(0, plus ?? 0), minus: Math.max(0, minus ?? 0) }
      : null;
  };
}

type Points = readonly (Point | null)[];

/** Draws them; each list of values is that of the figure, so that an error on a logarithmic axis is not symmetric. */
export function errorBars(
  trace: JsonObject,
  points: Points,
  errors: { readonly x: ErrorOf | null; readonly y: ErrorOf | null; readonly color: string },
  panel: Panel,
): string {
  return (['x', 'y'] as const)
    .map((letter) => {
      const errorOf = errors[letter];
      if (errorOf === null) return '';
      const bars = objectIn(trace, `error_${letter}`);
      const values = listIn(trace, letter) ?? [];
      const cap = Math.min(10, numberIn(bars, 'width') ?? 4);
      const parts = points.flatMap((point) => {
        const value = point === null ? null : values[point.index];
        if (point === null || typeof value !== 'number') return [];
        const size = errorOf(point.index, value);
        if (size === null) return [];
        const axis = panel[letter];
        const [from, to] = [axis.place(value - size.minus) ?? axis.range[0], axis.place(value + size.plus)];
        if (to === null) return [];
        const across = panel[letter === 'x' ? 'y' : 'x'].pixel(letter === 'x' ? point.y : point.x);
        return [bar(letter, axis.pixel(from), axis.pixel(to), across, cap)];
      });
      const thickness = numberIn(bars, 'thickness') ?? 2;
      return parts.length === 0
        ? ''
        : element('path', {
            d: parts.join(''),
            fill: 'none',
            stroke: colorIn(bars['color']) ?? errors.color,
            'stroke-width': Math.min(10, thickness),
          });
    })
    .join('');
}

function bar(letter: 'x' | 'y', from: number, to: number, across: number, cap: number): string {
  const at = (along: number, aside: number): readonly [number, number] =>
    letter === 'x' ? [along, across + aside] : [across + aside, along];
  return pathThrough([
    at(from, 0),
    at(to, 0),
    null,
    at(from, -cap),
    at(from, cap),
    null,
    at(to, -cap),
    at(to, cap),
  ]);
}
