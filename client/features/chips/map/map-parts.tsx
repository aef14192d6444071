import { memo } from 'react';
import { colorOf, STATE_COLORS, textOn, type ColorScale } from './map-colors.ts';
import type { MapPart } from './map-model.ts';

/** How the parts of one kind are drawn. */
export type PartLook = {
  /** Null where they are coloured by state. */
  readonly scale: ColorScale | null;
  readonly byState: boolean;
  readonly cellPx: number;
  readonly isDark: boolean;
  readonly textOf: (value: number) => string;
  readonly nameOf: (part: MapPart) => string;
};

type PartProps = { readonly part: MapPart; readonly look: PartLook; readonly isSelected: boolean };

/** Part of a cell that its qubit fills; couplings run between. */
const BOX = 0.68;
/** Boxes in which a number, and also a value, can be read. */
const NUMBER_FROM_PX = 13;
const VALUE_FROM_PX = 28;

/** The id of a part's element. */
export const elementId = ({ kind, id }: Pick<MapPart, 'kind' | 'id'>): string => `map-${kind}-${id}`;

/** Where a place of the map is drawn. */
export const pxOf = (place: number, cellPx: number): number => (place + 0.5) * cellPx;

const neutral = (isDark: boolean) => (isDark ? '#5c6068' : '#adb5bd');

/** Null: nothing to colour it by. */
function fillOf({ shown, state }: MapPart, { scale, byState, isDark }: PartLook): string | null {
  if (byState) return state === 'STALE' ? neutral(isDark) : state === 'MISSING' ? null : STATE_COLORS[state];
  return shown === null || scale === null ? null : colorOf(scale, shown);
}

/** Width of a bold digit. */
const DIGIT_EM = 0.7;

/** A qubit: coloured, dashed without a value, crossed out where it is disabled, with a corner where it is doubtful. */
export const QubitMark = memo(function QubitMark({ part, look, isSelected }: PartProps) {
  const { cellPx, isDark, byState, textOf, nameOf } = look;
  const size = cellPx * BOX;
  const [x, y] = [pxOf(part.x, cellPx), pxOf(part.y, cellPx)];
  const [left, top] = [x - size / 2, y - size / 2];
  const fill = fillOf(part, look);
  const ink = fill === null ? (isDark ? '#c9ccd1' : '#495057') : textOn(fill);
  const value = size >= VALUE_FROM_PX && !byState ? part.shown : null;
  const hasValue = value !== null;
  const fontSize = Math.min(12, size * (hasValue ? 0.3 : 0.42), size / (DIGIT_EM * part.id.length));
  return (
    <>
      <g
        id={elementId(part)}
        data-part={elementId(part)}
        role="option"
        aria-label={nameOf(part)}
        aria-selected={isSelected}
      >
        <rect
          x={left}
          y={top}
          width={size}
          height={size}
          rx={Math.min(4, size / 6)}
          fill={fill ?? (isDark ? '#1f2329' : '#ffffff')}
          stroke={fill === null ? neutral(isDark) : isDark ? '#0d0f12' : '#ffffff'}
          strokeWidth={1}
          strokeDasharray={fill === null ? '3 2' : undefined}
        />
        {part.state === 'DISABLED' && <Cross {...{ left, top, size }} color={ink} />}
        {part.state === 'DOUBTFUL' && !byState && (
          <path
            d={`M${left + size * 0.62} ${top} H${left + size} V${top + size * 0.38} Z`}
            fill={STATE_COLORS.DOUBTFUL}
            stroke="#000000"
            strokeWidth={0.5}
          />
        )}
      </g>
      {/* Beside the option, whose name says the same in full: a name has to contain all text within. */}
      {size >= NUMBER_FROM_PX && (
        <text
          aria-hidden
          pointerEvents="none"
          x={x}
          y={y}
          fill={ink}
          fontSize={fontSize}
          fontFamily="system-ui, sans-serif"
          textAnchor="middle"
        >
          <tspan x={x} dy={hasValue ? '-0.15em' : '0.36em'} fontWeight={600}>
            {part.id}
          </tspan>
          {hasValue && (
            <tspan x={x} dy="1.15em">
              {textOf(value)}
            </tspan>
          )}
        </text>
      )}
    </>
  );
});

const Cross = ({ left, top, size, color }: { left: number; top: number; size: number; color: string }) => (
  <path
    d={`M${left} ${top} l${size} ${size} M${left + size} ${top} l${-size} ${size}`}
    stroke={color}
    strokeWidth={1.5}
  />
);

/** A coupling: a line between its qubits, dashed without a value, crossed out where it is disabled. */
export const CouplingMark = memo(function CouplingMark({ part, look, isSelected }: PartProps) {
  const { cellPx, isDark, nameOf } = look;
  const [from, to] = part.line ?? [
    [0, 0],
    [0, 0],
  ];
  const [x1, y1, x2, y2] = [...from, ...to].map((place) => pxOf(place, cellPx)) as [
    number,
    number,
    number,
    number,
  ];
  const fill = fillOf(part, look);
  const size = Math.max(5, cellPx * 0.14);
  // The middle of what is seen of it: half of its line may lie below a qubit.
  const [left, top] = [(x1 + x2) / 2 - size / 2, (y1 + y2) / 2 - size / 2];
  return (
    <g
      id={elementId(part)}
      data-part={elementId(part)}
      role="option"
      aria-label={nameOf(part)}
      aria-selected={isSelected}
    >
      <line
        {...{ x1, y1, x2, y2 }}
        stroke={fill ?? neutral(isDark)}
        strokeWidth={fill === null ? 1.5 : Math.max(3, cellPx * 0.16)}
        strokeDasharray={fill === null ? '3 2' : undefined}
      />
      {part.state === 'DISABLED' && (
        <Cross {...{ left, top, size }} color={isDark ? '#ff8787' : STATE_COLORS.DISABLED} />
      )}
    </g>
  );
});
