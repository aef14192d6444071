/** Elements of SVG as text. All words are escaped here, and all numbers written here: neither can become anything else. */
import { LINE_HEIGHT } from './text.ts';

type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Further out than this, nothing is seen; renderers fail on coordinates that are much larger. */
const FAR = 10_000;

/** A coordinate, in hundredths. @throws Error for one that is none: a bug of ours */
export function coordinate(value: number): string {
  if (!Number.isFinite(value)) throw new Error('a coordinate of a picture is not finite');
  return String(Math.round(Math.max(-FAR, Math.min(FAR, value)) * 100) / 100);
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An element; attributes without a value are left out. `inside` is SVG. */
export function element(name: string, attributes: Attributes, inside = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value != null)
    .map(
      ([key, value]) => ` ${key}="${typeof value === 'number' ? coordinate(value) : escaped(value ?? '')}"`,
    )
    .join('');
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

/**
 * Attributes of what lets its background through; none for null. Not `opacity`, which a renderer draws on a layer of its own, and
 * fails where that layer would be empty.
 */
export const seeThrough = (opacity: number | null): Attributes => {
  const part = opacity === null || opacity >= 1 ? null : Math.max(0, opacity);
  return { 'fill-opacity': part, 'stroke-opacity': part };
};

export type Anchor = 'start' | 'middle' | 'end';

export type Words = {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly anchor?: Anchor;
  /** What of the lines is at `y`. */
  readonly from?: 'top' | 'middle' | 'bottom';
  readonly isBold?: boolean;
  /** Degrees clockwise about `x` and `y`. */
  readonly turn?: number;
};

/** Part of its size that a capital letter is high. */
const CAPITAL = 0.73;

/** Lines of words below each other. */
export function words({
  lines,
  x,
  y,
  size,
  fill,
  anchor = 'start',
  from = 'top',
  isBold,
  turn,
}: Words): string {
  if (Math.max(Math.abs(x), Math.abs(y)) >= FAR) return '';
  const height = (lines.length - 1) * size * LINE_HEIGHT + size * CAPITAL;
  const top = y - { top: 0, middle: height / 2, bottom: height }[from] + size * CAPITAL;
  const shared = {
    'font-size': size,
    fill,
    'text-anchor': anchor === 'start' ? null : anchor,
    'font-weight': isBold ? 'bold' : null,
    transform: turn ? `rotate(${coordinate(turn)} ${coordinate(x)} ${coordinate(y)})` : null,
  };
  return lines
    .flatMap((line, index) =>
      line.trim() === ''
        ? []
        : element('text', { x, y: top + index * size * LINE_HEIGHT, ...shared }, escaped(line)),
    )
    .join('');
}

/** A path through points; null lifts the pen. */
export function pathThrough(points: readonly (readonly [number, number] | null)[]): string {
  let path = '';
  let isDown = false;
  for (const point of points) {
    if (point !== null) path += `${isDown ? 'L' : 'M'}${coordinate(point[0])} ${coordinate(point[1])}`;
    isDown = point !== null;
  }
  return path;
}

export const line = (
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  attributes: Attributes,
): string => element('line', { x1, y1, x2, y2, ...attributes });

export type Box = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export const rect = ({ left: x, top: y, width, height }: Box, attributes: Attributes): string =>
  element('rect', { x, y, width, height, ...attributes });
