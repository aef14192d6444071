/** Shapes of markers. */
import { coordinate, element, pathThrough, seeThrough } from '../svg.ts';

type Corners = readonly (readonly [number, number])[];

const turned = (count: number, from: number, radius = 1): Corners =>
  Array.from({ length: count }, (_, index) => {
    const angle = from + (2 * Math.PI * index) / count;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)] as const;
  });

/** Corners of a shape of radius 1; those that are not here are circles. */
const SHAPES: Readonly<Record<string, Corners>> = {
  square: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  'triangle-up': [
    [0, -1],
    [1.15, 0.8],
    [-1.15, 0.8],
  ],
  'triangle-down': [
    [0, 1],
    [1.15, -0.8],
    [-1.15, -0.8],
  ],
  'triangle-left': [
    [-1, 0],
    [0.8, -1.15],
    [0.8, 1.15],
  ],
  'triangle-right': [
    [1, 0],
    [-0.8, -1.15],
    [-0.8, 1.15],
  ],
  cross: [
    [-0.4, -1.2],
    [0.4, -1.2],
    [0.4, -0.4],
    [1.2, -0.4],
    [1.2, 0.4],
    [0.4, 0.4],
    [0.4, 1.2],
    [-0.4, 1.2],
    [-0.4, 0.4],
    [-1.2, 0.4],
    [-1.2, -0.4],
    [-0.4, -0.4],
  ],
  pentagon: turned(5, 0),
  hexagon: turned(6, 0),
  star: turned(5, 0, 1.4).flatMap((tip, index) => [tip, turned(5, Math.PI / 5, 0.53)[index] ?? tip]),
};

const eighth = Math.SQRT1_2;
const turnedCross: Corners = (SHAPES['cross'] ?? []).map(([x, y]) => [(x - y) * eighth, (x + y) * eighth]);

/** The path of a marker about a point. */
export function symbolPath(symbol: string, [x, y]: readonly [number, number], radius: number): string {
  const name = symbol.replace(/-(?:open|dot)/gu, '');
  const corners = name === 'x' ? turnedCross : Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (corners !== undefined)
    return `${pathThrough(corners.map(([dx, dy]) => [x + dx * radius, y + dy * radius]))}Z`;
  const r = coordinate(radius);
  const across = coordinate(2 * radius);
  return `M${coordinate(x - radius)} ${coordinate(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0Z`;
}

export const isOpen = (symbol: string): boolean => symbol.includes('-open');

export type MarkerStyle = {
  readonly symbol: string;
  readonly color: string;
  readonly opacity: number;
  readonly edge: string | null;
  readonly edgeWidth: number;
};

/** Markers of one style as one element. */
export const markers = (path: string, { symbol, color, opacity, edge, edgeWidth }: MarkerStyle): string =>
  element('path', {
    d: path,
    fill: isOpen(symbol) ? 'none' : color,
    stroke: isOpen(symbol) ? color : edgeWidth > 0 ? edge : null,
    'stroke-width': isOpen(symbol) ? Math.max(1, edgeWidth) : edgeWidth > 0 ? edgeWidth : null,
    ...seeThrough(opacity),
  });
